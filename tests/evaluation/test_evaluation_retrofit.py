"""KGR measured on drafts: each figure by hand on scripted stages, the command on a real store, and the drafts."""

from __future__ import annotations

import csv
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.repair.correction import Corrected, Edit, EditStatus, applied
from claimgraph.detect.repair.kgr.protocol import Mode, Pass, Retrofitted, Selection, Stop, drive, retrofit
from claimgraph.evaluation.made.drafts import DraftFact, MadeDraft, Right, read_drafts, to_line
from claimgraph.evaluation.retrofit import figures
from claimgraph.evaluation.retrofit.blame import Blame
from claimgraph.evaluation.retrofit.fates import Fate, names_it, standings
from claimgraph.evaluation.retrofit.run import CHUNKS, FACTS, cut
from claimgraph.evaluation.retrofit.variants import hidden_facts
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import document_id, fact_id
from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.model import (
    Claim,
    Document,
    Entity,
    Extraction,
    Fact,
    Link,
    Outcome,
    Span,
    Status,
    Subgraph,
    Verdict,
)
from claimgraph.repair.retrofit_stages import Choice
from claimgraph.settings import Settings
from claimgraph.wiring import open_store

REFUTED, SUPPORTED, NEI = Outcome.REFUTED, Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO

SCRIPT = {
    "praised": ("Oslo", "Oslo", SUPPORTED, ()),
    "admired": ("Rome", "Bern", REFUTED, ("Bern",)),
    "avoided": ("Lima", "Cairo", NEI, ()),  # its claim is not extracted
    "painted": ("Kiel", "Ulm", NEI, ()),  # its subject is not linked
    "visited": ("Riga", "Turin", NEI, ()),  # its fact is not selected
    "left": ("Graz", "Basel", NEI, ()),
    "missed": ("Lyon", "Nice", REFUTED, ()),
    "sketched": ("Bonn", "Trier", REFUTED, ("Trier", "Bonn")),
    "loved": ("Porto", "Porto", REFUTED, ("Faro",)),
    "hated": ("Split", "Zadar", REFUTED, ("Pula",)),
}
"""By verb: the object as written, the right one, the verdict, and what it is replaced by in each pass."""


def _fact(verb: str, text: str, written: str, right: str) -> DraftFact:
    start = text.index(f"Ann Berg {verb}")
    at = text.index(written, start)
    return DraftFact(
        "Ann Berg",
        "g:ann",
        verb,
        f"g:{verb}",
        right,
        f"g:{right}",
        fact_id("g", "g:ann", f"g:{verb}", f"g:{right}"),
        Span(start, at + len(written) + 1),
        Span(start, start + 8),
        written,
        Span(at, at + len(written)),
        written != right,
        f"g:{written}",
        (Right(f"g:{right}", (right, f"Old {right}")),),
    )


def _draft(key: str = "a", script: Sequence[str] = tuple(SCRIPT)) -> MadeDraft:
    text = " ".join(f"Ann Berg {verb} {SCRIPT[verb][0]}." for verb in script) + " So it goes."
    facts = tuple(_fact(verb, text, *SCRIPT[verb][:2]) for verb in script)
    return MadeDraft(key, "g", "Who is Ann Berg?", text, facts)


