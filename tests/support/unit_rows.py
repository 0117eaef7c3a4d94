"""What several tests share of factalign."""

from __future__ import annotations

import numpy as np


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
