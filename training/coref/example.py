"""A training example of the mention ranker: a window of a text, the pairs to score, and what is right."""

from __future__ import annotations

import json
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


_ARRAYS = ("spans", "anaphor", "candidate", "features")


def read(path: Path) -> list[Example]:
    """The examples of a file that `write` made."""
    with np.load(path, allow_pickle=False) as held:
        texts = json.loads(bytes(held["texts"]))
        return [
            Example(
                source,
                fold,
                Window(text, *(held[f"{name}-{number}"] for name in _ARRAYS)),
                tuple(kinds),
                held[f"labels-{number}"],
            )
            for number, (source, fold, text, kinds) in enumerate(texts)
        ]


def write(path: Path, examples: Sequence[Example]) -> None:
    """Keep the examples in a file: arrays by name and number, and their texts as JSON."""
    texts = [(one.source, one.fold, one.window.text, one.kinds) for one in examples]
    held = {f"{name}-{n}": getattr(one.window, name) for n, one in enumerate(examples) for name in _ARRAYS}
    held |= {f"labels-{n}": one.labels for n, one in enumerate(examples)}
    with path.open("wb") as file:
        np.savez(file, texts=np.frombuffer(json.dumps(texts).encode(), np.uint8), **held)
