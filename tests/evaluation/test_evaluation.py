"""`eval detection` on small files: exact figures, levels, abstention, cross-validation, resuming, the stored run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.levels import Level
from claimgraph.detect.text.words import content
from claimgraph.evaluation.data.label_rules import LabelRule
from claimgraph.evaluation.data.labelled import LabelledCase, Unit
from claimgraph.evaluation.detection.crossval import Scorer, folds
from claimgraph.evaluation.detection.figures import Ranked
from claimgraph.evaluation.detection.gain import gain, over_sets
from claimgraph.evaluation.detection.journal import WholeText
from claimgraph.evaluation.detection.results import Journal
from claimgraph.evaluation.detection.run import Evaluated, Options, evaluate
from claimgraph.evaluation.detection.units import JudgedUnit, Pair
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.kgstore.model import Document, Extraction, Finding, Outcome, Signal, Status

CONTEXT = "Marie Curie was born in Warsaw. She discovered polonium. She lived in Paris."


class Words:
    """A method so simple that its figures can be told by hand: the share of a claim's words that no passage has.

    A claim with a word that no passage has is refuted if that is more than half of them, else not found.
    """

    name = "words"
    config = '{"preset": "plain"}'

    def __init__(self, fail_after: int | None = None) -> None:
        self.seen: list[str] = []
        self._fail_after = fail_after

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        if self._fail_after is not None and len(self.seen) + len(cases) > self._fail_after:
            raise KeyboardInterrupt
        self.seen += [case.text for case in cases if "loads the models" not in case.text]
        return [[self._finding(claim.triple.text, case) for claim in case.claims] for case in cases]

    def _finding(self, text: str, case: Case) -> Finding:
        if not case.passages:
            return Finding(Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE, "", signals=(self._signal(None),))
        known = {word for passage in case.passages for word in content(passage.text)}
        words = content(text)
        share = sum(word not in known for word in words) / len(words)
        outcome = Outcome.SUPPORTED if not share else Outcome.NOT_ENOUGH_INFO if share <= 0.5 else Outcome.REFUTED
        return Finding(outcome, Status.COMPLETE, "", signals=(self._signal(share), Signal("x", "y", 1.0)))

    def _signal(self, value: float | None) -> Signal:
        return Signal(self.name, "hallucination", value)


class Named(Words):
    """The same under the name of GraphEval."""

    name = "grapheval"


class Counted(RuleExtractor):
    """The rules, with the texts that they were given."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        self.read += [document.text for document in documents]
        return super().extract(documents)


def kea(key: int, said: str, label: int, published: float = 0.5) -> dict[str, Any]:
    """A row whose one claim has the words of `said`, checked against a triple of the words one, two, three, four."""
    return {
        "id": f"k{key}",
        "kea_score": published,
        "label_raw": "x",
        "label": label,
        "claim_triples": [said.split()],
        "evidence_triples": [["one", "two", "three four"]],
    }


KEA = [
    kea(1, "one two three", 0, 0.1),
    kea(2, "one two five", 0, 0.9),
    kea(3, "one six five", 1, 0.5),
    kea(4, "seven six five", 1, 0.5),
    kea(5, "three two one", 1, 0.5),
]


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(
    tmp_path: Path, rows: Sequence[dict[str, Any]], options: Options | None = None, *detectors: Detector, **more: Any
) -> Evaluated:
    path = write(tmp_path / "set.jsonl", rows)
    found = detectors or (Words(),)
    return evaluate([path], found, RuleExtractor(), options or Options(), tmp_path / "cache", **more)


def report(*args: Any, **more: Any) -> dict[str, Any]:
    return run(*args, **more).evaluations[0].report


@pytest.mark.parametrize(("detectors", "read"), [((Named(),), False), ((Named(), Words()), True)])
def test_graphevals_contexts_are_no_work_of_the_extractor(
    tmp_path: Path, detectors: tuple[Words, ...], read: bool
) -> None:
    """GraphEval reads a context as text, so no claims of it are asked for; another method beside it needs them."""
    path = write(tmp_path / "set.jsonl", [{"id": "1", "context": CONTEXT, "output": "She lived in Rome.", "label": 1}])
    extractor = Counted()
    found = evaluate([path], detectors, extractor, Options(), tmp_path / "cache")
    assert read is (CONTEXT in extractor.read)
    assert "She lived in Rome." in extractor.read
    assert 1 == found.evaluations[0].report["n"]