class Scripted:
    """Implements Stages by SCRIPT: `Ann Berg VERB OBJECT.` is a claim, and so is "So it goes."."""

    mode, name, config = Mode.DETERMINISTIC, "scripted", "{}"

    def __init__(self) -> None:
        self._passes = 0

    def extract(self, text: str) -> Extraction:
        document = Document(document_id(text), text)
        found = (match for match in re.finditer(r"(Ann Berg|So) (\w+) (\w+)\.", text) if match[2] != "avoided")
        claims = [
            Claim(
                match[2], document.id, match[1], match[2], match[3], match[0], *(Span(*match.span(i)) for i in range(4))
            )
            for match in found
        ]
        return Extraction(document, (), tuple(claims))

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:
        ann = Entity("g:ann", "Ann Berg")
        return tuple(
            link
            for claim in extraction.claims
            for link in (
                Link(claim.id, "subject", claim.subject, None if claim.id == "painted" else ann, 1, 1),
                Link(claim.id, "object", claim.object, Entity(f"g:{claim.object}", claim.object), 1, 1),
            )
        )

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:  # noqa: ARG002
        gold = {verb: Fact(verb, "g", "g:ann", f"g:{verb}", verb, f"g:{SCRIPT[verb][1]}") for verb in SCRIPT}
        other = Fact("other", "g", "g:ann", "g:other", "other", "g:x")
        chosen = tuple(
            ("other",) if claim.id in ("visited", "it") else (claim.id, "other") for claim in extraction.claims
        )
        return Selection(Subgraph({}, (*gold.values(), other)), chosen, "g")

    def verify(
        self,
        extraction: Extraction,
        links: tuple[Link, ...],  # noqa: ARG002
        selection: Selection,  # noqa: ARG002
    ) -> tuple[Verdict, ...]:
        outcomes = {verb: row[2] for verb, row in SCRIPT.items()}
        return tuple(
            Verdict(claim.id, claim.id, outcomes.get(claim.id, NEI), Status.COMPLETE, self.name, "")
            for claim in extraction.claims
        )

    def rewrite(self, found: Pass) -> Corrected:
        text, edits = found.extraction.document.text, []
        for claim in found.extraction.claims:
            words = SCRIPT[claim.id][3] if claim.id in SCRIPT else ()
            if len(words) > self._passes and claim.object_span:
                span = claim.object_span
                after = words[self._passes]
                edits.append(Edit(claim.id, span.start, span.end, claim.object, after, None, EditStatus.APPLIED))
        self._passes += 1
        return applied(text, edits)


def _results(*drafts: MadeDraft, limit: int = 2) -> list[figures.Result]:
    return [figures.result(draft, drive(retrofit(draft.text, limit=limit), Scripted())) for draft in drafts]


def test_fates_are_what_the_final_text_says_of_each_fact() -> None:
    """Repaired, changed, left, kept and broken are told by the words that stand where the object stood."""
    [found] = _results(_draft())
    fates = {case.fact.predicate: case.fate for case in found.cases}
    left = dict.fromkeys(("avoided", "painted", "visited", "left", "missed", "sketched"), Fate.LEFT)
    others = {"praised": Fate.KEPT, "admired": Fate.REPAIRED, "loved": Fate.BROKEN, "hated": Fate.CHANGED}
    assert left | others == fates
    shares = {name: (one.value, one.n) for name, one in figures.fates([found], 0).items()}
    assert {"repaired": (0.125, 8), "changed": (0.125, 8), "left": (0.75, 8), "broken": (0.5, 2)} == shares


def test_every_failed_repair_is_blamed_on_the_first_stage_that_failed() -> None:
    """The table of blame has every kind, and sums to the wrong facts that are wrong still."""
    found = _results(_draft())
    expected = dict.fromkeys((blame.value for blame in Blame), 1) | {Blame.REPLACEMENT.value: 2}
    assert expected == figures.blamed(found)
    failed = {row["predicate"]: row["blame"] for row in figures.failures(found)}
    assert {
        "avoided": "claim not extracted",
        "painted": "entity not found or wrong",
        "visited": "fact not selected",
        "left": "verdict not refuted",
        "missed": "replacement wrong or none",
        "sketched": "undone later",
        "hated": "replacement wrong or none",
        "loved": None,
    } == failed


def test_each_stage_alone_has_the_precision_and_recall_counted_by_hand() -> None:
    """A stage is judged on what the stages before it got right."""
    found = figures.stages(_results(_draft()))
    expected = {
        "claims": (0.9, 0.9, 10, 10),
        "facts": (round(7 / 15, 4), 0.875, 15, 8),
        "refuted": (0.8, 0.8, 5, 5),
        "supported": (1.0, 0.5, 1, 2),
        "replacements": (0.6667, 0.5, 3, 4),
    }
    assert expected == {name: tuple(found[name].values()) for name in expected}
    assert (1.0, 0.8889, 8, 9) == tuple(found["entities"]["subject"].values())
    assert (1.0, 1.0, 9, 9) == tuple(found["entities"]["object"].values())


