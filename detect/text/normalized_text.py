"""Normalise a text to its letters and digits with their positions, to find a phrase whatever its spaces and
punctuation.

Regular expressions with optional punctuation were rejected: accents and compatibility forms would not match.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator

from claimgraph.kgstore.model import Span

_SAYING = frozenset({"Sc", "Sm"})
"""Categories of signs that matter beside a number: currencies and mathematics."""


class NormalizedText:
    """A text without case, accents, white space and punctuation; signs of currencies, "%" and decimal points stay."""

    def __init__(self, text: str) -> None:
        self._text, self.length = text, len(text)
        kept = list(_folded(text))
        self._plain = "".join(char for _, char in kept)
        self._at = [at for at, _ in kept]

    def find(self, phrase: str, within: Span) -> list[Span]:
        """Return the spans of the phrase as whole words inside a span of the text, in order; none if it has no
        letters.
        """
        sought = "".join(char for _, char in _folded(phrase))
        first, last = bisect_left(self._at, within.start), bisect_left(self._at, within.end)
        found: list[Span] = []
        at = self._plain.find(sought, first, last) if sought else -1
        while at >= 0:
            span = Span(self._at[at], self._at[at + len(sought) - 1] + 1)
            if self._parted(span.start) and self._parted(span.end):
                found.append(span)
            at = self._plain.find(sought, at + 1, last)
        return found

    def _parted(self, at: int) -> bool:
        """Return whether a word may begin or end there; anywhere in scripts that do not separate words."""
        around = self._text[max(0, at - 1) : at + 1]
        inside = 0 < at < self.length and around.isalnum()
        return not inside or any(unicodedata.category(char) == "Lo" for char in around)


def _folded(text: str) -> Iterator[tuple[int, str]]:
    for at, char in enumerate(text):
        if char in ".," and _inside_number(text, at):
            yield at, char
        for part in unicodedata.normalize("NFKD", char).casefold():
            if part.isalnum() or part == "%" or unicodedata.category(part) in _SAYING:
                yield at, part


def _inside_number(text: str, at: int) -> bool:
    """Return whether a point or comma between digits is more than a separator of thousands."""
    before, after = text[at - 1 : at], text[at + 1 : at + 5]
    if not (before.isdigit() and after[:1].isdigit()):
        return False
    return not (text[at] == "," and after[:3].isdigit() and not after[3:].isdigit())
