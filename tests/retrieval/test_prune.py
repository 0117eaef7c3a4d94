"""What is left around a question's entities, from arrays and straight from a store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from counted_store import Counted
from hypothesis import given, settings
from small_graphs import graph_of, questions

from claimgraph.kgstore import records
from claimgraph.kgstore.arrays.export import export_arrays
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.model import Entity, Fact, Predicate, Subgraph
from claimgraph.kgstore.store import GraphStore
from claimgraph.retrieval.graph_source import ArrayWorld, StoreWorld
from claimgraph.retrieval.subgraph.ppr import Arrays, push
from claimgraph.retrieval.subgraph.prune import LOCAL, OKGQA, facts_within, prune
from claimgraph.retrieval.subgraph.question_subgraph import surroundings

some = settings(max_examples=25, deadline=None)
FINE = replace(LOCAL, tolerance=1e-9, keep=0.0)


def put(store: GraphStore, graph: GraphArrays) -> None:
    """Store the arrays as a graph called `test`."""
    nodes = {key: Entity(key, name, graphs=("test",)) for key, name in zip(graph.nodes, graph.names, strict=True)}
    facts = tuple(
        Fact(graph.facts[i], "test", graph.nodes[graph.subject[i]], "x:p", "near", graph.nodes[graph.object[i]])
        for i in range(len(graph.facts))
    )
    near = records.predicate_row(Predicate("x:p", "near"), graph="test")
    store.write(*records.subgraph_steps("test", "world", Subgraph(nodes, facts), "1"), ("put_predicates", [near]))


def lattice(size: int) -> GraphArrays:
    """A ring of nodes, each joined to the next two; twice to the first of these. Node 0 has a loop."""
    pairs = [(i, (i + step) % size) for i in range(size) for step in (1, 1, 2)]
    return graph_of([*pairs, (0, 0)], size)


@some
@given(questions())
def test_facts_within_two_hops_lie_on_paths_of_two(question: tuple[GraphArrays, list[int]]) -> None:
    """A fact is within two hops where the nearer of its ends is a seed or beside one."""
    graph, seeds = question
    walked = nx.MultiGraph()
    walked.add_nodes_from(range(len(graph.nodes)))
    walked.add_edges_from(zip(graph.subject.tolist(), graph.object.tolist(), strict=True))
    far = nx.multi_source_dijkstra_path_length(walked, set(seeds))
    ends = zip(graph.subject.tolist(), graph.object.tolist(), strict=True)
    expected = [i for i, pair in enumerate(ends) if min(far.get(end, 9) for end in pair) <= 1]
    assert expected == facts_within(graph, np.array(seeds, np.int32), 2).tolist()


@pytest.mark.parametrize("preset", [LOCAL, OKGQA])
def test_pruning_keeps_what_is_near_and_counts_tokens(preset: Any) -> None:
    """Scores are those of the kept nodes, seeds lead back to the ids asked for, unknown ids are passed over."""
    graph = lattice(50)
    found = prune(graph, [graph.nodes[7], "x:nowhere"], replace(preset, most=5))
    assert [graph.nodes[7]] == [found.graph.nodes[i] for i in found.seeds]
    assert (5, 5) == (len(found.graph.nodes), len(found.scores))
    assert found.seeds[0] == found.scores.argmax()
    assert facts_within(graph, np.array([7], np.int32), 2).tolist() == found.within.tolist()
    assert found.tokens_after == 5 * len(found.graph.facts) < (found.tokens_before or 0)


@pytest.mark.parametrize("preset", [LOCAL, OKGQA])
def test_pruning_without_a_known_seed_is_empty(preset: Any) -> None:
    """Nothing linked, nothing kept."""
    found = prune(lattice(5), ["x:nowhere"], preset)
    assert (0, 0, 0, 0) == (len(found.graph.facts), len(found.scores), len(found.seeds), found.tokens_after)


def test_equal_scores_are_kept_by_id() -> None:
    """Of leaves around a seed the first by id stay."""
    graph = graph_of([(0, leaf) for leaf in (4, 3, 2, 1)], 5)
    assert list(graph.nodes[:3]) == list(prune(graph, [graph.nodes[0]], replace(LOCAL, most=3)).graph.nodes)


def test_a_store_is_pruned_as_its_arrays_are(store: GraphStore) -> None:
    """Both worlds keep the same facts with the same scores where no hub is cut short; loops and parallels survive."""
    put(store, lattice(12))
    arrays, seeds = export_arrays(store, ["test"], None), ["x:000000", "x:000005", "x:nowhere"]
    expected = ArrayWorld(store, arrays, FINE).pruned(seeds)
    found = StoreWorld(store, ["test"], FINE).pruned(seeds)
    assert 37 == len(expected.graph.facts)
    assert expected.graph.facts == found.graph.facts
    assert (expected.graph.nodes, expected.graph.names) == (found.graph.nodes, found.graph.names)
    assert expected.graph.subject.tolist() == found.graph.subject.tolist()
    assert expected.graph.relations == found.graph.relations
    assert expected.seeds.tolist() == found.seeds.tolist()
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-12)
    assert (None, expected.tokens_after) == (found.tokens_before, found.tokens_after)


def _one_query_a_round(store: GraphStore) -> None:
    graph = lattice(60)
    put(store, graph)
    preset = replace(LOCAL, tolerance=1e-3)
    ranks = push(Arrays(graph.adjacency), np.array([7], np.int32), epsilon=preset.tolerance)
    counted = Counted(store)
    StoreWorld(counted, ["test"], preset).pruned([graph.nodes[7]])
    assert 1 < counted.asked.count("neighbours") <= ranks.rounds
    assert {"graphs_by_name", "neighbours", "export_entities"} >= set(counted.asked)


def test_a_round_is_one_query(embedded: EmbeddedStore) -> None:
    """A push over a store asks for neighbours no oftener than it has rounds."""
    _one_query_a_round(embedded)


def test_a_round_is_one_query_over_bolt(neo4j_store: BoltStore) -> None:
    """The same on Neo4j."""
    _one_query_a_round(neo4j_store)


def test_a_hub_is_cut_short_and_never_overrated(embedded: EmbeddedStore) -> None:
    """Of a hub some facts are read, its neighbours' shares are those of the whole hub, and no score is too high."""
    graph = graph_of([(0, 1), *((1, leaf) for leaf in range(2, 100))], 100)
    put(embedded, graph)
    exact = prune(graph, [graph.nodes[0]], replace(FINE, most=None))
    found = StoreWorld(embedded, ["test"], FINE, hub=10).pruned([graph.nodes[0]])
    assert 10 >= len(found.graph.facts) - 1
    for node, score in zip(found.graph.nodes, found.scores, strict=True):
        assert 0 < score <= exact.scores[exact.graph.node(node)] + 1e-12


