"""Hold the vectors of one piece of work: every distinct text is embedded once, in one batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.model import Embedder


class Space:
    """Unit vectors by text. Texts not given at the start are embedded on first use."""

    def __init__(self, embedder: Embedder, texts: Iterable[str] = ()) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self.add(texts)

    def add(self, texts: Iterable[str]) -> None:
        """Embed those of the texts that are new, in one batch."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._embedder.embed(new), strict=True))

    def rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of the texts, shape (len(texts), d); (0, 0) for none."""
        self.add(texts)
        return np.stack([self._vectors[t] for t in texts]) if texts else np.zeros((0, 0), np.float32)

    def cosine(self, a: str, b: str) -> float:
        """Return the cosine of two texts, in [-1, 1]."""
        self.add((a, b))
        return float(self._vectors[a] @ self._vectors[b])
