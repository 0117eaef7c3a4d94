"""Cache entailment scores across runs: a model reads a dozen pairs a second, and evidence is read repeatedly."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.row_cache import RowCache
from claimgraph.kgstore import metric_hooks
from claimgraph.kgstore.model import EntailmentModel

_BLOCK = 256
"""Pairs computed before they are stored: the most that a killed run loses."""


class ScoreCache(RowCache):
    """P(entailment), P(neutral), P(contradiction) by key, as the model gave them, nan included."""

    def __init__(self, folder: Path | None, model: str) -> None:
        super().__init__(folder, model, 3, file="scores.f32", dtype=np.float32, whole=_probable)


class CachedEntailment:
    """A model that computes each distinct pair once, now and in later runs. Implements EntailmentModel.

    Thread-safe: calls wait for each other.
    """

    def __init__(self, model: EntailmentModel, cache: ScoreCache) -> None:
        self.model = model.model
        self._entailment = model
        self._cache = cache
        self._lock = threading.Lock()

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return scores of shape (len(pairs), 3), from the cache where it has them."""
        keys = [_key(*pair) for pair in pairs]
        with self._lock:
            missing = self._cache.missing(keys)
            metric_hooks.looked_up("scores", len(set(keys)) - len(missing), len(missing))
            wanted = [item for item in dict(zip(keys, pairs, strict=True)).items() if item[0] in missing]
            for start in range(0, len(wanted), _BLOCK):
                block = wanted[start : start + _BLOCK]
                metric_hooks.computed("entailment", len(block))
                self._cache.put([key for key, _ in block], self._entailment.entail([pair for _, pair in block]))
            return self._cache.get(keys)


def _key(premise: str, hypothesis: str) -> bytes:
    """Return the hash of a pair; the length separates premise and hypothesis."""
    return hashlib.sha256(f"{len(premise)} {premise}{hypothesis}".encode("utf-8", "surrogatepass")).digest()[:16]


def _probable(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask of valid rows, which sum to 1, or are one probability and nan twice; zeros were never written
    through.
    """
    whole: NDArray[np.bool_] = np.where(np.isnan(rows[:, 1]), rows[:, 0] >= 0, np.abs(rows.sum(axis=1) - 1) < 0.01)
    return whole
