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

from claimgraph.detect.methods.graph_evidence.adjacency import Floats, Ints, Steps, spread

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
        self._steps = steps
        keys, column, count = np.unique(
            steps.relation * steps.nodes + steps.target, return_inverse=True, return_counts=True
        )
        shared = np.flatnonzero(count > 1)
        kept = _thinned(np.flatnonzero(count[column] > 1), steps)
        self.features = keys[shared]
        self.columns = np.searchsorted(shared, column[kept])
        self.start = np.searchsorted(steps.source[kept], np.arange(steps.nodes + 1))

    def rows(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Return the features of each of the nodes: positions in `nodes`, and feature numbers, ascending."""
        row, at = spread(self.start[nodes], self.start[nodes + 1])
        return row, self.columns[at]

    @cached_property
    def weight(self) -> Floats:
        """ln(n / nodes with the feature), for each feature; shape (f,)."""
        counts = np.bincount(self.columns, minlength=len(self.features))
        found: Floats = np.log(self._steps.nodes / np.maximum(counts, 1))
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
        along = self._steps.along(relation)
        known, source = np.unique(self._steps.source[along], return_inverse=True)
        goals, goal = np.unique(targets, return_inverse=True)
        row, feature = self.rows(sources)
        size, used = len(self.features), np.zeros(len(self.features), np.bool_)
        used[feature] = True
        owner, had = self.rows(known)
        owner, had = owner[used[had]], had[used[had]]
        at = np.minimum(np.searchsorted(goals, self._steps.target[along]), len(goals) - 1)
        hit = goals[at] == self._steps.target[along]
        keys, counts = _together(owner, had, source[hit], at[hit], len(known), len(goals))
        base = (np.bincount(at[hit], minlength=len(goals))[goal] + 0.5) / (len(known) + 1)
        having = np.bincount(had, minlength=size)[feature].astype(np.float64)
        return row, feature, _values(keys, counts, feature * len(goals) + goal[row]), having, base


def _together(owner: Ints, had: Ints, holder: Ints, goal: Ints, known: int, goals: int) -> tuple[Ints, Ints]:
    """Return how many known sources have a feature and a goal: keys (feature x goals + goal), ascending, and counts.

    `owner` and `had` are the pairs of source and feature, by source; `holder` and `goal` those of source and goal.
    """
    order = np.argsort(holder, kind="stable")
    holder, goal = holder[order], goal[order]
    first = np.searchsorted(holder, np.arange(known + 1))
    pair, at = spread(first[owner], first[owner + 1])
    keys, counts = np.unique(had[pair] * goals + goal[at], return_counts=True)
    return keys, counts


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


def _values(keys: Ints, counts: Ints, wanted: Ints) -> Floats:
    """Return the count of each wanted key; 0 where there is none."""
    if not len(keys):
        return np.zeros(len(wanted))
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found: Floats = np.where(keys[at] == wanted, counts[at], 0).astype(np.float64)
    return found
