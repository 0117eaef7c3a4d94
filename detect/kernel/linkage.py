"""Average linkage: the tree of clusters by mean distance, as scipy's `linkage` makes it.

scipy was rejected as a dependency: 140 MB for this tree and one assignment. It is the oracle in the tests.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Merge = tuple[int, int, float]
"""Two clusters and their distance. Leaves are numbered from 0; merge k of n leaves makes cluster n + k."""


def average_linkage(distances: NDArray[np.floating]) -> list[Merge]:
    """Return the n - 1 merges, lowest first, equal ones in the order in which they are found.

    `distances` is symmetric, of shape (n, n). O(n²), by chains of nearest neighbours (Müllner 2011, figure 6).
    """
    between = distances.astype(np.float64)
    np.fill_diagonal(between, np.inf)
    sizes, chain, found = np.ones(len(between)), list[int](), list[Merge]()
    while len(found) < len(between) - 1:
        first, second = sorted(_mutual_neighbours(between, chain or [int((sizes > 0).argmax())]))
        del chain[-2:]
        found.append((first, second, float(between[first, second])))
        total = sizes[first] + sizes[second]
        mean = (sizes[first] * between[first] + sizes[second] * between[second]) / total
        between[second] = between[:, second] = mean
        between[first] = between[:, first] = between[second, second] = np.inf
        sizes[first], sizes[second] = 0, total
    return _numbered(sorted(found, key=lambda merge: merge[2]))


def _mutual_neighbours(between: NDArray[np.float64], chain: list[int]) -> list[int]:
    """Lengthen the chain until its last two are each the other's nearest; ties to the one before, then the lowest."""
    while True:
        last = chain[-1]
        nearest = int(between[last].argmin())
        if len(chain) > 1 and between[last, chain[-2]] <= between[last, nearest]:
            return chain[-2:]
        chain.append(nearest)


def _numbered(merges: Sequence[Merge]) -> list[Merge]:
    """Merges of leaves that stand for their clusters, as merges of the clusters."""
    leaves = len(merges) + 1
    above: dict[int, int] = {}

    def top(cluster: int) -> int:
        while cluster in above:
            cluster = above[cluster]
        return cluster

    numbered = []
    for number, (first, second, height) in enumerate(merges, leaves):
        low, high = sorted((top(first), top(second)))
        above[low] = above[high] = number
        numbered.append((low, high, height))
    return numbered
