"""Find spans by place in time that does not grow with the text: sentences around a character, facts within a sentence.

Claims, facts and sentences of a long text meet by place all the time; to go through all of them each time is what makes
a check of a book quadratic.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable
from itertools import accumulate

from claimgraph.kgstore.model import Span


class SpanIndex:
    """Numbered spans of one or several texts, prepared for many questions; None among them is in no answer."""

    def __init__(self, spans: Iterable[tuple[Hashable, Span | None]]) -> None:
        """`spans`: each with its text; the number of a span is its place among them."""
        rows: dict[Hashable, list[tuple[int, int, int]]] = defaultdict(list)
        for row, (text, span) in enumerate(spans):
            if span is not None:
                rows[text].append((span.start, span.end, row))
        self._rows = {text: sorted(found) for text, found in rows.items()}
        self._farthest = {
            text: list(accumulate((end for _, end, _ in found), max)) for text, found in self._rows.items()
        }

    def around(self, text: Hashable, place: int) -> list[int]:
        """Return the numbers of the spans of a text that hold the character at `place`, in order."""
        return self.overlapping(text, place, place + 1)

    def overlapping(self, text: Hashable, start: int, end: int) -> list[int]:
        """Return the numbers of the spans of a text that share a character with `start` to `end`, in order."""
        rows = self._rows.get(text, [])
        first = bisect_right(self._farthest.get(text, []), start)
        last = bisect_left(rows, (end, 0, 0))
        return sorted(row for _, stop, row in rows[first:last] if stop > start)

    def starting(self, text: Hashable, start: int, end: int) -> list[int]:
        """Return the numbers of the spans of a text that begin at `start` or later and before `end`, in order."""
        rows = self._rows.get(text, [])
        return sorted(row for _, _, row in rows[bisect_left(rows, (start, 0, 0)) : bisect_left(rows, (end, 0, 0))])
