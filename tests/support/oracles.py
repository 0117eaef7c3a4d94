"""Slow, obvious versions of what the product computes fast."""

from __future__ import annotations

import numpy as np


def aligned(claims: np.ndarray, evidence: np.ndarray) -> list[tuple[int, float]]:
    """FactAlign's eq. 2 and 3, one pair at a time: the first of the nearest evidence rows, and s_a."""
    found = []
    for claim in claims.astype(np.float64):
        distances = [float(np.sqrt(((claim - row) ** 2).sum())) for row in evidence.astype(np.float64)]
        best = next(i for i, d in enumerate(distances) if d <= min(distances) + 1e-9)
        found.append((best, min(1.0, max(0.0, 1 - distances[best]))))
    return found


def clusters(vectors: np.ndarray, distance: float) -> list[set[int]]:
    """Average linkage by hand: merge the two nearest clusters while their mean cosine distance is within bounds."""
    groups = [{i} for i in range(len(vectors))]
    apart = 1 - vectors.astype(np.float64) @ vectors.astype(np.float64).T
    while len(groups) > 1:
        pairs = [(apart[np.ix_(sorted(a), sorted(b))].mean(), i, j)
                 for i, a in enumerate(groups) for j, b in enumerate(groups) if i < j]  # fmt: skip
        nearest, i, j = min(pairs)
        if nearest > distance:
            break
        groups[i] |= groups.pop(j)
    return groups
