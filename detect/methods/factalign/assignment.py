"""Compute FactAlign's alignment before the paper relaxes it: one-to-one, of entities (eq. 1) or of triples.

Eq. 1 looks for the permutation P that minimises the sum over l = 1..L of ||P A_s^l H_s - A_g^l H_g||_F². A permutation
keeps norms, so of each expanded term only -2 <P, (A_g^l H_g)(A_s^l H_s)^T> depends on P; and since the inner product is
linear in its second argument, the terms add up to one matrix of scores. The rest is one linear assignment problem (Mao
et al. 2021): maximise the sum of the chosen scores. The smaller side is padded with zero rows, which score 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.linear_assignment import cheapest_assignment

DEPTH = 2
"""L; the paper prints none."""
TEMPERATURE = 0.02
ITERATIONS = 100


def entity_scores(
    ours: tuple[NDArray[np.float64], NDArray[np.float32]],
    theirs: tuple[NDArray[np.float64], NDArray[np.float32]],
    depth: int = DEPTH,
    first: int = 1,
) -> NDArray[np.float64]:
    """Return the sum over l = first..depth of (A_g^l H_g)(A_s^l H_s)^T, shape (|E_g|, |E_s|).

    `first` is 1 in FactAlign, which compares an entity by its neighbours alone, and 0 in Mao et al. `ours` is (A_g,
    H_g), `theirs` (A_s, H_s): an adjacency of shape (n, n) and vectors of shape (n, d), unit length.
    """
    rows, other_rows = ours[1].astype(np.float64), theirs[1].astype(np.float64)
    total = np.zeros((len(rows), len(other_rows)))
    for level in range(depth + 1):
        total += rows @ other_rows.T * (level >= first)
        rows, other_rows = ours[0] @ rows, theirs[0] @ other_rows
    return total


def adjacency(edges: Sequence[tuple[int, int]], size: int) -> NDArray[np.float64]:
    """Return a matrix with 1 where an edge joins two of `size` entities, in either direction; parallel edges
    are one.
    """
    found = np.zeros((size, size))
    for a, b in edges:
        found[a, b] = found[b, a] = 1
    return found


def hungarian(scores: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return the one-to-one assignment of greatest total score: for each row its column, -1 for a row left over.

    Exact, O(n³). Rows are left over only where there are fewer columns.
    """
    found = np.full(len(scores), -1)
    rows, columns = cheapest_assignment(-scores)
    found[rows] = columns
    return found


def sinkhorn(
    scores: NDArray[np.floating], temperature: float = TEMPERATURE, iterations: int = ITERATIONS
) -> NDArray[np.intp]:
    """Return the column of greatest weight for each row in the plan of `transport`, -1 for a padded one; ties to the
    lowest.

    The lower the temperature (in units of a score), the nearer to `hungarian`, and the more iterations that takes; two
    rows may get one column where their scores differ by less than about the temperature.
    """
    rows, columns = scores.shape
    if not rows:
        return np.zeros(0, np.intp)
    best: NDArray[np.intp] = transport(scores, temperature, iterations)[:rows].argmax(axis=1)
    return np.where(best < columns, best, -1)


def transport(
    scores: NDArray[np.floating], temperature: float = TEMPERATURE, iterations: int = ITERATIONS
) -> NDArray[np.float64]:
    """Return Cuturi's (2013) entropic plan, in logarithms: square, padded with scores of 0, columns summing to 1 and
    rows nearly so. Each iteration scales all rows, then all columns.
    """
    size = max(scores.shape)
    plan = np.zeros((size, size))
    plan[: scores.shape[0], : scores.shape[1]] = scores
    plan /= temperature
    for _ in range(iterations):
        for axis in (1, 0):
            most = plan.max(axis=axis, keepdims=True)
            plan -= most + np.log(np.exp(plan - most).sum(axis=axis, keepdims=True))
    return np.exp(plan)