def test_given_triples_give_exact_figures(tmp_path: Path) -> None:
    """Triples are checked as they are: figures, the published score's and those of calling everything wrong."""
    found = report(tmp_path, KEA)
    expected = {
        "dataset": "set",
        "method": "words",
        "preset": "plain",
        "unit": "document",
        "label_rule": "file",
        "n": 5,
        "positives": 3,
        "no_claims": 0,
        "abstained": 0,
        "without_evidence": 0,
        "fitted": "own",
        "auc_roc": 0.75,
        "pr_auc": round(1 / 3 + 1 / 3 + 1 / 3 * 3 / 5, 4),
        "accuracy": 0.6,
        "balanced_accuracy": round((2 / 3 + 1 / 2) / 2, 4),
        "precision": round(2 / 3, 4),
        "recall": round(2 / 3, 4),
        "f1": round(2 / 3, 4),
        "threshold": None,
        "hallucination_type": None,
    }
    assert expected == {key: found[key] for key in expected}
    assert 0.5 == found["baselines"]["published"]["auc_roc"]
    assert (0.75, 0.6) == (found["baselines"]["all_positive"]["f1"], found["baselines"]["all_positive"]["accuracy"])
    assert 0.25 == found["baselines"]["published"]["method_minus_this"]["auc_roc"]["value"]
    low, high = found["ci95"]["auc_roc"]
    assert low <= 0.75 <= high
    assert found["documents_per_second"] > 0


def test_one_class_has_no_ranking(tmp_path: Path) -> None:
    """Where all labels are the same, figures that need both are None, not 0."""
    found = report(tmp_path, KEA[:2])
    assert (None, None, None, 0.5) == tuple(
        found[key] for key in ("auc_roc", "balanced_accuracy", "recall", "accuracy")
    )
    assert None is found["ci95"]["auc_roc"]


TEXT = {
    "id": "t",
    "context": CONTEXT,
    "output": "Marie Curie was born in Warsaw. What a day! Marie Curie loved astronomy.",
    "label": 1,
    "sentences": [
        {"text": "Marie Curie was born in Warsaw.", "label": 0, "score": 1.0},
        {"text": "What a day!", "label": 1, "score": 0.5},
        {"text": "Marie Curie loved astronomy.", "label": 1, "score": 0.0},
    ],
    "spans": [
        {"type": "extrinsic", "span": "astronomy", "start": "61"},
        {"type": "extrinsic", "span": "loved astronomy", "start": "55"},
        {"type": "intrinsic", "span": "astronomy", "start": "61"},
    ],
}


@pytest.mark.parametrize(
    ("unit", "n", "figures"),
    [("sentence", 3, (0.5, 1.0, 1)), ("document", 1, (1.0, 1.0, 0)), ("claim", 2, (1.0, 1.0, 0))],
)
def test_levels(tmp_path: Path, unit: str, n: int, figures: tuple[float, float, int]) -> None:
    """Claims, sentences and the document are judged from the same findings; a sentence without claims counts as 0."""
    found = report(tmp_path, [TEXT], Options(unit=Unit(unit)))
    assert (n, *figures) == (found["n"], found["recall"], found["precision"], found["no_claims"])


def test_labels_follow_the_rule(tmp_path: Path) -> None:
    """With a rule of the papers the labels are recomputed, and the report names the rule."""
    found = report(tmp_path, [TEXT], Options(unit=Unit.SENTENCE, rule=LabelRule.KEA))
    assert ("kea", 2) == (found["label_rule"], found["positives"])


def test_types_are_those_of_the_marks(tmp_path: Path) -> None:
    """A claim takes the type of most marks it touches; the other claims have none."""
    found = report(tmp_path, [TEXT])["hallucination_type"]
    assert (1, 0) == (found["n"], found["ties"])
    assert {"n": 1, "precision": 1.0, "recall": 1.0, "f1": 1.0} == found["extrinsic"]
    assert {"precision": 1.0, "recall": 1.0, "f1": 1.0} == found["weighted"]
    tie = TEXT | {"spans": TEXT["spans"][1:]}  # type: ignore[index]
    found = report(tmp_path, [tie])["hallucination_type"]
    assert (0, 1) == (found["n"], found["ties"])


ANSWER = {
    "id": "a",
    "output": "Yes.",
    "claim_triples": [
        {"triple": ["one", "two", "three"], "label": "Entailment"},
        {"triple": ["one", "two", "five"], "label": "Neutral"},
    ],
}


