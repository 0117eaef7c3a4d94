"""Questions answered from a stored graph, with and without a language model."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import serving
from films import settings
from typer.testing import CliRunner

import claimgraph
from claimgraph.answering.answer_words import NO_ENTITY, NO_GRAPH, STATEMENT
from claimgraph.cli.app import app
from claimgraph.detect.prompting.prompts import load
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.upkeep.dump import dump, restore
from claimgraph.reports.answer_report import as_json
from claimgraph.settings import Settings
from claimgraph.wiring import open_store
from claimgraph.wiring.asker import Asker


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings(tmp_path_factory.mktemp("films"))


@pytest.fixture(scope="module")
def asker(films: Settings) -> Iterator[Asker]:
    with Asker(films) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "name", "fact"),
    [
        ("who directed the silent river?", "Anna Berg", ("The Silent River", "director", "Anna Berg")),
        ("who wrote the silent river", "Tom Hale", ("The Silent River", "screenwriter", "Tom Hale")),
        ("When was The Silent River published?", "1987-05-01", ("The Silent River", "publication date", "1987-05-01")),
        ("where was lena moe born", "Oslo", ("Lena Moe", "place of birth", "Oslo")),
        ("who created lone island", "Mira Voss", ("Lone Island", "creator", "Mira Voss")),
    ],
)
def test_simple_questions_are_answered(asker: Asker, question: str, name: str, fact: tuple[str, ...]) -> None:
    """The first answer is right, and the first piece of evidence is the fact that says so."""
    report = asker.ask(question)
    assert name == report.answers[0].name
    triple = report.evidence[0].triple
    assert triple
    assert fact == (triple.subject, triple.predicate, triple.object)
    assert name in report.answer


@pytest.mark.usefixtures("neo4j_store")
def test_neo4j_answers_alike(tmp_path: Path, asker: Asker) -> None:
    """From a Neo4j, asked as the walk goes on, come the same answers and facts as from the embedded store's arrays."""
    names = ("uri", "username", "password")
    shared = settings(tmp_path, **{f"neo4j_{name}": os.environ[f"NEO4J_{name.upper()}"] for name in names})
    with Asker(shared) as other:
        for question in ("who directed the silent river?", "where was lena moe born"):
            here, there = asker.ask(question), other.ask(question)
            assert here.answer == there.answer
            assert here.evidence[0].triple == there.evidence[0].triple
            assert [one.id for one in here.answers[:1]] == [one.id for one in there.answers[:1]]


def test_all_answers_of_a_relation_are_given(asker: Asker) -> None:
    """Everybody born in a place is an answer who has a name: an id is none to a person."""
    report = asker.ask("who was born in oslo?")
    assert {"wd:Q2", "wd:Q6"} == {one.id for one in report.answers[:2]}
    assert report.answer.startswith(("Anna Berg, Lena Moe (", "Lena Moe, Anna Berg ("))
    many = asker.ask("how many people were born in oslo?")
    assert (3, True) == (many.count, many.answer.startswith("3: ") and " and 1 more " in many.answer)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Where was the director of The Silent River born?", "Oslo"),
        ("In which country is the place of birth of Lena Moe?", "Norway"),
        ("Where was the woman who directed The Silent River born?", "Oslo"),
        ("Where was The Silent River's director born?", "Oslo"),
    ],
)
def test_questions_of_two_steps(asker: Asker, question: str, name: str) -> None:
    """A question within a question is answered first, and the answer rests on both facts."""
    report = asker.ask(question)
    assert (name, True) == (report.answers[0].name if report.answers else report.answer, report.answered)
    assert 2 == len(report.answers[0].facts)
    assert report.answer.count(";") == 1


def test_a_step_that_the_graph_lacks_is_said(asker: Asker) -> None:
    """Without the first or the second fact there is no answer, and the answer of one step is none."""
    lacking = asker.ask("Where was the composer of The Silent River born?")
    assert (False, "steps") == (lacking.answered, lacking.lacks)
    lacking = asker.ask("Who is the spouse of the director of The Silent River?")
    assert not lacking.answered
    assert "of Anna Berg the graph has no" in lacking.answer


