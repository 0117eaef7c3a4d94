"""Hold a graph as arrays, for PageRank, prizes and Steiner trees.

Model objects cost about a kilobyte a fact and a dictionary look-up a step; numbered arrays of 200,000 facts take 10 MB
and are walked by numpy. A scipy matrix alone was rejected: it would merge parallel edges and forget their direction.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.naming import tokens

Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class GraphArrays:
    """Facts with the nodes they join. Nodes and facts are numbered from 0 in the order of their ids.

    `nodes` and `names` are ids and names of n nodes (entities and literals); `facts` are ids of m facts; `subject`,
    `object` (node numbers) and `predicate` (positions in `predicates`, ids, and `relations`, their names) have shape
    (m,). Parallel facts, direction and loops are kept. `version` names the evidence scope this was taken from.
    """

    version: str
    nodes: Sequence[str]
    names: Sequence[str]
    facts: Sequence[str]
    subject: Numbers
    predicate: Numbers
    object: Numbers
    predicates: Sequence[str]
    relations: Sequence[str]

    def node(self, identity: str) -> int | None:
        """Return number of the node of that id, or None."""
        at = bisect_left(self.nodes, identity)
        return at if at < len(self.nodes) and self.nodes[at] == identity else None

    def relation(self, identity: str) -> int | None:
        """Return the position in `predicates` of the predicate of that id, or None."""
        at = bisect_left(self.predicates, identity)
        return at if at < len(self.predicates) and self.predicates[at] == identity else None

    def text(self, fact: int) -> str:
        """Return the fact in words: subject, relation and object joined by spaces, as Triple.text."""
        subject, object = self.names[self.subject[fact]], self.names[self.object[fact]]
        return f"{subject} {self.relations[self.predicate[fact]]} {object}"

    @cached_property
    def adjacency(self) -> Adjacency:
        """Facts by the nodes they touch."""
        return adjacency(self.subject, self.object, len(self.nodes))

    @cached_property
    def tokens(self) -> Numbers:
        """Number of tokens of the text of each fact, shape (m,): see naming.tokens."""
        names = np.array([tokens(name) for name in self.names], dtype=np.int32)
        relations = np.array([tokens(relation) for relation in self.relations], dtype=np.int32)
        return names[self.subject] + relations[self.predicate] + names[self.object]

    def part(self, facts: NDArray[np.integer]) -> GraphArrays:
        """Return the graph of some facts (numbers, in any order) with the nodes they touch, renumbered in id order."""
        kept = np.unique(facts)
        ends = np.unique(np.concatenate([self.subject[kept], self.object[kept]]))
        return GraphArrays(
            self.version,
            [self.nodes[i] for i in ends.tolist()],
            [self.names[i] for i in ends.tolist()],
            [self.facts[i] for i in kept.tolist()],
            np.searchsorted(ends, self.subject[kept]).astype(np.int32),
            self.predicate[kept],
            np.searchsorted(ends, self.object[kept]).astype(np.int32),
            self.predicates,
            self.relations,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """Compressed rows: node i touches `fact[start[i]:start[i + 1]]`, whose other ends are at the same places of
    `neighbour`; facts that go out from a node come first, each direction by fact number.
    """

    start: NDArray[np.int64]
    neighbour: Numbers
    fact: Numbers


def adjacency(subject: Numbers, object: Numbers, nodes: int) -> Adjacency:
    """Return facts, given by their ends (shape (m,)), by the nodes they touch, whatever their direction.

    A loop touches its node once.
    """
    back = np.flatnonzero(subject != object).astype(np.int32)
    end = np.concatenate([subject, object[back]])
    order = np.argsort(end, kind="stable")
    return Adjacency(
        np.concatenate([[0], np.cumsum(np.bincount(end, minlength=nodes))]),
        np.concatenate([object, subject[back]])[order],
        np.concatenate([np.arange(len(subject), dtype=np.int32), back])[order],
    )