def test_all_facts_of_named_entities_stay(store: GraphStore) -> None:
    """From a store as from arrays: what pruning keeps, and every fact of an entity the question names."""
    graph = graph_of([(0, leaf) for leaf in range(2, 60)] + [(0, 1), (1, 60), (60, 61)], 62)
    put(store, graph)
    few, named = replace(LOCAL, most=3), [graph.nodes[0], graph.nodes[60], "x:nowhere"]
    expected = surroundings(graph, prune(graph, named[:1], few), named).pruned
    found = StoreWorld(store, ["test"], few).surroundings(named, 1).pruned
    assert 61 == len(found.graph.facts)
    assert list(expected.graph.facts) == list(found.graph.facts)
    assert expected.seeds.tolist() == found.seeds.tolist()
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-12)


def test_final_facts_are_read_as_nouns(store: GraphStore) -> None:
    """Facts asked for by id come with their nodes; unknown ids are left out."""
    graph = lattice(5)
    put(store, graph)
    found = StoreWorld(store, ["test"], LOCAL).subgraph([graph.facts[3], graph.facts[0], "f1:nowhere"])
    assert [graph.facts[0], graph.facts[3]] == [fact.id for fact in found.facts]
    assert [graph.text(0), graph.text(3)] == [found.triple(fact).text for fact in found.facts]


def test_cost_stays_flat_when_the_graph_grows() -> None:
    """Facts walked around the same seeds grow less than twice when the graph grows ten times."""
    walked = [
        push(Arrays(lattice(size).adjacency), np.array([7], np.int32), epsilon=1e-5).edges for size in (2_000, 20_000)
    ]
    assert walked[1] <= 2 * walked[0]