def test_convergence_counts_drafts_that_ended_by_themselves() -> None:
    """A draft that reached the limit has not converged; one without a refuted claim has, without an iteration."""
    found = figures.convergence(_results(_draft(), _draft("b", ("praised", "left"))), 0)
    assert (0.5, 2, (0.0, 1.0)) == (found["converged"].value, found["converged"].n, found["converged"].ci95)
    assert ({"0": 1, "2": 1}, {"limit": 1, "no claim refuted": 1}) == (found["iterations"], found["stopped"])


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_a_run_cut_off_is_the_run_with_that_limit(limit: int) -> None:
    """Fewer iterations need no other run."""
    text = _draft().text
    whole, short = (drive(retrofit(text, limit=most), Scripted()) for most in (2, limit))
    assert (short.text, short.stopped, len(short.passes)) == (
        (found := cut(whole, limit)).text,
        found.stopped,
        len(found.passes),
    )


def test_relations_are_in_the_order_of_their_failures() -> None:
    """What fails most often comes first, a relation without failures last."""
    rows = figures.by_relation(_results(_draft(), _draft("b", ("praised", "left"))))
    assert {"relation": "left", "wrong": 2, "repaired": 0, "right": 0, "broken": 0} == rows[0]
    assert {"admired", "praised"} == {row["relation"] for row in rows[-2:]}


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_words_that_no_edit_touches_are_found_again(data: st.DataObject) -> None:
    """Edits of any length before and behind a fact, in several passes, do not lose its words."""
    text = "Ann Berg admired Bern."
    fact = replace(_fact("admired", text, "Bern", "Bern"), wrong=False)
    passes = []
    for _ in range(data.draw(st.integers(1, 3))):
        document, at = Document(document_id(text), text), text.index(fact.written)
        before = sorted(data.draw(st.tuples(st.integers(8, at), st.integers(8, at))))
        behind = sorted(data.draw(st.tuples(st.integers(at + 4, len(text)), st.integers(at + 4, len(text)))))
        words = st.text("xyz ", max_size=9)
        edits = [
            Edit("c", *ends, text[slice(*ends)], data.draw(words), None, EditStatus.APPLIED)
            for ends in (before, behind)
        ]
        corrected = applied(text, edits)
        passes.append(Pass(Extraction(document, (), ()), (), Selection(Subgraph({}, ()), (), ""), (), corrected))
        text = corrected.text
    last = Pass(Extraction(Document(document_id(text), text), (), ()), (), passes[0].selection, ())
    known = standings(fact, Retrofitted("Ann Berg admired Bern.", text, (*passes, last), Stop.LIMIT))
    assert (True, False) == (known[-1].right, known[-1].touched)
    assert "Bern" == text[known[-1].object.start : known[-1].object.end]


@pytest.mark.parametrize(
    ("words", "names", "within", "expected"),
    [
        ("the United States", ["US", "United States"], False, True),
        ("Émile", ["Emile"], False, True),
        ("May 19, 1990", ["1990-05-19"], False, True),
        ("1991", ["1990-05-19"], False, False),
        ("an actor in Rome", ["actor"], False, False),
        ("an actor in Rome", ["actor"], True, True),
        ("", ["actor"], True, False),
    ],
)
def test_words_name_an_object_by_any_name_or_by_its_value(
    words: str, names: list[str], within: bool, expected: bool
) -> None:
    """Case, accents and articles do not count; more words than the name only where an edit made them."""
    assert expected is names_it(words, names, within=within)


def test_more_hidden_truths_include_the_fewer() -> None:
    """The facts hidden at a larger share are those of the smaller share and others."""
    drafts = [_draft(), _draft("b")]
    counts = []
    for less, more in ((0.25, 0.5), (0.5, 1.0)):
        small, large = (hidden_facts(drafts, part) for part in (less, more))
        assert all(fact in large[key] for key, facts in small.items() for fact in facts)
        counts.append(sum(map(len, large.values())))
    assert [8, 16] == counts


