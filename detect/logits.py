"""From what a classifier says to the rows of an EntailmentModel: the pure part, shared by all runtimes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kgstore.errors import ModelError

COLUMNS = ("entailment", "neutral", "contradiction")


def rows(logits: NDArray[np.float32], labels: Sequence[str]) -> NDArray[np.float32]:
    """Softmax of `logits`, shape (n, k), as P(entailment), P(neutral), P(contradiction), shape (n, 3).

    `labels` are the model's names of its k classes; case does not matter. A model without names ("LABEL_0") has them
    in the order of COLUMNS. One that knows entailment and one other class gives nan for the last two: unknown, not 0.
    Raises ModelError where no class is called entailment.
    """
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = shifted / shifted.sum(axis=1, keepdims=True)
    found = np.full((len(logits), 3), np.nan, np.float32)
    for column, row in enumerate(_order(labels)):
        if row is not None:
            found[:, column] = shares[:, row]
    return found


def _order(labels: Sequence[str]) -> tuple[int | None, ...]:
    """Where the three columns stand among the labels."""
    names = [label.lower() for label in labels]
    if names == ["label_0", "label_1", "label_2"]:
        return (0, 1, 2)
    if "entailment" not in names or (len(names) != 2 and set(names) != set(COLUMNS)):
        raise ModelError(f"no entailment model: its labels are {', '.join(labels) or 'none'}")
    return tuple(names.index(column) if column in names else None for column in COLUMNS)
