"""A training example of the mention ranker: a window of a text, the pairs to score, and what is right."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.coreference import Window

RIGHT, FALSE, OPEN = 1, 0, -1
"""Labels of a pair; what is open counts neither way."""
HELD, TUNED = 0, 1
"""Folds of documents: one only measures, on the other only thresholds are chosen. The rest are trained on."""


@dataclass(frozen=True, slots=True)
class Example:
    """`kinds` and `labels` are of the window's pairs, in order; `fold` is that of the document."""

    source: str
    fold: int
    window: Window
    kinds: tuple[str, ...]
    labels: NDArray[np.int8]

    @property
    def trained(self) -> bool:
        """Whether it may be trained on."""
        return self.fold not in {HELD, TUNED}


def read(path: Path) -> list[Example]:
    """The examples of a file that `write` made on this machine."""
    with path.open("rb") as file:
        found: list[Example] = pickle.load(file)
    return found


def write(path: Path, examples: Sequence[Example]) -> None:
    """Keep the examples in a file."""
    with path.open("wb") as file:
        pickle.dump(list(examples), file)
