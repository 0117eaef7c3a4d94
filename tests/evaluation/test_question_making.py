"""Open-ended questions made from a graph: templates over linked pairs, the same for a seed, scored where a model is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from chat_server import serving
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.evaluation.data.questions import read_questions
from claimgraph.evaluation.made.question_making import TYPES, MadeQuestion, make_questions
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.arrays.export import export_arrays
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Entity, Fact, Literal, Node, Subgraph
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.values import literals
from claimgraph.llm import OpenAIChat

PEOPLE = ("Ann", "Bob", "Cem", "Dora")
TOWNS = ("Riga", "Oslo")


def _fact(subject: Node, name: str, object: Node) -> Fact:
    key = identity.fact_id("w", subject.id, f"w:{name}", object.id)
    return Fact(key, "w", subject.id, f"w:{name}", name, object.id)


def _world() -> Subgraph:
    """Four people and a thing without a name of its own, born in two towns or in a year."""
    people = [Entity(f"w:{name}", name, description=f"painter {name}", graphs=("w",)) for name in PEOPLE]
    towns = [Entity(f"w:{name}", name, graphs=("w",)) for name in TOWNS]
    nameless = Entity("w:Q17", "Q17", graphs=("w",))
    parsed = literals.parse("1989")
    assert parsed is not None
    year: Literal = literals.to_literal(parsed)
    facts = [_fact(person, "birthplace", towns[at // 2]) for at, person in enumerate(people)]
    facts += [_fact(people[0], "birthdate", year), _fact(nameless, "birthplace", towns[0])]
    facts += [_fact(people[0], "spouse", people[2])]
    nodes: Sequence[Node] = [*people, *towns, nameless, year]
    return Subgraph({node.id: node for node in nodes}, tuple(facts))


@pytest.fixture
def world(embedded: EmbeddedStore) -> EmbeddedStore:
    embedded.write(*records.subgraph_steps("w", "world", _world(), "1"))
    return embedded


@pytest.fixture
def graph(world: EmbeddedStore) -> GraphArrays:
    return export_arrays(world, ["w"], None)


def _joined(question: MadeQuestion, graph: GraphArrays) -> bool:
    """Whether the question's facts lead from one entity to the other."""
    rows = [list(graph.facts).index(fact) for fact in question.facts]
    ends = [{graph.nodes[graph.subject[row]], graph.nodes[graph.object[row]]} for row in rows]
    wanted = set(question.entities.values())
    return ends[0] == wanted if len(ends) == 1 else ends[0] ^ ends[1] == wanted


@pytest.mark.parametrize("seed", range(5))
def test_questions_are_about_linked_pairs(world: GraphStore, graph: GraphArrays, seed: int) -> None:
    """Every question names two entities that its facts join, no two are alike, and no pair comes twice in a type."""
    made = make_questions(graph, world, TYPES, 20, seed)
    assert set(TYPES) == {question.type for question in made}
    assert len(made) == len({question.question for question in made}) == len({question.id for question in made})
    pairs = [(question.type, frozenset(question.entities.values())) for question in made]
    assert len(pairs) == len(set(pairs))
    for question in made:
        assert _joined(question, graph), question
        assert {"easy": 1, "medium": 2}[question.difficulty] == len(question.facts)
        assert set(question.placeholders.values()) <= {*PEOPLE, *TOWNS}
        assert "{" not in question.question
        assert "Q17" not in question.question
        assert "None" not in question.question


def test_the_compared_have_something_in_common(world: GraphStore, graph: GraphArrays) -> None:
    """Comparative questions are about two things with the same value of the same relation."""
    made = make_questions(graph, world, ["comparative"], 9, 3)
    assert {frozenset(("Ann", "Bob")), frozenset(("Cem", "Dora"))} == {
        frozenset(question.placeholders.values()) for question in made
    }


def test_the_same_seed_makes_the_same_questions(world: GraphStore, graph: GraphArrays) -> None:
    """Types, number and seed fix the questions; another seed makes others."""
    first, again, other = (make_questions(graph, world, TYPES, 8, seed) for seed in (7, 7, 8))
    assert first == again
    assert [q.question for q in first] != [q.question for q in other]


def test_without_a_language_model_scores_are_unknown(world: GraphStore, graph: GraphArrays) -> None:
    """s_auto, s_human, naturalness and answers are None."""
    [made] = make_questions(graph, world, ["critical"], 1, 0)
    assert (None,) * 4 == (made.s_auto, made.s_human, made.naturalness, made.answers)


def test_a_language_model_rewrites_and_scores(world: GraphStore, graph: GraphArrays) -> None:
    """A rewriting that keeps both names is taken, another is not; the score is the first digit of its line."""

    def answer(prompt: str) -> str:
        if "from 1 to 5" in prompt:
            return "Score: 4"
        return "Question: Why Ann, why Cem?" if "Ann spouse Cem" in prompt else "Question: Why?"

    plain = make_questions(graph, world, ["explanatory"], 9, 1)
    with serving(answer) as server:
        made = make_questions(graph, world, ["explanatory"], 9, 1, OpenAIChat(server.url, "scripted"))
    assert {4.0} == {question.s_auto for question in made}
    for before, after in zip(plain, made, strict=True):
        rewritten = {"Ann", "Cem"} == set(before.placeholders.values()) and len(before.facts) == 1
        assert ("Why Ann, why Cem?" if rewritten else before.question) == after.question


def test_what_cannot_be_made_is_said(world: GraphStore, graph: GraphArrays) -> None:
    """An unknown type, and a graph that joins no entities, are one clear line."""
    with pytest.raises(InputError, match="no type 'poetic'"):
        make_questions(graph, world, ["poetic"], 1, 0)
    with pytest.raises(InputError, match="nothing to ask"):
        make_questions(graph.part(graph.subject[:0]), world, TYPES, 1, 0)


def test_make_questions_writes_a_benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is one that questions are read from, with their types and entities."""
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    triples = tmp_path / "w.tsv"
    triples.write_text("".join(f"{person}\tbirthplace\tRiga town\n" for person in ("Ann A", "Bob B")), encoding="utf-8")
    assert 0 == CliRunner().invoke(app, ["ingest", str(triples), "--graph", "w"]).exit_code
    out = tmp_path / "made.jsonl"
    command = ["eval", "make-questions", "--graph", "w", "--types", "comparative", "--out", str(out), "--json"]
    done = CliRunner().invoke(app, command)
    assert 0 == done.exit_code, done.output
    [row] = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    counts = {"n": 1, "types": {"comparative": 1}, "difficulty": {"medium": 1}, "out": str(out)}
    assert counts | {"s_auto": {"n": 0, "mean": None}} == {
        key: value for key, value in json.loads(done.stdout).items() if key != "usage"
    }
    with serving(lambda _: "Score: 4") as server:
        settings = {"CLAIMGRAPH_LLM_BASE_URL": server.url, "CLAIMGRAPH_LLM_MODEL": "scripted"}
        scored = CliRunner().invoke(app, command, env=settings)
    assert {"n": 1, "mean": 4.0} == json.loads(scored.stdout)["s_auto"]
    [read] = read_questions(out)
    assert (row["question"], "comparative", tuple(row["entities"].values())) == (read.text, read.kind, read.entities)
