"""Learn the ends of relations from the graph alone: domain and range as signatures, and functionality.

A node's signature is the set of relations it has; that serves graphs without classes (Freebase's, DBpedia's of names)
and graphs with them alike. Declared domains and ranges were rejected: most graphs declare none.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from claimgraph.detect.methods.graph_evidence.adjacency import Bools, Floats, Ints, Steps

_SMOOTH = 0.01


class Schema:
    """Domain, range and number of values of each relation; the range of p is the domain of its inverse."""

    def __init__(self, steps: Steps) -> None:
        """Compute nothing yet."""
        self._steps = steps

    @cached_property
    def signatures(self) -> Bools:
        """1 where a node has a relation: shape (n, 2R), one byte each."""
        found = np.zeros((self._steps.nodes, 2 * self._steps.predicates), np.bool_)
        found[self._steps.source, self._steps.relation] = True
        return found

    def fit(self, relation: int, nodes: Ints) -> Floats:
        """Return how much likelier each node's other relations are among the relation's sources than anywhere, as the
        log of the ratio (naive Bayes over signatures); shape (k,). The relation itself is left out.
        """
        known = np.unique(self._steps.source[self._steps.along(relation)])
        inside = self.signatures[known].mean(axis=0) if len(known) else self._anywhere
        has = np.log((inside + _SMOOTH) / (self._anywhere + _SMOOTH))
        lacks = np.log((1 - inside + _SMOOTH) / (1 - self._anywhere + _SMOOTH))
        has[relation] = lacks[relation] = 0
        found: Floats = self.signatures[nodes] @ (has - lacks) + lacks.sum()
        return found

    def typical(self, relation: int, node: int) -> float:
        """Return share of the relation's sources whose other relations fit it no better than the node's; in [0, 1]."""
        known = np.unique(self._steps.source[self._steps.along(relation)])
        fits = self.fit(relation, np.append(known, node))
        return float(np.mean(fits[:-1] <= fits[-1]))

    @cached_property
    def _anywhere(self) -> Floats:
        found: Floats = self.signatures.mean(axis=0)
        return found

    @cached_property
    def _values(self) -> Ints:
        """Number of targets each node has by each relation, as keys (relation x n + node) with counts: shape (2, k)."""
        return np.stack(np.unique(self._steps.relation * self._steps.nodes + self._steps.source, return_counts=True))

    @cached_property
    def several(self) -> Floats:
        """Share of each relation's sources that have a second target (1 and 2 added): near 0, it is functional."""
        keys, counts = self._values
        relation, size = keys // self._steps.nodes, 2 * self._steps.predicates
        found: Floats = (np.bincount(relation, counts > 1, size) + 1) / (np.bincount(relation, minlength=size) + 2)
        return found

    def others(self, relation: Ints, nodes: Ints, targets: Ints) -> Ints:
        """Return the number of targets, without the named one, that each node has by the relation beside it; shape
        (k,).
        """
        keys, counts = self._values
        wanted = relation * self._steps.nodes + nodes
        if not len(keys):
            return np.zeros(len(nodes), np.int64)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        found: Ints = np.where(keys[at] == wanted, counts[at], 0)
        row, step = self._steps.between(nodes, targets)
        own = self._steps.relation[step] == relation[row]
        found -= np.bincount(row[own], minlength=len(nodes))
        return found

    def room(self, relation: Ints, nodes: Ints, targets: Ints) -> Floats:
        """Return the log of the chance of room for a target: ln several where the node has another, else 0."""
        return np.where(self.others(relation, nodes, targets) > 0, np.log(self.several[relation]), 0.0)
