"""The cheapest one-to-one assignment, as scipy's `linear_sum_assignment` finds it, ties included.

scipy was rejected as a dependency: 140 MB for this and one tree of clusters. It is the oracle in the tests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def cheapest_assignment(costs: NDArray[np.floating]) -> tuple[Places, Places]:
    """Return rows, ascending, and the column of each, so that the finite costs of these places have the least sum.

    `costs` has shape (n, m); min(n, m) places are returned. Shortest augmenting paths (Jonker and Volgenant 1987, as
    Crouse 2016 has them for rectangles), O(n² m).
    """
    if costs.shape[0] > costs.shape[1]:
        columns, rows = cheapest_assignment(costs.T)
        order = rows.argsort()
        return rows[order], columns[order]
    search = _Search(costs.astype(np.float64))
    for row in range(len(costs)):
        search.assign(row)
    return np.arange(len(costs)), search.column


class _Search:
    """An assignment of the first rows, and the dual variables u and v that prove it cheapest."""

    def __init__(self, costs: Floats) -> None:
        rows, columns = costs.shape
        self._costs = costs
        self._u, self._v = np.zeros(rows), np.zeros(columns)
        self.column, self._row = np.full(rows, -1), np.full(columns, -1)

    def assign(self, row: int) -> None:
        """Assign one row more, along the shortest path to a free column."""
        sink, least, shortest, before, seen = self._path(row)
        others = self._row[seen[self._row[seen] >= 0]]
        self._u[row] += least
        self._u[others] += least - shortest[self.column[others]]
        self._v[seen] -= least - shortest[seen]
        column = sink
        while True:
            on = before[column]
            self._row[column] = on
            self.column[on], column = column, self.column[on]
            if on == row:
                return

    def _path(self, row: int) -> tuple[int, float, Floats, Places, Places]:
        """Return the free column, the path's length, lengths to all columns, rows before them, and columns seen."""
        columns = len(self._v)
        shortest, before = np.full(columns, np.inf), np.full(columns, -1)
        left, least, seen = np.arange(columns)[::-1].copy(), 0.0, list[int]()
        while True:
            lengths = least + self._costs[row, left] - self._u[row] - self._v[left]
            nearer = left[lengths < shortest[left]]
            shortest[nearer], before[nearer] = lengths[lengths < shortest[left]], row
            least = float(shortest[left].min())
            nearest = np.flatnonzero(shortest[left] == least)
            free = nearest[self._row[left[nearest]] < 0]
            at = free[-1] if len(free) else nearest[0]
            column = int(left[at])
            seen.append(column)
            if len(free):
                return column, least, shortest, before, np.array(seen)
            row = int(self._row[column])
            left[at] = left[-1]
            left = left[:-1]
