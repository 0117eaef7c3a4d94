"""What a local push costs as a graph grows: `python benchmarks/push.py STORE --graph G [--copies N] [--questions N]`.

The graph is grown around the same seeds: its nodes are copied, and each copied fact leads to a copy chosen at random,
so degrees stay and what is near the seeds is no island. Facts walked are counted, not timed. Where NEO4J_URI names a
Neo4j that holds the graph, pruning straight from it is timed too.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

import numpy as np

from claimgraph.kgstore.arrays.export import export_arrays
from claimgraph.kgstore.arrays.graph import Adjacency, GraphArrays, adjacency
from claimgraph.kgstore.engines.bolt import connect
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.retrieval.graph_source import StoreWorld
from claimgraph.retrieval.subgraph.ppr import Arrays, personalised_pagerank, push
from claimgraph.retrieval.subgraph.prune import LOCAL, OKGQA, prune


def main() -> None:
    """Print facts walked on the graph and on the grown one, and how long pruning takes."""
    given = _arguments()
    with open_embedded(given.store, read_only=True) as store:
        start = time.perf_counter()
        graph = export_arrays(store, [given.graph], given.cache)
        print(f"export of {len(graph.facts):,} facts: {time.perf_counter() - start:.2f} s")
    chosen = np.random.default_rng(0).choice(len(graph.nodes), given.questions, replace=False).astype(np.int32)
    grown = _grown(graph, given.copies)
    for epsilon in (1e-3, LOCAL.tolerance, 1e-5):
        before, after = (_walked(place, chosen, epsilon) for place in (graph.adjacency, grown))
        ratio = f"{after / before:.2f} times as many"
        print(
            f"epsilon {epsilon:.0e}: {before:,.0f} facts walked, {given.copies} times the graph: {after:,.0f}, {ratio}"
        )
    _times(graph, chosen)
    if os.environ.get("NEO4J_URI"):
        _bolt(given.graph, [graph.nodes[i] for i in chosen])


def _grown(graph: GraphArrays, copies: int) -> Adjacency:
    """The graph with `copies` of each node and fact; node i of the graph is node i here."""
    random, nodes = np.random.default_rng(1), len(graph.nodes)
    subject = np.concatenate([graph.subject + nodes * copy for copy in range(copies)])
    shift = random.permuted(np.tile(np.arange(copies), (len(graph.facts), 1)), axis=1).T.ravel()
    return adjacency(
        subject.astype(np.int32), (np.tile(graph.object, copies) + nodes * shift).astype(np.int32), nodes * copies
    )


def _walked(place: Adjacency, seeds: np.ndarray, epsilon: float) -> float:
    return statistics.mean(push(Arrays(place), seeds[i : i + 1], epsilon=epsilon).edges for i in range(len(seeds)))


def _times(graph: GraphArrays, seeds: np.ndarray) -> None:
    prune(graph, [graph.nodes[seeds[0]]])
    for preset in (LOCAL, OKGQA):
        figures = []
        for seed in seeds:
            start = time.perf_counter()
            found = prune(graph, [graph.nodes[seed]], preset)
            figures.append((1000 * (time.perf_counter() - start), found.tokens_before or 0, found.tokens_after))
        ms, before, after = (statistics.median(column) for column in zip(*figures, strict=True))
        print(f"{preset.name}: median {ms:.1f} ms, {before:,.0f} tokens within two hops, {after:,.0f} kept")
    start = time.perf_counter()
    personalised_pagerank(graph.adjacency, seeds[:1])
    print(f"conjugate gradients over the whole graph: {1000 * (time.perf_counter() - start):.1f} ms")


def _bolt(graph: str, seeds: list[str]) -> None:
    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ["NEO4J_PASSWORD"]
    with connect(os.environ["NEO4J_URI"], user, password) as store:
        world, times, facts = StoreWorld(store, [graph]), [], []
        for seed in [seeds[0], *seeds]:
            start = time.perf_counter()
            facts.append(len(world.pruned([seed]).graph.facts))
            times.append(1000 * (time.perf_counter() - start))
    median, most = statistics.median(times[1:]), max(times[1:])
    print(f"over Bolt: median {median:.0f} ms, most {most:.0f} ms, {statistics.median(facts[1:]):,.0f} facts kept")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What a local push costs as a graph grows.")
    parser.add_argument("store", type=Path)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("--questions", type=int, default=50)
    return parser.parse_args()


if __name__ == "__main__":
    main()
