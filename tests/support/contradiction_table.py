"""What several tests share of factalign detector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.row_cache import VectorCache

MODEL = CachedEmbedder(MiniLMEmbedder(), VectorCache(None, "MiniLM"))


class Table:
    """An entailment model that finds its contradictions in a table and counts its pairs."""

    model = "table"

    def __init__(self, against: dict[tuple[str, str], float], *, three_way: bool = True) -> None:
        self.against, self.three_way, self.pairs = against, three_way, 0

    def entail(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.pairs += len(pairs)
        score = np.array([self.against.get(pair, 0.1) for pair in pairs], np.float32)
        rest = [np.zeros_like(score), score] if self.three_way else [np.full_like(score, np.nan)] * 2
        return np.stack([1 - score, *rest], axis=1)
