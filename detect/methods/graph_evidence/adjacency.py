"""Index a graph as steps: every fact in both directions, so that one routine serves subjects and objects alike.

Step relation p leads from a subject to an object, p + R back, R being the number of predicates. One matrix per
predicate was rejected: half of the questions are about pairs of nodes whatever the predicate, which sorted keys answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FACT = ("subject", "predicate", "object")
"""The columns of an array of facts by number, shape (k, 3)."""


@dataclass(frozen=True, eq=False)
class Steps:
    """`source`, `relation`, `target` of shape (2m,), sorted by source, target and relation; every step once.

    `nodes` and `predicates` are their numbers.
    """

    nodes: int
    predicates: int
    source: Ints
    relation: Ints
    target: Ints

    @classmethod
    def of(cls, facts: Ints, nodes: int, predicates: int) -> Steps:
        """Return the steps of facts, shape (m, 3)."""
        subject, predicate, object = np.unique(facts.astype(np.int64), axis=0).reshape(-1, 3).T
        source, target = np.concatenate([subject, object]), np.concatenate([object, subject])
        relation = np.concatenate([predicate, predicate + predicates])
        order = np.lexsort((relation, target, source))
        return cls(nodes, predicates, source[order], relation[order], target[order])

    def back(self, relation: Ints) -> Ints:
        """Return the inverse relations."""
        return (relation + self.predicates) % (2 * self.predicates)

    @cached_property
    def start(self) -> Ints:
        """Index of steps: those from node i are `start[i]` up to `start[i + 1]`; shape (n + 1,)."""
        return np.searchsorted(self.source, np.arange(self.nodes + 1))

    @cached_property
    def pairs(self) -> Ints:
        """Source and target of each step as one number, ascending."""
        return self.source * self.nodes + self.target

    @cached_property
    def _by_relation(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.relation, kind="stable")
        return order, np.searchsorted(self.relation[order], np.arange(2 * self.predicates + 1))

    def along(self, relation: int) -> Ints:
        """Return the numbers of the steps of a relation, by source and target."""
        order, start = self._by_relation
        return order[start[relation] : start[relation + 1]]

    def around(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Return the steps from each of the nodes: positions in `nodes`, and step numbers."""
        return spread(self.start[nodes], self.start[nodes + 1])

    def between(self, sources: Ints, targets: Ints) -> tuple[Ints, Ints]:
        """Return the steps from each source to the target beside it: positions, and step numbers."""
        wanted = sources * self.nodes + targets
        return spread(np.searchsorted(self.pairs, wanted), np.searchsorted(self.pairs, wanted, side="right"))


def spread(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Return the ranges [first, last) concatenated: the range's position of each member, and the member."""
    counts = last - first
    row = np.repeat(np.arange(len(counts)), counts)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + first[row]
