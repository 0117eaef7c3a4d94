"""Personalised PageRank and the local push on random graphs with hubs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.figures import Figure, processor
from claimgraph.kgstore.arrays.graph import Adjacency, Numbers, adjacency
from claimgraph.retrieval.subgraph.ppr import Arrays, personalised_pagerank, push

EPSILON = 1e-4
NODES_AN_EDGE = 0.05


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield the walk over all facts beside networkx, and the push beside itself on a tenth of the graph."""
    yield _power(310_116 if full else 60_000)
    yield _push(5_000_000 if full else 1_000_000)


def _power(edges: int) -> Figure:
    import networkx as nx

    subject, object, nodes = _ends(edges)
    near, seeds = adjacency(subject, object, nodes), np.array([7], np.int32)
    ours = processor(lambda: personalised_pagerank(near, seeds, tolerance=1e-6), 3)
    graph = nx.MultiGraph(zip(subject.tolist(), object.tolist(), strict=True))
    before = processor(lambda: nx.pagerank(graph, 0.85, {7: 1}, max_iter=200, tol=1e-6 / nodes))
    reached = before / ours >= 60
    return Figure("PPR to 1e-6", ours, "networkx", before, "60 times", reached, {"facts": edges, "nodes": nodes})


def _push(edges: int) -> Figure:
    (large, seeds), (small, few) = (_seeded(size) for size in (edges, edges // 10))
    ours, before = (
        processor(
            lambda near=near, at=at: [push(Arrays(near), np.array([s]), alpha=0.85, epsilon=EPSILON) for s in at], 3
        )
        / len(at)
        for near, at in ((large, seeds), (small, few))
    )
    walked = np.median([push(Arrays(large), np.array([s]), alpha=0.85, epsilon=EPSILON).edges for s in seeds])
    reached = ours < 0.002 and ours <= 2 * before
    counts = {"facts": edges, "facts walked": float(walked)}
    return Figure("local push, a seed", ours, "a tenth of the graph", before, "2 ms, within 2 times", reached, counts)


def _seeded(edges: int) -> tuple[Adjacency, Numbers]:
    subject, object, nodes = _ends(edges)
    return adjacency(subject, object, nodes), np.arange(100, 120, dtype=np.int32)


def _ends(edges: int) -> tuple[Numbers, Numbers, int]:
    """Return subjects, spread evenly, and objects, of which a few are hubs; the same for a size each time."""
    pick, nodes = np.random.default_rng(0), int(edges * NODES_AN_EDGE)
    object = (nodes * pick.random(edges) ** 2).astype(np.int32)
    return pick.integers(nodes, size=edges, dtype=np.int32), object, nodes