def test_open_domain_abstains_unless_told(tmp_path: Path) -> None:
    """Without evidence every claim is an abstention; by the papers' rule it is a hallucination."""
    found = report(tmp_path, [ANSWER])
    assert ("claim", 2, 2, None, None) == tuple(found[k] for k in ("unit", "n", "abstained", "recall", "auc_roc"))
    found = report(tmp_path, [ANSWER], Options(nei=True))
    assert (0, 1.0, 0.5) == tuple(found[k] for k in ("abstained", "recall", "precision"))


def test_texts_without_a_reference_are_left_out(tmp_path: Path) -> None:
    """Passages with nothing to check against are counted, not judged, where others have a reference."""
    row = {"id": "w", "generated_text": "Marie Curie was born in Warsaw.", "reference_text": CONTEXT}
    row["sentences"] = [{"text": row["generated_text"], "label": 0, "label_raw": "accurate"}]
    found = report(tmp_path, [row, row | {"reference_text": None}])
    assert ("sentence", 1, 1, 1.0) == tuple(found[k] for k in ("unit", "n", "without_evidence", "accuracy"))


def test_a_unit_without_labels_is_refused(tmp_path: Path) -> None:
    """Asking for a unit that nobody labelled is one line that names file and line; `nli` judges no claims."""
    row = {key: value for key, value in TEXT.items() if key not in ("sentences", "spans")}
    for unit in (Unit.SENTENCE, Unit.CLAIM):
        with pytest.raises(InputError, match=r"set, line 1: no (sentence|claim) has a label"):
            run(tmp_path, [row], Options(unit=unit))
    with pytest.raises(UsageError, match="whole texts"):
        run(tmp_path, [ANSWER], Options(unit=Unit.CLAIM), WholeText(Named()))


def test_an_interrupted_evaluation_goes_on(tmp_path: Path) -> None:
    """What was done before an interruption is not done again, a line cut off is dropped, the report is the same."""
    rows = [kea(n, KEA[n % 5]["claim_triples"][0][2] + " one two", n % 2) for n in range(80)]
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    whole = report(tmp_path / "a", rows)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "b", rows, None, Words(fail_after=40))
    [journal] = (tmp_path / "b" / "cache" / "evaluations").iterdir()
    journal.write_bytes(journal.read_bytes()[:-10])
    again = Words()
    found = run(tmp_path / "b", rows, None, again)
    assert 80 - 31 == len(again.seen)
    timing = ("seconds", "documents_per_second")
    resumed = found.evaluations[0].report
    assert {k: v for k, v in whole.items() if k not in timing} == {k: v for k, v in resumed.items() if k not in timing}
    found.finish()
    assert not journal.exists()


def test_results_survive_the_journal(tmp_path: Path) -> None:
    """What is read back from a journal is what was put in."""
    run(tmp_path, [TEXT, TEXT])
    [path] = (tmp_path / "cache" / "evaluations").iterdir()
    first = Journal(path)
    again = Journal(tmp_path / "other")
    again.add(list(first.done.values()))
    assert first.done == Journal(tmp_path / "other").done
    assert {"words.hallucination", "x.y"} == set(first.done[1].claims[0].signals)


def test_folds_keep_groups_together() -> None:
    """All rows of a group fall into one fold, every fold has groups, and the seed decides."""
    groups = [f"g{n % 7}" for n in range(30)]
    fold = folds(groups, 3, seed=1)
    assert 7 == len(set(zip(groups, fold.tolist(), strict=True)))
    assert {0, 1, 2} == set(fold.tolist())
    assert fold.tolist() == folds(groups, 3, seed=1).tolist()
    with pytest.raises(InputError, match="2 articles"):
        folds(["a", "b"], 3, seed=1)


def test_cross_validation_fits_on_other_groups(tmp_path: Path) -> None:
    """A fit never sees the texts it is judged on; its scores and its threshold replace the method's own."""
    rows = [kea(n, "one two five" if n % 3 else "one two three", int(n % 3 == 0)) for n in range(12)]
    trained: list[set[str]] = []

    def fit(pairs: Sequence[Pair]) -> Scorer:
        trained.append({case.id for case, _ in pairs})
        lines = {case.line for case, _ in pairs}

        def scorer(pair: Pair) -> list[float | None]:
            assert (pair[1].line in lines) == (pair[0].id in trained[-1])
            return [1 - (claim.score or 0) for claim in pair[1].claims]

        return scorer

    found = report(tmp_path, rows, Options(folds=4), fits={"words": fit})
    assert [9, 9, 9, 9] == [len(ids) for ids in trained]
    assert set() == set.intersection(*trained)
    assert (1.0, 1.0) == (found["auc_roc"], found["balanced_accuracy"])
    turned = report(tmp_path, rows, Options(folds=4))
    assert (0.0, "balanced_accuracy, 4-fold over groups") == (turned["auc_roc"], turned["fitted"])
    assert 0.75 == found["threshold"]


