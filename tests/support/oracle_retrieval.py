"""Prizes and retrievals as slowly and plainly as they can be written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import networkx as nx
import numpy as np

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.subgraph.prizes import Prizes


def graph(nodes: int, edges: Sequence[tuple[int, int]]) -> GraphArrays:
    """Facts i from `edges[i][0]` to `edges[i][1]`, named so that numbers are the order of ids."""
    subject, object = (np.array([edge[side] for edge in edges], dtype=np.int32) for side in (0, 1))
    names = [f"node {number}" for number in range(nodes)]
    ids, facts = [f"n:{number:04}" for number in range(nodes)], [f"f:{number:04}" for number in range(len(edges))]
    return GraphArrays("v", ids, names, facts, subject, np.zeros(len(edges), np.int32), object, ["p"], ["joins"])


def published_prizes(similarity: Sequence[float], k: int) -> list[int]:
    """OKGQA's code: max(0, k - rank) with ranks from 0."""
    ranked = sorted(range(len(similarity)), key=lambda i: (-similarity[i], i))
    return [max(0, k - ranked.index(i)) for i in range(len(similarity))]


def score(prizes: Prizes, nodes: Iterable[int], facts: Iterable[int]) -> float:
    """S(P), one element at a time."""
    return sum(prizes.nodes[i] for i in nodes) + sum(prizes.facts[i] - prizes.cost for i in facts)


def best_subgraph(graph: GraphArrays, prizes: Prizes) -> float:
    """The highest S of all connected subgraphs, by trying every set of facts and every single node."""
    best = max(prizes.nodes, default=0.0)
    for size in range(1, len(graph.facts) + 1):
        for facts in combinations(range(len(graph.facts)), size):
            found = nx.Graph((int(graph.subject[i]), int(graph.object[i])) for i in facts)
            if nx.is_connected(found):
                best = max(best, score(prizes, found.nodes, facts))
    return float(best)


def greedy_path(graph: GraphArrays, prizes: Prizes, start: int, most_nodes: int) -> tuple[tuple[int, ...], ...]:
    """Nodes and facts of the greedy path from its smaller end, looking at every fact of the graph at every step."""
    nodes, facts = [start], list[int]()
    while len(nodes) < most_nodes:
        steps = []
        for fact, pair in enumerate(zip(graph.subject.tolist(), graph.object.tolist(), strict=True)):
            for end, other in (pair, pair[::-1]):
                if end in (nodes[0], nodes[-1]) and other not in nodes:
                    gain = prizes.facts[fact] + prizes.nodes[other] - prizes.cost
                    steps.append((-gain, fact, other, end == nodes[0] and len(nodes) > 1))
        if not steps or min(steps)[0] >= 0:
            break
        _, fact, other, front = min(steps)
        nodes.insert(0 if front else len(nodes), other)
        facts.insert(0 if front else len(facts), fact)
    return (tuple(nodes), tuple(facts)) if nodes[0] <= nodes[-1] else (tuple(nodes[::-1]), tuple(facts[::-1]))
