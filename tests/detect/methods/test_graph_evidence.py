"""Facts judged by the rest of a graph."""

from __future__ import annotations

import gzip
from pathlib import Path

import fact_world
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.methods.graph_evidence import foreign_facts
from claimgraph.detect.methods.graph_evidence.adjacency import Ints, Steps
from claimgraph.detect.methods.graph_evidence.associations import NAMES, Associations
from claimgraph.detect.methods.graph_evidence.connections import Connections
from claimgraph.detect.methods.graph_evidence.fact_evidence import UNKNOWN, evidence_for
from claimgraph.detect.methods.graph_evidence.judge import GraphEvidence
from claimgraph.detect.methods.graph_evidence.schema import Schema
from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.evaluation.statistics.metrics import measure
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Stance

CODEX = Path(__file__).parents[4] / "shared/data/kg/codex"

small_graphs = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=25)


def steps_of(facts: set[tuple[int, int, int]]) -> Steps:
    """Steps of a small graph: 6 nodes, 3 predicates."""
    return Steps.of(np.array(sorted(facts)), 6, 3)


def numbers(graph: GraphArrays, facts: list[fact_world.Fact]) -> Ints:
    """Facts by number."""
    return np.array(
        [(graph.node(f"w:{s}"), graph.predicates.index(f"w:{p}"), graph.node(f"w:{o}")) for s, p, o in facts]
    )


def other(end: str) -> str:
    """The next of the same kind: of four, as there are of all kinds that facts are corrupted to here."""
    return end.rstrip("0123456789") + str((int(end[-1]) + 1) % 4)


def table(name: str) -> list[list[str]]:
    """Rows of a file of CoDEx without its header."""
    with gzip.open(CODEX / name, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines][1:]


@pytest.fixture(scope="module")
def judged() -> tuple[GraphArrays, GraphEvidence]:
    """The small world with a judge that knows all of it."""
    graph = fact_world.arrays(fact_world.world())
    return graph, GraphEvidence(graph)


@given(small_graphs, st.integers(0, 5), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_steps_lead_forth_and_back(facts: set[tuple[int, int, int]], source: int, target: int) -> None:
    """Steps between two nodes are the facts from one to the other, and those back with their relation marked."""
    steps = steps_of(facts)
    _, step = steps.between(np.array([source]), np.array([target]))
    expected = {p for s, p, o in facts if (s, o) == (source, target)}
    expected |= {p + 3 for s, p, o in facts if (o, s) == (source, target)}
    assert sorted(expected) == sorted(steps.relation[step])


@given(small_graphs, st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 5)))
@settings(max_examples=100, deadline=None)
def test_paths_are_all_paths_but_the_fact(facts: set[tuple[int, int, int]], fact: tuple[int, int, int]) -> None:
    """Paths of one and two steps are those an obvious search finds, whichever end is searched from."""
    if fact[0] == fact[2]:
        return
    connections = Connections(steps_of(facts), 0)
    found = connections.paths(fact[1], np.array([fact[0]]), np.array([fact[2]]))
    assert fact_world.oracle_paths(facts, 3, fact) == set(zip(*(part.tolist() for part in found[1:]), strict=True))


