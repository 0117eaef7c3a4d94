"""Work through many texts in batches, and say how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

Advance = Callable[[int, int], None]
"""Called with (done, total)."""


def silent(done: int, total: int) -> None:
    """Say nothing: the default Advance."""
    del done, total


def batches(items: Sequence[T], size: int, advance: Advance = silent) -> Iterator[Sequence[T]]:
    """Yield the items, `size` at a time; each batch counts as done when the next one is asked for."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
        advance(min(start + size, len(items)), len(items))
