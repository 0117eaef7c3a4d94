"""Figures over questions with gold answers, and the files they come in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from films import settings
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.evaluation.asker import EvaluationAsker
from claimgraph.evaluation.data.questions import node_of, read_questions
from claimgraph.kgstore.arrays.export import assemble
from claimgraph.kgstore.engines.dry_run_store import DryRunStore
from claimgraph.kgstore.errors import InputError
from claimgraph.settings import Settings

ROWS: list[dict[str, Any]] = [
    {"id": "1", "question": "who directed the silent river", "triple_qids": ["Q1", "P57", "Q2"], "answers": ["Q2"]},
    {"id": "2", "question": "who was born in oslo", "triple_qids": ["Q5", "R19", "Q6"], "answers": ["Q6"]},
    {"id": "3", "question": "what is lone island", "triple_qids": ["Q10", "P1", "Q8"], "answers": ["Q8"]},
    {"id": "4", "question": "where was nobody born", "triple_qids": ["Q9", "P19", "Q5"], "answers": ["Q5"]},
    {"id": "5", "question": "who is not here", "triple_qids": ["Q77", "P19", "Q5"], "answers": ["Q5"]},
]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings(tmp_path_factory.mktemp("films"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return _file(tmp_path, ROWS)


def _file(folder: Path, rows: list[dict[str, Any]]) -> Path:
    made = folder / "questions.jsonl"
    made.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return made


def test_figures_count_what_can_be_answered(films: Settings, path: Path) -> None:
    """Scored are questions whose entity and answer are in the world, with or without a name.

    Of two born in Oslo beside the gold answer one may stand first: right by the fact, not by the file.
    """
    with EvaluationAsker(films, read_only=True) as asker:
        found = asker.evaluate(read_questions(path), "subgraph")
    assert ("films", "subgraph", 5, 4, 3) == (found.graph, found.mode, found.questions, found.n, found.named)
    assert 0.5 == found.answer_recall == found.evidence_recall == found.hits_at_1_by_fact
    assert found.hits_at_1 in (0.25, 0.5)
    assert found.mrr is not None
    assert found.hits_at_1 is not None
    assert found.hits_at_1 <= found.mrr <= 0.5


def test_the_published_preset_walks_one_way_and_counts_tokens(films: Settings, path: Path) -> None:
    """OKGQA's pruning follows facts from subject to object; tokens shrink at each step, and are told."""
    with EvaluationAsker(films, read_only=True, preset="okgqa") as asker:
        found = asker.evaluate(read_questions(path), "triplet")
        told = asker.ask("who directed the silent river?", mode="triplet", store=DryRunStore(asker.store))
    assert found.facts is not None
    assert 0 < found.facts <= 10
    assert found.tokens_before is not None
    assert found.tokens_after is not None
    assert found.tokens is not None
    assert found.tokens_before >= found.tokens_after >= found.tokens > 0
    assert told.notes[0].startswith("tokens: ")
    assert "Anna Berg" in told.answer


def test_an_unknown_preset_is_named(films: Settings) -> None:
    """The error lists what there is."""
    with pytest.raises(InputError, match="no preset 'mine' for questions; there are ours, okgqa"):
        EvaluationAsker(films, read_only=True, preset="mine")


def test_no_graph_answers_nothing(films: Settings, path: Path) -> None:
    """Mode none is the line to compare with; texts name entities but no facts."""
    with EvaluationAsker(films, read_only=True) as asker:
        none, text = (asker.evaluate(read_questions(path), mode) for mode in ("none", "text"))
    assert (0.0, 0.0, 0.0, 0.0) == (none.answer_recall, none.hits_at_1, none.mrr, none.evidence_recall)
    assert (0.0, 0.0) == (text.evidence_recall, text.facts)
    assert text.answer_recall


def test_nothing_to_score_is_said(films: Settings, tmp_path: Path) -> None:
    """A world that can answer nothing is an error, not a zero."""
    with EvaluationAsker(films, read_only=True) as asker, pytest.raises(InputError, match="none of 1 questions"):
        asker.evaluate(read_questions(_file(tmp_path, ROWS[4:])), "subgraph")


def test_the_command_prints_the_figures(films: Settings, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`claimgraph eval qa --json` prints them as one object; a sample is smaller."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(films.store))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(films.cache))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    done = CliRunner().invoke(app, ["eval", "qa", str(path), "--graph", "films", "--mode", "triplet", "--json"])
    found = json.loads(done.stdout)
    assert {"n", "answer_recall", "hits_at_1", "mrr", "evidence_recall", "median_ms", "mode", "graph"} <= set(found)
    assert 4 == found["n"]


def test_schemas_are_told_by_their_keys(tmp_path: Path) -> None:
    """SimpleQuestions has a triple, QALD a query with answers, OKGQA entities without answers; others are refused."""
    okgqa = {"question": "Why?", "type": "critical", "dbpedia_entities": {"a": "http://dbpedia.org/resource/X"}}
    sparql = "SELECT ?u WHERE { res:Skype dbo:developer ?u . <http://dbpedia.org/resource/A_(b)> ?p ?o }"
    qald = {"question": "Who?", "answers": ["http://dbpedia.org/resource/Microsoft"], "sparql": sparql}
    simple, opened, asked = read_questions(_file(tmp_path, [ROWS[1], okgqa, qald]))
    assert (("Q5",), ("Q6",), "R19") == (simple.entities, simple.answers, simple.relation)
    assert (("http://dbpedia.org/resource/X",), (), "critical") == (opened.entities, opened.answers, opened.kind)
    assert ("http://dbpedia.org/resource/Skype", "http://dbpedia.org/resource/A_(b)") == asked.entities
    assert 2 == len(read_questions(tmp_path / "questions.jsonl", limit=2))
    with pytest.raises(InputError, match="line 1: no text under 'question'"):
        read_questions(_file(tmp_path, [{"answers": []}]))


def test_keys_mean_nodes() -> None:
    """Wikidata ids, DBpedia's IRIs in a graph of either id, find their nodes; anything else none."""
    graph = assemble("1", [("f1", "db50:Skype", "p", "wd:Q1"), ("f2", "dbr:Microsoft", "p", "wd:Q1")], {}, {})
    resource = "http://dbpedia.org/resource/"
    found = [node_of(key, graph, ["db50"]) for key in ("Q1", resource + "Skype", resource + "Microsoft", "57100", "Q2")]
    assert ["wd:Q1", "db50:Skype", "dbr:Microsoft", None, None] == [
        None if node is None else graph.nodes[node] for node in found
    ]