@given(small_graphs, st.integers(0, 5), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_other_values_are_counted(facts: set[tuple[int, int, int]], node: int, target: int) -> None:
    """Other values of a relation are its objects but the one asked about."""
    expected = len({o for s, p, o in facts if (s, p) == (node, 1) and o != target})
    found = Schema(steps_of(facts)).others(np.array([1]), np.array([node]), np.array([target]))
    assert [expected] == found.tolist()


def test_a_rule_is_confident_as_often_as_it_holds() -> None:
    """A rule's confidence is the share of those with the feature that have the target, with two nodes of doubt."""
    graph = fact_world.arrays(fact_world.world())
    facts = np.column_stack([graph.subject, graph.predicate, graph.object])
    associations = Associations(Steps.of(facts, len(graph.nodes), len(graph.predicates)))
    [[person, speaks, language]] = numbers(graph, [("person0", "speaks", "language0")])
    citizens = {
        f[0] for f in facts if f[1] == graph.predicates.index("w:citizen_of") and f[2] == graph.node("w:country0")
    }
    rules = {
        key: (confidence, support) for key, confidence, support in associations.rules(speaks, citizens.pop(), language)
    }
    key = graph.predicates.index("w:citizen_of") * len(graph.nodes) + graph.node("w:country0")
    count = len(citizens) + 1
    assert (pytest.approx(count / (count + 2)), count) == rules[key]
    assert (1, len(NAMES)) == associations.of(speaks, np.array([person]), np.array([language])).shape


def test_true_facts_are_told_from_false_ones() -> None:
    """What follows from the rest of the graph is likelier than what does not, with the facts asked about left out."""
    facts = fact_world.world()
    graph = fact_world.arrays(facts)
    true = [f for f in facts if f[1] in ("speaks", "citizen_of")][::4]
    false = [(s, p, other(o)) for s, p, o in true]
    asked = numbers(graph, true + false)
    found = measure(
        [1] * len(true) + [0] * len(false), GraphEvidence(graph, asked).probabilities(asked), [0] * len(asked)
    )
    assert found["auc_roc"][0] > 0.95


def test_facts_asked_about_do_not_leak() -> None:
    """A graph that holds the facts asked about judges them as one that never did."""
    facts = fact_world.world()
    whole = fact_world.arrays(facts)
    asked = [f for f in facts if f[1] == "speaks"][::9]
    without = fact_world.arrays([f for f in facts if f not in asked])
    assert list(whole.nodes) == list(without.nodes)
    first, second = (GraphEvidence(g, numbers(g, asked)).probabilities(numbers(g, asked)) for g in (whole, without))
    assert first.tolist() == second.tolist()


def test_another_value_speaks_against_a_fact(judged: tuple[GraphArrays, GraphEvidence]) -> None:
    """A second birth place is less likely than where the first is not known, and the first one is cited."""
    graph, judge = judged
    known = next(f for f in fact_world.world() if f[1] == "birth_place")
    wrong = other(known[2])
    asked = numbers(graph, [(known[0], "birth_place", wrong)])
    alone = GraphEvidence(graph, numbers(graph, [known]))
    assert judge.features.room(asked)[0] < alone.features.room(asked)[0] - 1
    found = evidence_for(judge, f"w:{known[0]}", "w:birth_place", f"w:{wrong}")
    against = [reason for reason in found.reasons if reason.stance is Stance.REFUTES]
    assert f"{known[0]} birth place {known[2]}" == against[0].text == graph.text(against[0].facts[0])


def test_a_stated_fact_is_its_own_evidence(judged: tuple[GraphArrays, GraphEvidence]) -> None:
    """A fact of the graph comes first among its reasons, supports, and is judged likely."""
    graph, judge = judged
    fact = fact_world.world()[-1]
    found = evidence_for(judge, *(f"w:{part}" for part in fact))
    assert found.stated
    assert (found.score or 0) > 0.9
    assert (Stance.SUPPORTS, 1.0) == (found.reasons[0].stance, found.reasons[0].score)
    assert graph.text(found.reasons[0].facts[0]) == found.reasons[0].text


def test_a_rule_and_a_path_are_cited(judged: tuple[GraphArrays, GraphEvidence]) -> None:
    """Citizenship is supported by the way over the birth place, and by what compatriots speak."""
    graph, _ = judged
    person, _, city = next(f for f in fact_world.world() if f[1] == "birth_place")
    country = f"country{int(city[4:]) % fact_world.COUNTRIES}"
    judge = GraphEvidence(graph, numbers(graph, [(person, "citizen_of", country)]))
    texts = [reason.text for reason in evidence_for(judge, f"w:{person}", "w:citizen_of", f"w:{country}").reasons]
    assert f"{person} birth place {city}; {city} located in {country}" in texts
    assert any("others of whom this holds have citizen of" in text for text in texts)


def test_an_unlikely_type_is_told(judged: tuple[GraphArrays, GraphEvidence]) -> None:
    """An end unlike those the relation has is a reason against the fact."""
    found = evidence_for(judged[1], "w:person0", "w:citizen_of", "w:job1")
    assert any("job1 is unlike the objects of citizen of" == reason.text for reason in found.reasons)
    assert (found.score or 1) < 0.5


@pytest.mark.parametrize("fact", [("w:nobody", "w:speaks", "w:language0"), ("w:person0", "w:hates", "w:language0")])
def test_what_the_graph_does_not_know_is_unknown(
    judged: tuple[GraphArrays, GraphEvidence], fact: tuple[str, str, str]
) -> None:
    """A fact with an end or a predicate that is not in the graph has no score."""
    assert UNKNOWN == evidence_for(judged[1], *fact)


def test_a_relation_of_another_vocabulary_is_aligned_with_its_direction() -> None:
    """Names and the pairs asked about find the relation that says the same, walked back where it runs the other way."""
    facts = fact_world.world()
    graph = fact_world.arrays([(o, "native", s) if p == "birth_place" else (s, p, o) for s, p, o in facts])
    asked = [(s, "place of birth", o) for s, p, o in facts if p == "birth_place"][:40]
    asked += [(s, "language spoken", o) for s, p, o in facts if p == "speaks"][:40]
    wrong = [(s, p, other(o)) for s, p, o in asked]
    pairs = np.array([(graph.node(f"w:{s}"), graph.node(f"w:{o}")) for s, _, o in asked + wrong])
    words = [p for _, p, _ in asked + wrong]
    steps = Steps.of(np.column_stack([graph.subject, graph.predicate, graph.object]), len(graph.nodes), 6)
    aligned = foreign_facts.alignment(words, pairs, graph, steps, MiniLMEmbedder(threads=1))
    assert graph.predicates.index("w:native") + 6 == aligned["place of birth"].argmax()
    assert graph.predicates.index("w:speaks") == aligned["language spoken"].argmax()
    odds, stated = foreign_facts.log_odds(words, pairs, graph, MiniLMEmbedder(threads=1))
    assert measure([1] * 80 + [0] * 80, odds, [0] * 160)["auc_roc"][0] > 0.95
    assert all(stated[:80] > 0)


@pytest.mark.parametrize("facts", [[("a", "p", "b")], [("a", "p", "a")], [("a", "p", "b"), ("b", "p", "c")]])
def test_a_graph_too_small_to_learn_from_still_states(facts: list[fact_world.Fact]) -> None:
    """A graph of a few facts tells what it holds, and nothing of what it does not."""
    graph = fact_world.arrays(facts)
    asked = numbers(graph, facts)
    assert (GraphEvidence(graph).probabilities(asked) > 0.9).all()
    assert np.isnan(GraphEvidence(graph, asked).probabilities(asked)).all()
    assert evidence_for(GraphEvidence(graph), "w:a", "w:p", f"w:{facts[0][2]}").reasons[0].facts == (0,)


@pytest.mark.nightly
@pytest.mark.data(CODEX / "codex_s_classification.tsv.gz")
def test_hard_negatives_of_codex() -> None:
    """CoDEx-S's verified negatives are told from true facts with an AUC of at least 0.88."""
    graph = fact_world.arrays([(s, p, o) for s, p, o, _ in table("codex_s_triples.tsv.gz")])
    asked = table("codex_s_classification.tsv.gz")
    facts = numbers(graph, [(s, p, o) for s, p, o, *_ in asked])
    found = GraphEvidence(graph, facts).probabilities(facts)
    assert measure([int(row[-1]) for row in asked], found, found > 0.5)["auc_roc"][0] > 0.88