def test_the_greatest_of_several_is_not_answered(asker: Asker) -> None:
    """No relation says which is the oldest."""
    assert "steps" == asker.ask("Who is the oldest person born in Oslo?").lacks


def test_whether_something_is_so_is_a_check(asker: Asker) -> None:
    """A name answers no question for yes or no."""
    found = asker.ask("Was Lena Moe born in Oslo?")
    assert ("statement", STATEMENT) == (found.lacks, found.answer)


def test_what_is_hardly_named_is_not_answered(asker: Asker) -> None:
    """A name that shares a word with the question's is not what it asks about."""
    assert "entity" == asker.ask("Where was Anna Catharina Wilhelmina Petersen born?").lacks


def test_all_things_that_a_question_names_count(asker: Asker) -> None:
    """Of the answers about one thing those remain that a fact joins to the other one."""
    found = asker.ask("Which film by Anna Berg did Tom Hale write?")
    assert (True, ["The Silent River"]) == (found.answered, [one.name for one in found.answers])


@pytest.mark.parametrize("mode", ["triplet", "path", "subgraph"])
def test_modes_of_retrieval_find_the_fact(asker: Asker, mode: str) -> None:
    """Whatever the shape, the fact that answers is in it."""
    assert "Tom Hale" == asker.ask("who wrote the silent river", mode=mode).answers[0].name


def test_texts_are_quoted(asker: Asker) -> None:
    """Without a graph's facts the nearest passage is the answer, and is its evidence."""
    report = asker.ask("who is anna berg?", mode="text")
    assert report.evidence
    assert report.answer == report.evidence[0].text
    assert None is report.evidence[0].triple


def test_what_cannot_be_answered_is_said(asker: Asker) -> None:
    """No graph, nothing of that name, an empty question, an unknown mode, prompt or graph: each its own line."""
    assert NO_GRAPH == asker.ask("who directed the silent river?", mode="none").answer
    assert NO_ENTITY == asker.ask("xyzzy?").answer
    for question, mode, prompt in (("", "path", "zero"), ("x", "walk", "zero"), ("x", "path", "two")):
        with pytest.raises(InputError):
            asker.ask(question, mode=mode, prompt=prompt)


def test_chance_is_seeded(asker: Asker) -> None:
    """Random facts are the same facts for the same question."""
    first, second = (asker.ask("who directed the silent river?", mode="random") for _ in range(2))
    assert first.evidence == second.evidence


def test_the_answer_is_stored_once_with_its_evidence(asker: Asker, tmp_path: Path) -> None:
    """Asking again changes nothing; the answer is grounded in its evidence in order, and backups carry it."""
    report = asker.ask("who directed the silent river?")
    asker.ask("who directed the silent river?")
    text = (
        "MATCH (a:Answer {id: $id})-[g:GROUNDED_IN]->(e:Evidence)"
        " RETURN a.text AS text, e.id AS evidence ORDER BY g.position"
    )
    rows = asker.store.query(text, {"id": report.id}).rows
    assert [(report.answer, piece.id) for piece in report.evidence] == list(rows)
    dump(asker.store, tmp_path / "a.jsonl.gz")
    with open_store(Settings(store=tmp_path / "other")) as other:
        restore(other, tmp_path / "a.jsonl.gz")
        assert list(rows) == list(other.query(text, {"id": report.id}).rows)