def judged(gold: int, words: int) -> JudgedUnit:
    case = LabelledCase("x", f"{gold}{words}", "set", Unit.DOCUMENT, "", gold)
    return JudgedUnit(case.group, gold, Level(0, 0.0, 1), "word " * words, case)


def test_gain_is_the_difference_in_points() -> None:
    """GraphEval minus the whole text, over all, by quartile of length, and over sets weighted by size."""
    units = [judged(gold, words) for words in (1, 2, 3, 4) for gold in (0, 1)]
    right = np.array([0.0, 1.0] * 4)
    wrong = np.array([0.0, 0.0] * 4)
    graph, nli = (Ranked(n, p, p, None) for n, p in (("grapheval", right), ("nli", wrong)))
    found = gain(units, graph, nli, seed=0)
    assert 50.0 == found.points
    quartiles = [(row["n"], row["words"], row["difference"]) for row in found.report["by_output_length"]]
    assert [(2, [n, n], 50.0) for n in (1, 2, 3, 4)] == quartiles
    both = over_sets([found, gain(units, nli, nli, seed=0)])
    assert (2, 25.0, 25.0) == (both["sets"], both["mean"], both["standard_error"])
    assert None is over_sets([found])["standard_error"]


def test_grapheval_is_compared_with_whole_texts(tmp_path: Path) -> None:
    """`nli` takes each labelled sentence as a whole, under its own name, and the gain is in GraphEval's report."""
    graph, inner = Named(), Named()
    found = run(tmp_path, [TEXT], Options(unit=Unit.SENTENCE), graph, WholeText(inner))
    assert [s["text"] for s in TEXT["sentences"]] == inner.seen  # type: ignore[index]
    ours, theirs = (one.report for one in found.evaluations)
    assert ("nli", 3, 0) == (theirs["method"], theirs["n"], theirs["no_claims"])
    assert 100 * (ours["balanced_accuracy"] - theirs["balanced_accuracy"]) == ours["grapheval_minus_nli"]["value"]
    assert ["grapheval"] == [one.report["method"] for one in found.only("grapheval").evaluations]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the set, in which the command keeps its store and cache."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    return write(tmp_path / "set.jsonl", KEA)


def test_command_prints_keeps_and_draws(command: Path, tmp_path: Path) -> None:
    """`--json` prints one object, the run is stored with its figures, curves are drawn, and no journal is left."""
    plot = tmp_path / "curves.png"
    arguments = ["eval", "detection", str(command), "--method", "fused", "--json", "--plot", str(plot)]
    result = CliRunner().invoke(app, arguments)
    assert 0 == result.exit_code, result.output
    found = json.loads(result.stdout)
    assert ("set", "fused", 5) == (found["dataset"], found["method"], found["n"])
    assert b"\x89PNG" == plot.read_bytes()[:4]
    assert [] == list((tmp_path / "cache" / "evaluations").iterdir())
    with open_embedded(tmp_path / "store", read_only=True) as store:
        table = store.query("MATCH (r:Run) RETURN r.method, r.config, r.status", {})
        claims = store.query("MATCH (c:Claim) RETURN count(c)", {})
    [(method, config, status)] = table.rows
    assert ("fused", "complete", found["auc_roc"]) == (method, status, json.loads(config)["figures"]["auc_roc"])
    assert ((0,),) == claims.rows


def test_command_prints_tables_over_sets(command: Path, tmp_path: Path) -> None:
    """Several files give a table each, and a list under `--json`."""
    other = write(tmp_path / "other.jsonl", [TEXT])
    result = CliRunner().invoke(app, ["eval", "detection", str(command), str(other), "--method", "fused"])
    assert 0 == result.exit_code, result.output
    assert "set, fused: 5 labelled by document" in result.stdout
    assert "other, fused: 1 labelled by document" in result.stdout
