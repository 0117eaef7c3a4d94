"""A mention ranker that prefers the candidate it is told to, and counts what it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.extraction.coreference.candidates import KINDS
from claimgraph.detect.models.coreference import Window


class FakeRanker:
    """Gives `chance` to the candidate with the words that stand for the anaphor in `meant`, the rest to "none"."""

    model = "fake"

    def __init__(self, meant: Mapping[str, str], chance: float = 0.9) -> None:
        self.thresholds = dict.fromkeys(KINDS, 0.8)
        self.asked: list[Window] = []
        self._meant, self._chance = meant, chance

    def chances(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """As CoreferenceModel says; of equals the last is meant."""
        self.asked.extend(windows)
        return [self._of(window) for window in windows]

    def _of(self, window: Window) -> NDArray[np.float32]:
        said = [window.text[start:end] for start, end, _ in window.spans.tolist()]
        found = np.zeros(len(window.anaphor), np.float32)
        for anaphor in dict.fromkeys(window.anaphor.tolist()):
            rows = np.flatnonzero(window.anaphor == anaphor)
            right = [row for row in rows if said[window.candidate[row]] == self._meant.get(said[anaphor])]
            found[rows[0]] = 1.0 - self._chance * bool(right)
            if right:
                found[right[-1]] = self._chance
        return found
