"""Path retrieval: chains of facts grown greedily from nodes with prizes (OKGQA, "Path Retrieval").

A path grows at both of its ends: the best node is often the middle of the chain that explains it. It stops where no
fact adds to S, since what joins two prizes over nodes without one is the Steiner tree's work (pcst.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kgstore.arrays import GraphArrays
from retrieval.prizes import Prizes, top


@dataclass(frozen=True, slots=True)
class Path:
    """A chain: fact i joins nodes i and i + 1, in either direction."""

    nodes: tuple[int, ...]
    facts: tuple[int, ...]

    def reversed(self) -> Path:
        """The same chain from its other end."""
        return Path(self.nodes[::-1], self.facts[::-1])


def paths(graph: GraphArrays, prizes: Prizes, count: int, most_nodes: int) -> list[Path]:
    """At most `count` distinct paths with facts, by descending S, ties by their nodes' and facts' numbers.

    One path is grown from each node with a prize: whichever fact at either end adds most to S is taken, the smaller
    fact number among equals, while one adds at all. No node stands twice in a path; it has at most `most_nodes`.
    """
    starts = top(prizes.nodes, int(np.count_nonzero(prizes.nodes)))
    grown = {_from_smaller_end(_grow(graph, prizes, int(start), most_nodes)) for start in starts}
    scored = sorted((-_score(prizes, path), path.nodes, path.facts, path) for path in grown if path.facts)
    return [path for *_, path in scored[:count]]


def _grow(graph: GraphArrays, prizes: Prizes, start: int, most_nodes: int) -> Path:
    path = Path((start,), ())
    while len(path.nodes) < most_nodes:
        head, tail = _step(graph, prizes, path.reversed()), _step(graph, prizes, path)
        gain, fact, node = max(head, tail, key=lambda step: (step[0], -step[1]))
        if gain <= 0:
            break
        base = path.reversed() if (gain, fact, node) == head else path
        path = Path((*base.nodes, node), (*base.facts, fact))
    return path


def _step(graph: GraphArrays, prizes: Prizes, path: Path) -> tuple[float, int, int]:
    """Gain, fact and node of the best step from the path's last node to a new one; gain 0 where there is none."""
    near = graph.adjacency
    span = slice(near.start[path.nodes[-1]], near.start[path.nodes[-1] + 1])
    facts, nodes = near.fact[span], near.neighbour[span]
    new = ~np.isin(nodes, path.nodes)
    if not new.any():
        return 0.0, 0, 0
    facts, nodes = facts[new], nodes[new]
    gains = prizes.facts[facts] + prizes.nodes[nodes] - prizes.cost
    best = np.lexsort((facts, -gains))[0]
    return float(gains[best]), int(facts[best]), int(nodes[best])


def _from_smaller_end(path: Path) -> Path:
    return path if path.nodes[0] <= path.nodes[-1] else path.reversed()


def _score(prizes: Prizes, path: Path) -> float:
    return prizes.score(np.array(path.nodes), np.array(path.facts, dtype=np.int64))
