"""Eq. 1 of FactAlign by trying every permutation of the padded sets."""

from __future__ import annotations

from itertools import permutations

import numpy as np


def padded(rows: np.ndarray, size: int) -> np.ndarray:
    return np.concatenate([rows, np.zeros((size - len(rows), rows.shape[1]))])


def objective(ours: list[np.ndarray], theirs: list[np.ndarray], order: tuple[int, ...]) -> float:
    """Sum over l of ||P A_s^l H_s - A_g^l H_g||_F²; row i of P picks row order[i]."""
    return float(sum(((b[list(order)] - a) ** 2).sum() for a, b in zip(ours, theirs, strict=True)))


def powers(adjacency: np.ndarray, rows: np.ndarray, levels: range, size: int) -> list[np.ndarray]:
    """A^l H for l in `levels`, padded with zero rows to `size`."""
    return [padded(np.linalg.matrix_power(adjacency, level) @ rows, size) for level in levels]


def least(ours: list[np.ndarray], theirs: list[np.ndarray]) -> float:
    """The objective's minimum over all permutations."""
    return min(objective(ours, theirs, order) for order in permutations(range(len(ours[0]))))


def completed(found: list[int], size: int) -> tuple[int, ...]:
    """A partial assignment (-1 for a row without partner) as a permutation of `size`; the rest in order."""
    taken = {column for column in found if column >= 0}
    free = iter([column for column in range(size) if column not in taken])
    whole = [column if column >= 0 else next(free) for column in found]
    return (*whole, *free)
