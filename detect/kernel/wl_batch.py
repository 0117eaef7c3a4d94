"""Compute the Weisfeiler-Lehman features of many graphs, or large ones, at once: one disjoint union in arrays.

A label is a 64-bit number, that of the next iteration a hash of the node's own and of the sum of its neighbours', so
nothing is sorted or looked up on the way. Two of n labels that differ get the same number with probability n² / 2^65,
0.0000003 for three million; `features` of wl.py has no such case, is quicker for a few small graphs, and is the oracle
in the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import sqrt
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.kernel.wl import LabelledGraph

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class FeatureMatrix:
    """A sparse matrix of counts, a row a graph: row i has `count[start[i]:start[i + 1]]` at the columns `feature`,
    ascending. A column is a label of one iteration.
    """

    start: NDArray[np.int64]
    feature: NDArray[np.int64]
    count: NDArray[np.int64]

    def kernel(self, a: int, b: int) -> int:
        """Return k(G, G') of two rows: see wl.kernel."""
        ours, theirs = (slice(self.start[row], self.start[row + 1]) for row in (a, b))
        _, first, second = np.intersect1d(self.feature[ours], self.feature[theirs], True, return_indices=True)
        return int(self.count[ours][first] @ self.count[theirs][second])

    def similarity(self, a: int, b: int) -> float:
        """Return the normalised kernel of two rows, in [0, 1]; 0 if one graph is empty: see wl.similarity."""
        norm = self.kernel(a, a) * self.kernel(b, b)
        return self.kernel(a, b) / sqrt(norm) if norm else 0.0


def feature_matrix(graphs: Sequence[LabelledGraph], h: int) -> FeatureMatrix:
    """Return the feature maps of `features` as rows of one matrix, after h iterations."""
    sizes = np.fromiter((len(graph.labels) for graph in graphs), np.int64, len(graphs))
    first = np.concatenate([np.zeros(1, np.int64), sizes.cumsum()])
    nodes = int(first[-1])
    own = np.fromiter(chain.from_iterable(map(_LABELS, graphs)), np.int64, nodes)
    around = list(chain.from_iterable(map(_NEIGHBOURS, graphs)))
    ends = np.concatenate([np.zeros(1, np.int64), np.fromiter(map(len, around), np.int64, nodes).cumsum()])
    neighbour = np.fromiter(chain.from_iterable(around), np.int64, int(ends[-1]))
    neighbour += np.repeat(first[:-1], np.diff(ends[first]))
    labels, found = _mixed(own.view(np.uint64)), np.empty((nodes, h + 1), np.int64)
    for iteration in range(h + 1):
        if iteration:
            labels = _refined(labels, ends, neighbour)
        found[:, iteration] = _alike(labels) + iteration * nodes
    return _counted(found.ravel(), first * (h + 1))


def _counted(column: NDArray[np.int64], first: NDArray[np.int64]) -> FeatureMatrix:
    """Return how often each row has each column: row i is `column[first[i]:first[i + 1]]`, in any order.

    Rows of one length are sorted together; n columns have less than sqrt(2 n) lengths.
    """
    length = np.diff(first)
    for size in np.unique(length).tolist():
        places = first[:-1][length == size, None] + np.arange(size)
        column[places] = np.sort(column[places], axis=1)
    begins = np.ones(len(column) + 1, np.bool_)
    begins[1:-1] = column[1:] != column[:-1]
    begins[first] = True
    at = np.flatnonzero(begins)
    return FeatureMatrix(np.searchsorted(at, first), column[at[:-1]], np.diff(at))


def _alike(labels: Words) -> NDArray[np.int64]:
    """Return for each node one node of its label, the same for all of the label.

    Nodes write their numbers into a hash table and read them again; those whose label is not that of the last writer
    go on with another hash.
    """
    bits = max(len(labels), 1).bit_length() + 2
    table, found = np.empty(1 << bits, np.int64), np.empty(len(labels), np.int64)
    left, words = np.arange(len(labels)), labels
    while len(left):
        slot = (words >> np.uint64(64 - bits)).astype(np.int64)
        table[slot] = left
        last = table[slot]
        same = labels[last] == labels[left]
        found[left[same]] = last[same]
        left, words = left[~same], _mixed(words[~same])
    return found


def _refined(labels: Words, ends: NDArray[np.int64], neighbour: NDArray[np.int64]) -> Words:
    """Return a hash of each node's label and the multiset of its neighbours': sums of numbers modulo 2^64."""
    sums = np.concatenate([np.zeros(1, np.uint64), _mixed(labels)[neighbour].cumsum()])[ends]
    return _mixed(_mixed(labels ^ _OWN) + np.diff(sums))


def _mixed(words: Words) -> Words:
    """Return SplitMix64's output function (Steele, Lea, Flood 2014): a permutation in which every bit counts."""
    words = words + _STEP
    for shift, times in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(times)
    return words ^ (words >> np.uint64(31))


_STEP, _OWN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_LABELS, _NEIGHBOURS = attrgetter("labels"), attrgetter("neighbours")