def test_json_has_the_documented_keys_first(asker: Asker) -> None:
    """The keys of the object, and of its answers and evidence, begin as documented."""
    found = as_json(asker.ask("who directed the silent river?"))
    assert ["question", "mode", "answer", "answers", "evidence", "seconds"] == list(found)[:6]
    assert ["id", "name", "score"] == list(found["answers"][0])
    assert ["subject", "predicate", "object", "source"] == list(found["evidence"][0])[:4]


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A store that no other test holds open."""
    return settings(tmp_path_factory.mktemp("other"))


def _writing(made: Settings, url: str) -> Settings:
    return replace(made, llm_base_url=url, llm_model="test")


def test_a_written_answer_is_checked_sentence_by_sentence(other: Settings) -> None:
    """A sentence that the facts refute is left out, and a note says so; citations that exist are kept by number."""
    said = "Lena Moe was born in Oslo [1, 99]. Lena Moe was not born in Oslo [2]."
    with serving(lambda _: said) as server:
        report = claimgraph.ask("where was lena moe born?", settings=_writing(other, server.url))
    assert "[1] Lena Moe place of birth Oslo" in server.prompts[0]
    assert (0.7, 1.0) == (server.asked[0]["temperature"], server.asked[0]["top_p"])
    assert "zero" == report.prompt
    with open_store(other) as store:
        stored = [row for row in store.read("dump_answers", after="", limit=99) if row["id"] == report.id]
    config = json.loads(stored[0]["prompt"])
    assert ("test", load("answer_zero").config) == (config["model"], config["prompts"]["answer_zero"])
    assert [((0,), True), ((1,), False)] == [(one.cites, one.shown) for one in report.sentences]
    assert "REFUTED" == report.sentences[1].outcome
    assert report.sentences[1].reason
    assert "Lena Moe was born in Oslo [1]." == report.answer
    assert "1 of 2 sentences" in report.notes[0]


def test_self_consistency_takes_the_answer_that_agrees(other: Settings) -> None:
    """Of five samples the one most like the others, without its reasoning."""
    answers = iter(["x", "Anna Berg directed it.", "Anna Berg was its director.", "bananas", "Anna Berg directed it."])
    with (
        serving(lambda _: f"Let me think.\nAnswer: {next(answers)}") as server,
        Asker(_writing(other, server.url)) as asker,
    ):
        report = asker.ask("who directed the silent river?", prompt="cot-sc")
    assert 5 == len(server.asked)
    assert report.answer.startswith("Anna Berg")


def test_chain_of_thought_alone_takes_its_one_answer(other: Settings) -> None:
    """One sample, without its reasoning."""
    with (
        serving(lambda _: "Let me think.\nAnswer: Anna Berg was its maker.") as server,
        Asker(_writing(other, server.url)) as asker,
    ):
        report = asker.ask("who made the silent river?", prompt="cot")
    assert 1 == len(server.asked)
    assert report.answer.startswith("Anna Berg")


def test_texts_are_looked_for_with_each_thought(other: Settings) -> None:
    """IRCoT: the model's thoughts find passages until it answers; then the answer is written from them."""
    thoughts = iter(["The river was filmed in Oslo.", "So the answer is Oslo.", "Oslo it was [1]."])
    with serving(lambda _: next(thoughts)) as server, Asker(_writing(other, server.url)) as asker:
        report = asker.ask("where is the silent river?", mode="text", prompt="4-shot")
    assert ["(nothing yet)" in server.prompts[0], "filmed in Oslo" in server.prompts[1]] == [True, True]
    assert 3 == len(server.asked)
    assert "Oslo it was [1]." == report.answer


def test_the_command_prints_the_object(other: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """`claimgraph ask --json` prints the object, without it the answer; an unknown graph is refused."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(other.store))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(other.cache))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    done = CliRunner().invoke(app, ["ask", "who directed the silent river?", "--graph", "films", "--json"])
    assert "Anna Berg" == json.loads(done.stdout)["answers"][0]["name"]
    plain, full = (
        CliRunner().invoke(app, ["ask", "who directed the silent river?", *more]).stdout for more in ((), ("-v",))
    )
    assert plain.startswith("Anna Berg (")
    assert (1, True) == (plain.count("│ 1 "), "│ 2 " not in plain)
    assert "│ 2 " in full
    failed = CliRunner().invoke(app, ["ask", "who?", "--graph", "nothing"])
    assert isinstance(failed.exception, NotFound)
