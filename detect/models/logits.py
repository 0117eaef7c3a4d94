"""Convert a classifier's logits to the rows of an EntailmentModel: the pure part, shared by all runtimes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.errors import ModelError

COLUMNS = ("entailment", "neutral", "contradiction")


def rows(logits: NDArray[np.float32], order: Sequence[int | None]) -> NDArray[np.float32]:
    """Return the softmax of `logits`, shape (n, k), as P(entailment), P(neutral), P(contradiction), shape (n, 3).

    `order` as the function `order` has it; a class the model has not is nan: unknown, not 0.
    """
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = shifted / shifted.sum(axis=1, keepdims=True)
    found = np.full((len(logits), 3), np.nan, np.float32)
    for column, row in enumerate(order):
        if row is not None:
            found[:, column] = shares[:, row]
    return found


def consistency(logit: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of a model with one score: sigmoid of `logit`, shape (n,), then nan twice, shape (n, 3)."""
    return rows(np.column_stack([logit, np.zeros_like(logit)]), (0, None, None))


def order(labels: Sequence[str]) -> tuple[int | None, ...]:
    """Return the positions of the three columns among a model's class names; case does not matter.

    Three classes without names ("LABEL_0") stand in the order of COLUMNS, and of two the second is entailment
    (MiniCheck: 1 is supported); a model of entailment and one other class has no neutral and no contradiction (None).
    Raises ModelError where the classes are others.
    """
    names = [label.lower() for label in labels]
    if names == ["label_0", "label_1", "label_2"]:
        return (0, 1, 2)
    if names == ["label_0", "label_1"]:
        return (1, None, None)
    if "entailment" not in names or (len(names) != 2 and set(names) != set(COLUMNS)):
        raise ModelError(f"no entailment model: its labels are {', '.join(labels) or 'none'}")
    return tuple(names.index(column) if column in names else None for column in COLUMNS)
