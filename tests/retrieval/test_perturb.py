"""Graphs made wrong on purpose: how much, in which way, and how far they are then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import oracle_distances
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import graph_of

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError
from claimgraph.retrieval.perturbation.distances import distances, sc2d, sd2
from claimgraph.retrieval.perturbation.perturb import MODES, perturb

some = settings(max_examples=30, deadline=None)
AXES = np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32)
"""Vectors of three relations: the first and the third are farthest apart, and the second is nearer the first."""


class Letters:
    """An embedder by letters: equal texts are equal, texts that share none are at right angles."""

    model = "letters"

    def embed(self, texts: list[str]) -> np.ndarray:
        """One dimension a character code."""
        rows = np.array([np.bincount([ord(c) % 128 for c in text], minlength=128) for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@st.composite
def graphs(draw: st.DrawFn) -> GraphArrays:
    """Up to 40 facts of three relations between up to 9 nodes."""
    nodes = draw(st.integers(2, 9))
    node = st.integers(0, nodes - 1)
    facts = draw(st.lists(st.tuples(node, node, st.integers(0, 2)), max_size=40))
    graph = graph_of([fact[:2] for fact in facts], nodes)
    kinds = np.array([fact[2] for fact in facts], np.int32)
    return replace(graph, predicate=kinds, predicates=["x:p", "x:q", "x:r"], relations=["near", "next", "over"])


def ring(size: int) -> GraphArrays:
    """A ring, its relations in turn."""
    graph = graph_of([(i, (i + 1) % size) for i in range(size)], size)
    kinds = np.arange(size, dtype=np.int32) % 3
    return replace(graph, predicate=kinds, predicates=["x:p", "x:q", "x:r"], relations=["near", "next", "over"])


@some
@given(graphs(), st.sampled_from(MODES), st.floats(0, 1), st.integers(0, 9))
def test_what_is_changed_is_counted_and_repeatable(graph: GraphArrays, mode: str, ratio: float, seed: int) -> None:
    """At most the asked share changes, the rest and the original stay, and the same seed gives the same graph."""
    before = [column.tolist() for column in (graph.subject, graph.predicate, graph.object)]
    found, again = (perturb(graph, mode, ratio, seed, AXES) for _ in "ab")
    assert before == [column.tolist() for column in (graph.subject, graph.predicate, graph.object)]
    for key in ("subject", "predicate", "object"):
        assert getattr(found.graph, key).tolist() == getattr(again.graph, key).tolist()
        same = getattr(found.graph, key)[~found.changed]
        assert getattr(graph, key)[found.origin[~found.changed]].tolist() == same.tolist()
    touched = int(found.changed.sum()) + len(graph.facts) - len(found.graph.facts)
    assert touched <= int(ratio * len(graph.facts) + 1e-9)
    assert [graph.facts[i] for i in found.origin] == list(found.graph.facts)


@pytest.mark.parametrize("mode", MODES)
def test_the_ratio_is_kept_exactly_where_it_can_be(mode: str) -> None:
    """0 changes nothing, a third of 30 facts is 10, 1 leaves none as it was."""
    graph = ring(30)
    for ratio, count in ((0.0, 0), (1 / 3, 10), (1.0, 30)):
        found = perturb(graph, mode, ratio, 1, AXES)
        assert count == int(found.changed.sum()) + 30 - len(found.graph.facts)


def test_swapping_keeps_how_often_each_relation_is_used() -> None:
    """Ends stay, relations change places."""
    graph = ring(30)
    found = perturb(graph, "rs", 0.5, 1).graph
    assert np.bincount(graph.predicate).tolist() == np.bincount(found.predicate).tolist()
    assert graph.object.tolist() == found.object.tolist()


def test_replacement_takes_the_least_similar_relation() -> None:
    """Of three relations the first and the third become each other, the second the third; vectors are needed."""
    found = perturb(ring(9), "rr", 1.0, 1, AXES).graph
    assert [2, 2, 0] * 3 == found.predicate.tolist()
    with pytest.raises(InputError):
        perturb(ring(9), "rr", 1.0, 1)


@some
@given(graphs(), st.integers(0, 9))
def test_reconnection_leads_outside_the_neighbourhood(graph: GraphArrays, seed: int) -> None:
    """The new end had no fact with the subject; where all have one, the fact stays."""
    found = perturb(graph, "er", 1.0, seed)
    for i in range(len(graph.facts)):
        subject, end = int(graph.subject[i]), int(found.graph.object[i])
        row = slice(graph.adjacency.start[subject], graph.adjacency.start[subject + 1])
        near = {subject, *graph.adjacency.neighbour[row].tolist()}
        assert (end not in near) == (len(near) < len(graph.nodes))
        assert bool(found.changed[i]) == (len(near) < len(graph.nodes))


@some
@given(graphs(), graphs())
def test_structural_distances_are_those_of_the_definition(one: GraphArrays, other: GraphArrays) -> None:
    """SC2D and SD2 equal what networkx gives a relation at a time."""
    other = replace(
        other, nodes=one.nodes, subject=other.subject % len(one.nodes), object=other.object % len(one.nodes)
    )
    assert oracle_distances.similarity(one, other, oracle_distances.clustering) == pytest.approx(sc2d(one, other))
    assert oracle_distances.similarity(one, other, oracle_distances.degree) == pytest.approx(sd2(one, other))


def test_distances_fall_with_the_ratio() -> None:
    """1 for the unchanged graph, less for more changes; relations leave degrees, deletion leaves what remains true."""
    graph, letters = ring(30), Letters()
    for mode in MODES:
        none, some, most = (distances(graph, perturb(graph, mode, r, 1, AXES), letters) for r in (0.0, 0.3, 0.9))
        assert (1.0, 1.0, 1.0) == (none.ats, none.sc2d, none.sd2)
        assert most.sd2 <= some.sd2 <= 1
        assert (some.sd2 == 1) == (mode in ("rs", "rr"))
        assert 1.0 == most.ats if mode == "ed" else most.ats < some.ats < 1
    assert np.isnan(distances(graph, perturb(graph, "ed", 1.0, 1), letters).ats)
    assert np.isnan(distances(graph, perturb(graph, "ed", 0.5, 1), None).ats)


@pytest.mark.parametrize(("mode", "ratio"), [("xx", 0.5), ("rs", -0.1), ("rs", 1.5), ("rs", float("nan"))])
def test_what_cannot_be_asked_is_refused(mode: str, ratio: float) -> None:
    """Another mode and a ratio outside [0, 1] are errors."""
    with pytest.raises(InputError):
        perturb(ring(3), mode, ratio, 0)
