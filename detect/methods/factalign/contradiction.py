"""Measure how strongly the source contradicts a hallucinated triple (FactAlign's Knowledge Change Detector).

The paper compares with ALL triples of the source, so n hallucinated triples and m of the source cost n x m runs of the
model: at 100 pairs a second, 20 against 500 take 100 s. Only triples are read, not passages or windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from claimgraph.kgstore.model import EntailmentModel

_PAIRS = 8192
"""Pairs in memory at a time."""


@dataclass(frozen=True, slots=True)
class StrongestContradiction:
    """The strongest contradiction in [0, 1] and the number of the premise it comes from; ties to the first."""

    score: float
    premise: int


def changes(jobs: Sequence[tuple[str, Sequence[str]]], model: EntailmentModel) -> list[StrongestContradiction | None]:
    """Return for each (hypothesis, premises) the strongest contradiction.

    None without premises, or where the model separates consistent from inconsistent only. All pairs of all jobs go
    through the model in one stream, each distinct pair once.
    """
    pairs = list(dict.fromkeys((premise, claim) for claim, premises in jobs for premise in premises))
    found: dict[tuple[str, str], float] = {}
    for start in range(0, len(pairs), _PAIRS):
        block = pairs[start : start + _PAIRS]
        found.update(zip(block, model.entail(block)[:, 2].tolist(), strict=True))
    return [_strongest([found[premise, claim] for premise in premises]) for claim, premises in jobs]


def _strongest(scores: Sequence[float]) -> StrongestContradiction | None:
    if not scores or np.isnan(scores).any():
        return None
    best = int(np.argmax(scores))
    return StrongestContradiction(scores[best], best)
