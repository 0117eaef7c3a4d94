"""Retrieve paths: chains of facts grown greedily from nodes with prizes (OKGQA, "Path Retrieval").

A path grows at both of its ends: the best node is often the middle of the chain that explains it. It stops where no
fact adds to S, since joining two prizes over nodes without one is the Steiner tree's task (pcst.py). A prize counts for
one path only: the published code counts it again, and its five paths are one path and its prefixes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.subgraph.prizes import Prizes


@dataclass(frozen=True, slots=True)
class Path:
    """A chain: fact i joins nodes i and i + 1, in either direction."""

    nodes: tuple[int, ...]
    facts: tuple[int, ...]

    def reversed(self) -> Path:
        """Return the same chain from its other end."""
        return Path(self.nodes[::-1], self.facts[::-1])


def paths(graph: GraphArrays, prizes: Prizes, count: int, most_nodes: int) -> list[Path]:
    """Return at most `count` paths with facts, each with the highest S by the prizes that no earlier one took.

    Candidates are grown from every node with a prize left: the fact at either end that adds most to S is taken, the
    smaller fact number among equals, as long as one adds to S. No node occurs twice in a path; it has at most
    `most_nodes`. Equal paths are ordered by the numbers of their nodes and facts.
    """
    left, found = Prizes(prizes.nodes.copy(), prizes.facts.copy(), prizes.cost), list[Path]()
    while len(found) < count:
        grown = [_grow(graph, left, int(start), most_nodes) for start in np.flatnonzero(left.nodes)]
        scored = [(-_score(left, path), path.nodes, path.facts, path) for path in grown if path.facts]
        if not scored:
            break
        best = min(scored)[-1]
        left.nodes[list(best.nodes)] = 0
        left.facts[list(best.facts)] = 0
        found.append(best)
    return found


def _grow(graph: GraphArrays, prizes: Prizes, start: int, most_nodes: int) -> Path:
    path = Path((start,), ())
    while len(path.nodes) < most_nodes:
        head, tail = _step(graph, prizes, path.reversed()), _step(graph, prizes, path)
        gain, fact, node = max(head, tail, key=lambda step: (step[0], -step[1]))
        if gain <= 0:
            break
        base = path.reversed() if (gain, fact, node) == head else path
        path = Path((*base.nodes, node), (*base.facts, fact))
    return path if path.nodes[0] <= path.nodes[-1] else path.reversed()


def _step(graph: GraphArrays, prizes: Prizes, path: Path) -> tuple[float, int, int]:
    """Return gain, fact and node of the best step from the path's last node to a new one; gain 0 where there is
    none.
    """
    near = graph.adjacency
    span = slice(near.start[path.nodes[-1]], near.start[path.nodes[-1] + 1])
    facts, nodes = near.fact[span], near.neighbour[span]
    gains = prizes.facts[facts] + prizes.nodes[nodes] - prizes.cost
    for node in path.nodes:
        gains[nodes == node] = 0
    if not len(gains) or gains.max() <= 0:
        return 0.0, 0, 0
    best = np.flatnonzero(gains == gains.max())
    chosen = best[np.argmin(facts[best])]
    return float(gains[chosen]), int(facts[chosen]), int(nodes[chosen])


def _score(prizes: Prizes, path: Path) -> float:
    return prizes.score(np.array(path.nodes), np.array(path.facts, dtype=np.int64))
