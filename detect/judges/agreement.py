"""Measure the agreement of two judges, on yes and no, and on scores. Figures are None where they are undefined, never
0.

scikit-learn and SciPy have the same, warn and return nan or 0 where it is undefined; they are the oracles of the tests.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Pairs = Sequence[tuple[bool, bool]]
"""Pairs of a judge's answer and the right one."""


def share(judged: Sequence[bool | None]) -> float | None:
    """Return the share of True among the known values; None where nothing is known."""
    known = [one for one in judged if one is not None]
    return sum(known) / len(known) if known else None


def accuracy(pairs: Pairs) -> float | None:
    """Return the share of equal pairs; None for no pairs."""
    return share([said == right for said, right in pairs])


def balanced_accuracy(pairs: Pairs) -> float | None:
    """Return the mean recall of both classes; None where a class is missing."""
    yes = share([said for said, right in pairs if right])
    no = share([not said for said, right in pairs if not right])
    return None if yes is None or no is None else (yes + no) / 2


def kappa(pairs: Pairs) -> float | None:
    """Return Cohen's kappa: agreement beyond what both shares of True make likely; None where chance explains
    it all.
    """
    agreed = accuracy(pairs)
    if agreed is None:
        return None
    ours, theirs = np.array(pairs, dtype=np.float64).mean(axis=0)
    chance = float(ours * theirs + (1 - ours) * (1 - theirs))
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def pearson(scores: NDArray[np.float64]) -> float | None:
    """Return the correlation of two columns, shape (n, 2); None for fewer than two rows, or a constant column."""
    if len(scores) < 2 or bool((scores == scores[:1]).all(axis=0).any()):
        return None
    return float(np.corrcoef(scores[:, 0], scores[:, 1])[0, 1])