def test_drafts_come_back_as_they_were_written(tmp_path: Path) -> None:
    """A written line is read as the same draft; a limit ends the reading."""
    path = tmp_path / "d.jsonl"
    path.write_text(f"{to_line(_draft())}\n{to_line(_draft('b'))}\n", encoding="utf-8")
    assert [_draft()] == list(read_drafts(path, 1))


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("written", "Paris", "at `object_span` stands 'Oslo', not 'Paris'"),
        ("object_span", [3, 4000], "`object_span` is no [start, end] within the text: [3, 4000]"),
        ("wrong", "no", "`wrong` is no true or false"),
        ("right", [], "`right` is empty: nothing would be a repair"),
        ("right", [{"id": "x", "names": []}], "`names` of an item of `right` are no strings"),
    ],
)
def test_a_line_that_is_no_draft_is_named_with_its_reason(tmp_path: Path, key: str, value: object, reason: str) -> None:
    """The error says file, line and what is wrong there."""
    row = json.loads(to_line(_draft("b", ("praised",))))
    row["facts"][0][key] = value
    path = tmp_path / "d.jsonl"
    path.write_text(f"{to_line(_draft())}\n{json.dumps(row)}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        list(read_drafts(path))
    assert f"{path}, line 2: {reason}" == str(error.value)


FILMS = {
    "Q1": "Anna Berg",
    "Q2": "Oslo",
    "Q3": "Bergen",
    "Q4": "Tom Hale",
    "Q5": "Lisbon",
}
BORN = [("Q1", "P19", "Q2"), ("Q4", "P19", "Q5"), ("Q4", "P20", "Q3")]


def _world(folder: Path) -> Path:
    """A store with three facts, and a draft of which one of three is wrong."""
    (folder / "facts.tsv").write_text("".join("\t".join(row) + "\n" for row in BORN), encoding="utf-8")
    rows = [{"qid": key, "label": name} for key, name in FILMS.items()]
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    relations = [{"pid": "P19", "label": "place of birth"}, {"pid": "P20", "label": "place of death"}]
    (folder / "relations.jsonl").write_text("\n".join(map(json.dumps, relations)), encoding="utf-8")
    with open_store(Settings(store=folder / "store")) as store:
        ingest(
            store, folder / "facts.tsv", "world", entities=folder / "labels.jsonl", relations=folder / "relations.jsonl"
        )
    text = "Anna Berg was born in Bergen. Tom Hale was born in Lisbon. Tom Hale died in Bergen."
    facts = []
    for sentence, (subject, predicate, object), written in zip(
        re.finditer(r"[^.]+\.", text), BORN, ("Q3", "Q5", "Q3"), strict=True
    ):
        name, words = FILMS[subject], FILMS[written]
        at, start = (text.index(part, sentence.start()) for part in (words, name))
        ids = [f"wd:{key}" for key in (subject, predicate, object, written)]
        facts.append(
            DraftFact(
                name,
                ids[0],
                "place",
                ids[1],
                FILMS[object],
                ids[2],
                fact_id("world", *ids[:3]),
                Span(*sentence.span()),
                Span(start, start + len(name)),
                words,
                Span(at, at + len(words)),
                object != written,
                ids[3],
                (Right(ids[2], (FILMS[object],)),),
            )
        )
    path = folder / "drafts.jsonl"
    path.write_text(to_line(MadeDraft("0", "world", "Who?", text, tuple(facts))) + "\n", encoding="utf-8")
    return path


def test_the_command_measures_sweeps_and_compares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong birthplace is repaired in one iteration, not where its truth is hidden; nothing else is touched."""
    path = _world(tmp_path)
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    command = ["eval", "retrofit", str(path), "--graph", "world", "--mode", "deterministic"]
    done = CliRunner().invoke(app, [*command, "--sweep", "--compare", "--json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert (1.0, 0.0) == (found["repaired"]["value"], found["broken"]["value"])
    assert {"1": 1} == found["convergence"]["iterations"]
    assert [] == found["failures"]
    rows = {row["way"]: row for row in found["comparison"]}
    assert 0.0 == rows["no retrofit"]["repaired"]["value"]
    assert 1.0 == rows["0% of truths hidden"]["repaired"]["value"]
    assert 1.0 == rows["entities by spaCy"]["repaired"]["value"]
    assert {"repaired": 0.0, "changed": 0.0, "left": 1.0} == {
        name: share["value"] for name, share in rows["100% of truths hidden"]["of_hidden"].items()
    }
    assert {0.0} == {row["broken"]["value"] for row in rows.values()}
    usual = Choice()
    sizes = {(chunk, usual.facts) for chunk in CHUNKS} | {(usual.chunk, facts) for facts in FACTS}
    assert sizes == {(row["chunk"], row["facts"]) for row in found["sweep"]}
    shown = CliRunner().invoke(app, command, catch_exceptions=False).stdout
    assert "claim not extracted" in shown


def test_a_rehearsal_asks_nobody_and_says_what_asking_would_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --dry-run in the mode of a language model all five stages are gone through, on estimates."""
    path = _world(tmp_path)
    monkeypatch.delenv("NEO4J_URI", raising=False)
    for name, value in {
        "STORE": str(tmp_path / "store"),
        "CACHE": str(tmp_path / "cache"),
        "LLM_BASE_URL": "http://127.0.0.1:9/v1",
        "LLM_MODEL": "none",
    }.items():
        monkeypatch.setenv(f"CLAIMGRAPH_{name}", value)
    done = CliRunner().invoke(app, ["eval", "retrofit", str(path), "--dry-run", "--json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert ["usage"] == list(found)
    assert found["usage"]["calls"] > 0


PEOPLE = ["Ada Crane", "Bo Dillon", "Cy Ebert", "Di Falk", "Ed Grimm", "Fay Holt", "Gus Ibsen", "Hal Joyce", "Ida Kern"]
OBJECTS = {
    "P106": ("occupation", "profession", "baker,dancer,painter,sailor,tailor,weaver"),
    "P27": ("country of citizenship", "country", "France,Norway,Peru,Spain"),
    "P19": ("place of birth", "city", "Bergen,Lima,Lyon,Oslo,Seville"),
    "P20": ("place of death", "city", "Bergen,Lima,Lyon,Oslo,Seville"),
    "P1412": ("languages spoken, written, or signed", "language", "Breton,Catalan,Quechua,Sami"),
    "P140": ("religion", "religion", "Buddhism,Islam,Judaism,Shinto"),
}


def _codex(folder: Path) -> Path:
    """Nine people and what they are, in CoDEx's files."""
    folder.mkdir()
    things = {(kind, name) for _, kind, names in OBJECTS.values() for name in names.split(",")}
    keys = {name: f"Q{at}" for at, (_, name) in enumerate(sorted([*things, *(("human", name) for name in PEOPLE)]))}
    rows = [
        {"qid": keys[name], "label": name, "description": None, "aliases": [], "types": [kind], "extract": None}
        for kind, name in sorted([*things, *(("human", name) for name in PEOPLE)])
    ]
    with gzip.open(folder / "entities.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    relations = [{"pid": key, "label": label} for key, (label, _, _) in OBJECTS.items()]
    (folder / "relations.jsonl").write_text("\n".join(map(json.dumps, relations)), encoding="utf-8")
    with gzip.open(folder / "codex_m_triples.tsv.gz", "wt", encoding="utf-8") as file:
        out = csv.writer(file, delimiter="\t")
        for (at, name), (key, (_, _, names)) in product(enumerate(PEOPLE), OBJECTS.items()):
            options = names.split(",")
            out.writerow((keys[name], key, keys[options[at % len(options)]], "train"))
    return folder


def _generated(folder: Path, out: Path, seed: int) -> bytes:
    script = Path(__file__).parents[2] / "benchmarks" / "retrofit_drafts.py"
    command = [sys.executable, script, folder, out, "--seed", str(seed), "--n", "12", "--graph", "w"]
    subprocess.run(command, check=True, timeout=60)
    return out.read_bytes()


def test_the_generator_makes_the_same_drafts_of_a_seed_and_true_labels(tmp_path: Path) -> None:
    """Same seed, same bytes; wrong facts are false in the graph, right ones true, and each names where it stands."""
    folder = _codex(tmp_path / "codex")
    first = _generated(folder, tmp_path / "a.jsonl", 0)
    assert first == _generated(folder, tmp_path / "b.jsonl", 0)
    assert first != _generated(folder, tmp_path / "c.jsonl", 1)
    drafts = list(read_drafts(tmp_path / "a.jsonl"))
    assert 12 == len(drafts)
    for draft in drafts:
        assert 1 <= sum(fact.wrong for fact in draft.facts) <= 4
        assert 4 <= draft.text.count(".") <= 10
        for fact in draft.facts:
            assert fact.wrong == (fact.written_id not in {right.id for right in fact.right})
            assert draft.text[fact.object_span.start : fact.object_span.end] == fact.written
            assert fact.span.start <= fact.object_span.start < fact.object_span.end <= fact.span.end
