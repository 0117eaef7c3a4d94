"""What a correction is worth: figures over a small labelled file with the real extractor and detector."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import serving
from typer.testing import CliRunner

from claimgraph import wiring
from claimgraph.cli.app import app
from claimgraph.evaluation.correction import CorrectionFigures, evaluate
from claimgraph.evaluation.data.labelled_files import read_labelled
from claimgraph.evaluation.made.known_edits import KnownEdit
from claimgraph.evaluation.made.repairs import elsewhere, repaired
from claimgraph.kgstore.errors import InputError
from claimgraph.settings import load_settings

Run = Callable[..., CorrectionFigures]

CONTEXT = (
    "Marie Curie was born in Warsaw in 1867. She discovered polonium with Pierre Curie in 1898. The institute has 240 "
    "employees. It was founded in 1909."
)
ROWS = [
    ("Marie Curie was born in Paris in 1867.", 1),
    ("The institute has 300 employees.", 1),
    ("Marie Curie liked cats.", 1),
    ("Marie Curie was born in Warsaw.", 0),
    ("The institute has 240 employees.", 0),
    ("The institute was founded in 1909.", 0),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A labelled file of six outputs on one context, in a folder that is also the cache."""
    rows = [{"id": str(i), "context": CONTEXT, "output": text, "label": label} for i, (text, label) in enumerate(ROWS)]
    file = tmp_path_factory.mktemp("labelled") / "small.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture(scope="module")
def run(path: Path) -> Run:
    """Evaluates a way to correct on the file, or another one, with models loaded once."""
    settings = replace(load_settings({}, Path("/nonexistent")), cache=path.parent)
    detector, extractor = wiring.detector(settings), wiring.extractor(settings)

    def evaluated(method: str = "deterministic", file: Path = path, **llm: Any) -> CorrectionFigures:
        told: list[tuple[int, int]] = []
        figures = evaluate(
            list(read_labelled(file)),
            extractor=extractor,
            detector=detector,
            judge=detector,
            corrector=wiring.corrector(wiring.Models(replace(settings, **llm)), method),
            advance=lambda *done: told.append(done),
        )
        assert (figures.n + figures.known_edits.n,) * 2 == told[-1]
        return figures

    return evaluated


@pytest.fixture(scope="module")
def found(run: Run) -> CorrectionFigures:
    """The figures of the deterministic form."""
    return run()


def test_what_is_known_of_a_deterministic_correction(found: CorrectionFigures) -> None:
    """Suspected outputs become right for the judge, near the original; right outputs stay; known edits are undone."""
    assert ("small", "deterministic", "fused", "fused", 6) == (
        found.dataset,
        found.method,
        found.detector,
        found.judge,
        found.n,
    )
    assert 2 <= found.suspected <= found.hallucinated.suspected
    assert 2 == found.changed == found.hallucinated.changed
    assert found.judgement.found == found.suspected
    assert found.judgement.corrected
    assert found.judgement.broken is None
    assert found.rouge1 is not None
    assert 0.6 < found.rouge1 < 1
    assert (3, 0, 0) == (found.consistent.n, found.consistent.suspected, found.consistent.changed)
    assert 3 == found.known_edits.n == sum(kind.n for kind in found.known_edits_by_kind.values())
    assert 0.0 == found.known_edits.elsewhere
    assert found.edits["applied"] >= 2
    assert {"corrected", "broken", "rouge1", "rouge2", "rouge_l", "found", "repaired", "elsewhere"} == set(found.ci95)
    assert (None, (0.0, 0.0)) == (found.ci95["broken"], found.ci95["elsewhere"])


def test_an_llm_that_breaks_texts_is_seen(run: Run) -> None:
    """A model that rewrites all it is given repairs nothing, and its ROUGE says how little is left."""
    with serving(lambda _: "Nothing of it is left.") as server:
        found = run("direct", llm_base_url=server.url, llm_model="scripted")
    assert 0.0 == found.known_edits.repaired
    assert found.changed == found.suspected
    assert found.rouge_l is not None
    assert found.rouge_l < 0.3


def test_a_file_without_contexts_is_refused(run: Run, tmp_path: Path) -> None:
    """Where no row has a context there is nothing to correct by, and one line says so."""
    file = tmp_path / "bios.jsonl"
    row = {"id": "1", "generated_text": "Ann sings.", "reference_text": None}
    file.write_text(json.dumps({**row, "sentences": [{"text": "Ann sings.", "label": 1}]}) + "\n")
    with pytest.raises(InputError, match="no text with a context"):
        run(file=file)


@pytest.mark.parametrize(
    ("text", "back", "other"),
    [
        ("Ann was born in Oslo in 1989, they say.", True, False),
        ("Ann was born in Rome in 1989, they say.", False, False),
        ("Ann was born in oslo in 1989, they say.", True, False),
        ("Ann was born in Bonn in 1989, they say.", False, False),
        ("Ann was born in Oslo in 1990, they say.", True, True),
        ("Ann was born near Oslo in 1990, they say.", False, True),
        ("They say that Ann was born in Oslo in 1989, they say.", True, True),
        ("", False, True),
    ],
)
def test_an_edit_is_undone_where_its_words_are_back(text: str, back: bool, other: bool) -> None:
    """The old name at its place is a repair; with other changes only where its neighbours are the same."""
    original = "Ann was born in Oslo in 1989, they say."
    edit = KnownEdit(original, original.replace("Oslo", "Rome"), 16, 20, "Oslo", "Rome", "entity", "object")
    assert (back, other) == (repaired(edit, text), elsewhere(edit, text))


def test_an_equal_value_is_a_repair() -> None:
    """A date written in another way is the date again; another of the same form is not."""
    original = "She was born on 7 November 1867."
    old, new = "7 November 1867", "9 November 1867"
    edit = KnownEdit(original, original.replace(old, new), 16, 31, old, new, "date", "object")
    assert repaired(edit, "She was born on November 7, 1867.")
    assert not repaired(edit, "She was born on November 8, 1867.")


def test_the_command_prints_the_same(found: CorrectionFigures, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--json` gives the figures with rule and seed; without a language model its methods refuse before any work."""
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(path.parent))
    monkeypatch.delenv("CLAIMGRAPH_LLM_BASE_URL", raising=False)
    monkeypatch.chdir(path.parent)
    done = CliRunner().invoke(app, ["eval", "correction", str(path), "--json"])
    printed = json.loads(done.stdout)
    assert (None, 0) == (printed["usage"]["model"], printed.pop("usage")["calls"])
    assert json.loads(json.dumps(asdict(found))) | {"label_rule": "file", "seed": 0} == printed
    refused = CliRunner().invoke(app, ["eval", "correction", str(path), "--method", "graphcorrect"])
    assert "CLAIMGRAPH_LLM_BASE_URL" in str(refused.exception)
    shown = CliRunner().invoke(app, ["eval", "correction", str(path), "--limit", "1"])
    assert "ROUGE-1" in shown.stdout
    assert "95 %" in shown.stdout
