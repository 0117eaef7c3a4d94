"""Shares, means and rounding as reports have them: four decimals, None where undefined or unknown, never 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def rounded(value: float | None, digits: int = 4) -> float | None:
    """Return the value rounded; None for None and nan."""
    return None if value is None or value != value else round(float(value), digits)


def share(part: float, whole: float) -> float | None:
    """Return part / whole; None of nothing."""
    return rounded(part / whole) if whole else None


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of the known values; None where none is."""
    known = [value for value in values if value is not None]
    return share(sum(known), len(known))


def precision_recall(right: int, made: int, possible: int, found: int | None = None) -> dict[str, Any]:
    """Return `{precision, recall}`: `right` of those `made`; `found`, by default as many, of all `possible`."""
    return {"precision": share(right, made), "recall": share(right if found is None else found, possible)}
