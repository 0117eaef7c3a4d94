"""Find predicate paths between the ends of a fact, and measure how reliable each is for its predicate.

Paths of one and two steps; those of three go through associations.py. A path's reliability is the share of facts among
the pairs it joins, when facts of the predicate and pairs of its subjects with drawn objects are equally many (path
ranking, Lao and Cohen 2010, with the contrast of drawn pairs in place of a random walk's probability). Proximity is
Knowledge Linker's (Ciampaglia et al. 2015, eq. 1): 1 / (1 + the sum of the log degrees between).
"""

from __future__ import annotations

import numpy as np

from claimgraph.detect.methods.graph_evidence.adjacency import Floats, Ints, Steps

NAMES = ("path_best", "path_sum", "proximity")
"""Columns of Connections.of: log-odds, log-odds, and in [0, 1]."""

_SAMPLE = 400
"""Facts of a predicate that its paths are learnt from, and as many drawn pairs."""


class Connections:
    """Reliable paths of each predicate, learnt on first use."""

    def __init__(self, steps: Steps, seed: int) -> None:
        """`seed` fixes the sampled facts and the drawn pairs."""
        self._steps = steps
        self._seed = seed
        self._learnt: dict[int, tuple[Ints, Floats]] = {}

    def paths(self, predicate: int, subjects: Ints, objects: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return paths from each subject to the object beside it, without the fact itself and loops: pair, first and
        second relation, node between (both -1 for a single step).
        """
        steps = self._steps
        row, step = steps.between(subjects, objects)
        itself = (steps.relation[step] == predicate) | (subjects[row] == objects[row])
        row, step = row[~itself], step[~itself]
        none = np.full(len(row), -1)
        longer = self._two(subjects, objects)
        return (
            np.concatenate([row, longer[0]]),
            np.concatenate([steps.relation[step], longer[1]]),
            np.concatenate([none, longer[2]]),
            np.concatenate([none, longer[3]]),
        )

    def _two(self, subjects: Ints, objects: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return paths of two steps, found from the end with fewer neighbours."""
        steps = self._steps
        degree = np.diff(steps.start)
        turned = degree[subjects] > degree[objects]
        near, far = np.where(turned, objects, subjects), np.where(turned, subjects, objects)
        row, step = steps.around(near)
        middle = steps.target[step]
        inner = (middle != near[row]) & (middle != far[row])
        row, step, middle = row[inner], step[inner], middle[inner]
        at, onward = steps.between(middle, far[row])
        row, middle, one, two = row[at], middle[at], steps.relation[step[at]], steps.relation[onward]
        first = np.where(turned[row], steps.back(two), one)
        return row, first, np.where(turned[row], steps.back(one), two), middle

    def of(self, predicate: int, subjects: Ints, objects: Ints) -> Floats:
        """Return columns NAMES for each pair: the most reliable path's log-odds (at least 0), the sum over the kinds of
        path by the root of their number, and proximity; 0 where nothing joins the two. Shape (k, 3).
        """
        row, first, second, middle = self.paths(predicate, subjects, objects)
        kind = self._kind(first, second)
        near = 1 / (1 + np.where(middle < 0, 0.0, np.log(np.maximum(np.diff(self._steps.start)[middle], 1))))
        found = np.zeros((len(subjects), len(NAMES)))
        np.maximum.at(found[:, 2], row, near)
        pair, kind = _distinct(row, kind)
        odds = self._odds(predicate, kind)
        np.maximum.at(found[:, 0], pair, odds)
        many = np.bincount(pair, minlength=len(subjects))
        found[:, 1] = np.bincount(pair, odds, len(subjects)) / np.sqrt(np.maximum(many, 1))
        return found

    def reliability(self, predicate: int, first: Ints, second: Ints) -> Floats:
        """Return reliabilities in [0, 1], 0.5 for an unknown path; shape (k,)."""
        found: Floats = 1 / (1 + np.exp(-self._odds(predicate, self._kind(first, second))))
        return found

    def _kind(self, first: Ints, second: Ints) -> Ints:
        return (second + 1) * 2 * self._steps.predicates + first

    def _odds(self, predicate: int, kind: Ints) -> Floats:
        if predicate not in self._learnt:
            self._learnt[predicate] = self._learn(predicate)
        kinds, odds = self._learnt[predicate]
        if not len(kinds):
            return np.zeros(len(kind))
        at = np.minimum(np.searchsorted(kinds, kind), len(kinds) - 1)
        return np.where(kinds[at] == kind, odds[at], 0.0)

    def _learn(self, predicate: int) -> tuple[Ints, Floats]:
        """Return kinds of path, ascending, with ln((facts joined + 1) / (drawn pairs joined + 1))."""
        random = np.random.default_rng((self._seed, predicate))
        along = self._steps.along(predicate)
        picked = random.permutation(along)[:_SAMPLE]
        subjects, objects = self._steps.source[picked], self._steps.target[picked]
        drawn = self._steps.target[random.permutation(along)[: len(picked)]]
        true = np.isin(subjects * self._steps.nodes + drawn, self._steps.pairs[along])
        joined = self._joined(predicate, subjects, objects)
        wrongly = self._joined(predicate, subjects[~true], drawn[~true])
        kinds = np.unique(np.concatenate([joined, wrongly]))
        scale = len(picked) / max(int((~true).sum()), 1)
        right, wrong = (np.bincount(np.searchsorted(kinds, part), minlength=len(kinds)) for part in (joined, wrongly))
        return kinds, np.log((right + 1) / (scale * wrong + 1))

    def _joined(self, predicate: int, subjects: Ints, objects: Ints) -> Ints:
        row, first, second, _ = self.paths(predicate, subjects, objects)
        return _distinct(row, self._kind(first, second))[1]


def _distinct(row: Ints, kind: Ints) -> tuple[Ints, Ints]:
    """Return each kind once a row."""
    width = int(kind.max(initial=0)) + 1
    keys = np.unique(row * width + kind)
    return keys // width, keys % width
