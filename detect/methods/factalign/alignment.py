"""Align every claim triple with the evidence triple nearest to it by embedding (FactAlign, TrustNLP 2024).

The paper relaxes its assignment problem (eq. 1) so that one source triple may support many claims; the result is a
nearest neighbour, one matrix product a document.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TIE = 1e-6
"""Cosines this near to the best count as equal: the last bits of a matrix product depend on the position of a row."""
_BLOCK = 1 << 24


@dataclass(frozen=True, slots=True)
class Alignment:
    """Per claim the row of its best evidence triple (-1 where there is no evidence) and s_a in [0, 1] (then nan)."""

    best: NDArray[np.intp]
    score: NDArray[np.float32]


def align(claims: NDArray[np.float32], evidence: NDArray[np.float32]) -> Alignment:
    """Align claims, shape (n, d), with evidence, shape (m, d), both of unit length.

    Eq. 2: the evidence triple at minimum L2 distance; ties go to the lowest row. Eq. 3: s_a = 1 - that distance,
    clipped to [0, 1]; 1 is the same triple, 0 a cosine of 0.5 or less. Above a threshold a claim is factual.
    """
    if not len(claims) or not len(evidence):
        return Alignment(np.full(len(claims), -1), np.full(len(claims), np.nan, np.float32))
    rows = max(1, _BLOCK // len(evidence))
    best = np.concatenate([_nearest(claims[i : i + rows], evidence) for i in range(0, len(claims), rows)])
    distance = np.linalg.norm(claims - evidence[best], axis=1)
    return Alignment(best, np.clip(1 - distance, 0, 1).astype(np.float32))


def _nearest(claims: NDArray[np.float32], evidence: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the rows of the greatest cosines, which for unit vectors is the least distance: d² = 2 - 2 cos."""
    cosine = claims @ evidence.T
    nearest: NDArray[np.intp] = (cosine >= cosine.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
    return nearest
