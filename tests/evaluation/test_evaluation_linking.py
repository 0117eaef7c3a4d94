"""Linking measured on labelled texts: what is counted, and what `claimgraph eval linking` prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.evaluation.linking import cases, evaluate
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.store import GraphStore

LABELS = [
    {"qid": "Q937", "label": "Albert Einstein", "description": "physicist"},
    {"qid": "Q3012", "label": "Ulm", "description": "city in Germany"},
    {"qid": "Q64", "label": "Berlin", "description": "capital of Germany"},
]
FACTS = "head\trelation\ttail\nQ937\tP19\tQ3012\nQ937\tP551\tQ64\nQ937\tP26\tQ76346\n"
SENTENCES = [
    {
        "id": "a",
        "text": "Albert Einstein was born in Ulm .",
        "triples": [["Albert Einstein", "place of birth", "Ulm"]],
        "head_qid": "Q937",
        "tail_qid": "Q3012",
    },
    {
        "id": "e",
        "text": "In Berlin lived Mileva Marić .",
        "triples": [["Mileva Marić", "residence", "Berlin"]],
        "head_qid": "Q76346",
        "tail_qid": "Q64",
    },
]
QUESTIONS = [
    {"id": "c", "question": "where was albert einstein born", "triple_qids": ["Q937", "P19", "Q3012"]},
    {"id": "d", "question": "who wrote hamlet", "triple_qids": ["Q41567", "P50", "Q692"]},
]


def _lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def _fill(store: GraphStore, folder: Path) -> None:
    (folder / "facts.tsv").write_text(FACTS, encoding="utf-8")
    ingest(store, folder / "facts.tsv", "world", entities=_lines(folder / "labels.jsonl", LABELS))


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


def test_sentences(embedded, embedder, tmp_path):
    """Mentions whose entity is there count for recall, those of others (or without a name of their own) for NIL."""
    _fill(embedded, tmp_path)
    [found] = evaluate(_lines(tmp_path / "few.jsonl", SENTENCES), embedded, ["world"], embedder)
    assert ("few", 4, 3, 1.0, 1.0) == (found.dataset, found.n, found.covered, found.recall_at_1, found.recall_at_5)
    assert (1, 1.0) == (found.nil, found.nil_right)
    assert 1.0 == found.precision


def test_questions(embedded, embedder, tmp_path):
    """Of a question the entity it asks about counts."""
    _fill(embedded, tmp_path)
    [name, full] = evaluate(_lines(tmp_path / "q.jsonl", QUESTIONS), embedded, ["world"], embedder, ["name", "types"])
    assert (2, 1, 1.0, 1, 1.0) == (full.n, full.covered, full.recall_at_1, full.nil, full.nil_right)
    assert ("name", "types") == (name.preset, full.preset)


def test_cases(tmp_path):
    """The subject of a sentence is what it names first; what stands between is the relation."""
    [_, case] = cases(_lines(tmp_path / "few.jsonl", SENTENCES))
    assert [("Berlin", "subject"), ("Mileva Marić", "object")] == [(m.text, m.role) for m in case.mentions]
    assert ("wd:Q64", "wd:Q76346") == case.gold
    assert {"lived"} == {m.predicate for m in case.mentions}


@pytest.mark.parametrize(
    "row", ["{}", '{"id": "a", "question": "who?"}', '{"id": "a", "text": "x", "triples": []}', "?"]
)
def test_other_files(tmp_path, row):
    """A file of another kind is refused with the line and what a row needs."""
    path = tmp_path / "other.jsonl"
    path.write_text(row, encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        list(cases(path))
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is empty"):
        list(cases(path))


def test_unknown_graph(embedded, embedder, tmp_path):
    """A graph that the store does not hold is an error, not a coverage of nothing."""
    with pytest.raises(NotFound):
        evaluate(_lines(tmp_path / "q.jsonl", QUESTIONS), embedded, ["other"], embedder)


def test_command(embedded, tmp_path, monkeypatch):
    """The command prints one object, with --ablation a list of one a preset; --held-out leaves rows out."""
    _fill(embedded, tmp_path)
    embedded.close()
    folder = next(path.parent for path in tmp_path.rglob("graph.kgl"))
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(folder))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    path = str(_lines(tmp_path / "few.jsonl", SENTENCES))
    one = CliRunner().invoke(app, ["eval", "linking", path, "--graph", "world", "--json"])
    assert (0, 1.0) == (one.exit_code, json.loads(one.output)["recall_at_1"])
    some = CliRunner().invoke(app, ["eval", "linking", path, "--graph", "world", "--ablation", "--held-out", "--json"])
    reports = json.loads(some.output)
    assert ["name", "context", "types"] == [report["preset"] for report in reports]
    assert 2 * sum(case.held_out for case in cases(Path(path))) == reports[0]["n"]
