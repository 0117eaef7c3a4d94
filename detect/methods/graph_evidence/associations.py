"""Learn association rules from the graph: "a node with this neighbour by that relation has this object".

A feature of a node is a step from it: (relation, target). The confidence of the rule "feature -> (p, o)" among the
nodes that have any p is AMIE's under partial completeness (Galarraga et al., WWW 2013, eq. 4, with a constant). A
node's single features say little, so their log-lifts are summed, too. Through the feature this walks paths of three
steps (s -r-> z <-r- s' -p-> o) without listing them; a path ranking over all such paths was rejected: it costs minutes
a predicate and merges constants that differ (born in Lyon, born in Boston).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from claimgraph.detect.methods.graph_evidence.adjacency import Floats, Ints, Steps

NAMES = ("share", "rule", "lift_sum", "lift_mean", "size")
"""Columns of Associations.of; logarithms but for `rule`, a confidence in [0, 1]."""

_MOST = 256
"""Features read of a node; a hub's are thinned evenly, so that a country costs no more than a person."""

_PRIOR = 2.0
"""Pseudo-count of nodes with the object's plain share as prior."""


class Associations:
    """Features of all nodes, from which any relation's rules are computed on demand."""

    def __init__(self, steps: Steps) -> None:
        """Features that a single node has are left out: they support no rule."""
        from scipy.sparse import csr_matrix

        self._steps = steps
        keys, column, count = np.unique(
            steps.relation * steps.nodes + steps.target, return_inverse=True, return_counts=True
        )
        shared = np.flatnonzero(count > 1)
        kept = _thinned(np.flatnonzero(count[column] > 1), steps)
        columns = np.searchsorted(shared, column[kept])
        shape = (steps.nodes, len(shared))
        self.features = keys[shared]
        self.matrix = csr_matrix((np.ones(len(kept), np.float32), (steps.source[kept], columns)), shape)

    @cached_property
    def weight(self) -> Floats:
        """ln(n / nodes with the feature), for each feature; shape (f,)."""
        found: Floats = np.log(self._steps.nodes / np.maximum(self.matrix.getnnz(0), 1))
        return found

    def of(self, relation: int, sources: Ints, targets: Ints) -> Floats:
        """Return columns NAMES for each source with the target beside it, shape (len(sources), 5).

        `share` of the relation's sources with that target (0.5 added); the best rule's confidence; sum (by the root of
        their number) and mean by weight of the features' log-lifts; number of features.
        """
        row, feature, together, having, base = self._counts(relation, sources, targets)
        count = len(sources)
        lift = np.log((together + _PRIOR * base[row]) / (having + _PRIOR) / base[row])
        many, weight = np.bincount(row, minlength=count), self.weight[feature]
        found = np.zeros((count, len(NAMES)))
        found[:, 0] = np.log(base)
        np.maximum.at(found[:, 1], row, together / (having + _PRIOR))
        found[:, 2] = np.bincount(row, lift, count) / np.sqrt(np.maximum(many, 1))
        found[:, 3] = np.bincount(row, weight * lift, count) / np.maximum(np.bincount(row, weight, count), 1e-6)
        found[:, 4] = np.log1p(many)
        return found

    def rules(self, relation: int, source: int, target: int) -> list[tuple[int, float, int]]:
        """Return features of the source whose rules give the target: key (relation x n + target), confidence, support.

        Best first by confidence, then support, then key.
        """
        _, feature, together, having, _ = self._counts(relation, np.array([source]), np.array([target]))
        found = [
            (int(self.features[f]), float(t / (h + _PRIOR)), int(t))
            for f, t, h in zip(feature, together, having, strict=True)
            if t
        ]
        return sorted(found, key=lambda rule: (-rule[1], -rule[2], rule[0]))

    def _counts(self, relation: int, sources: Ints, targets: Ints) -> tuple[Ints, Ints, Floats, Floats, Floats]:
        """Return for each asked pair's features: pair, feature, known sources with feature and target, with the
        feature; and the target's share, a pair.
        """
        from scipy.sparse import csr_matrix

        along = self._steps.along(relation)
        known, source = np.unique(self._steps.source[along], return_inverse=True)
        goals, goal = np.unique(targets, return_inverse=True)
        asked = self.matrix[sources]
        row = np.repeat(np.arange(len(sources)), np.diff(asked.indptr))
        used, feature = np.unique(asked.indices, return_inverse=True)
        at = np.minimum(np.searchsorted(goals, self._steps.target[along]), len(goals) - 1)
        hit = goals[at] == self._steps.target[along]
        values = csr_matrix((np.ones(hit.sum(), np.float32), (source[hit], at[hit])), (len(known), len(goals)))
        having = self.matrix[known][:, used]
        together = _values((having.T @ values).tocsr(), feature, goal[row])
        base = (np.asarray(values.sum(0), np.float64).ravel()[goal] + 0.5) / (len(known) + 1)
        return row, used[feature], together, np.asarray(having.sum(0), np.float64).ravel()[feature], base


def _thinned(kept: Ints, steps: Steps) -> Ints:
    """Return at most _MOST of each source's steps, evenly spaced."""
    source = steps.source[kept]
    first = np.searchsorted(source, source)
    count = np.searchsorted(source, source, side="right") - first
    rank = np.arange(len(kept)) - first
    few = count <= _MOST
    picked = (rank * _MOST) // count != ((rank - 1) * _MOST) // count
    thinned: Ints = kept[few | picked]
    return thinned


def _values(matrix: object, rows: Ints, columns: Ints) -> Floats:
    """Return the entries of a sparse matrix at rows and columns; 0 where there is none."""
    from scipy.sparse import csr_matrix

    assert isinstance(matrix, csr_matrix)
    matrix.sort_indices()
    width = np.int64(matrix.shape[1])
    keys = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr)) * width + matrix.indices
    wanted = rows * width + columns
    if not len(keys):
        return np.zeros(len(wanted))
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found: Floats = np.where(keys[at] == wanted, matrix.data[at], 0).astype(np.float64)
    return found
