"""Personalised PageRank against networkx, its error bounds, pruning, and how much of a graph is touched."""

from __future__ import annotations

import numpy as np
import oracle_ppr
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import questions

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.subgraph.ppr import Arrays, directed_pagerank, personalised_pagerank, push

some = settings(max_examples=25, deadline=None)


def dense(graph: GraphArrays, seeds: list[int], **how: object) -> np.ndarray:
    """Scores of all nodes."""
    ranks = personalised_pagerank(graph.adjacency, np.array(seeds, np.int32), **how)
    scores = np.zeros(len(graph.nodes))
    scores[ranks.nodes] = ranks.scores
    return scores


@some
@given(questions())
def test_conjugate_gradients_are_within_their_tolerance(question: tuple[GraphArrays, list[int]]) -> None:
    """The sum of absolute differences from networkx is at most the tolerance asked for."""
    graph, seeds = question
    for tolerance in (1e-3, 1e-9):
        found = dense(graph, seeds, method="gradient", tolerance=tolerance)
        assert np.abs(found - oracle_ppr.pagerank(graph, seeds)).sum() <= tolerance + 1e-12


@some
@given(questions())
def test_the_published_walk_is_networkx_on_a_directed_graph(question: tuple[GraphArrays, list[int]]) -> None:
    """From subject to object only, one edge a pair, within the tolerance."""
    graph, seeds = question
    ranks = directed_pagerank(graph.subject, graph.object, len(graph.nodes), np.array(seeds, np.int32), tolerance=1e-9)
    scores = np.zeros(len(graph.nodes))
    scores[ranks.nodes] = ranks.scores
    assert np.abs(scores - oracle_ppr.directed(graph, seeds)).sum() <= 1e-9 + 1e-12


@some
@given(questions(), st.sampled_from([0.1, 1e-2, 1e-4, 1e-8]))
def test_local_push_keeps_its_bounds(question: tuple[GraphArrays, list[int]], epsilon: float) -> None:
    """Never too high, too low by at most epsilon times the degree, in no more than 1 / (epsilon (1 - alpha)) steps."""
    graph, seeds = question
    exact, found = oracle_ppr.pagerank(graph, seeds), dense(graph, seeds, method="push", tolerance=epsilon)
    degree = np.maximum(np.diff(graph.adjacency.start), 1)
    assert (found <= exact + 1e-12).all()
    assert (exact - found <= epsilon * degree + 1e-12).all()
    ranks = push(Arrays(graph.adjacency), np.array(seeds, np.int32), epsilon=epsilon)
    assert ranks.edges <= 1 / (epsilon * 0.15)
    assert np.abs(exact - found).sum() <= ranks.missing + 1e-12
