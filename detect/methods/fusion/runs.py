"""Cut a text into the longest runs of words that a source has too, in time that grows with the text alone.

A suffix array of the source's words: all places where a run begins are neighbours in it, and a further word narrows
them by binary search. To try every place of a word was rejected: two books have a hundred million pairs of "the".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray


class Runs:
    """The runs of words of a source, prepared for many texts."""

    def __init__(self, source: Sequence[str]) -> None:
        self._number = {word: number for number, word in enumerate(dict.fromkeys(source))}
        words = np.array([self._number[word] for word in source], np.int64)
        self._starts = suffix_array(words).tolist()
        self._words = [*words.tolist(), -1]

    def pieces(self, text: Sequence[str]) -> int:
        """Return the number of pieces when the text is cut, from the left, into the longest runs that the source has,
        and words that it has not.
        """
        count = position = 0
        while position < len(text):
            position += max(1, self._longest(text, position))
            count += 1
        return count

    def _longest(self, text: Sequence[str], position: int) -> int:
        """Return the length of the longest run of the source that the text has at a position."""
        low, high, length = 0, len(self._starts), 0
        while position + length < len(text) and (word := self._number.get(text[position + length])) is not None:
            at = self._word_after(length)
            low = bisect_left(self._starts, word, low, high, key=at)
            high = bisect_right(self._starts, word, low, high, key=at)
            if low == high:
                break
            length += 1
        return length

    def _word_after(self, length: int) -> Callable[[int], int]:
        words, end = self._words, len(self._words) - 1
        return lambda start: words[min(start + length, end)]


def suffix_array(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of a sequence of numbers from 0 on, ordered by what follows from there; an end comes first.

    By doubling: places ordered by their first k words are ordered by 2k with the ranks of the places k later.
    """
    rank, size, k = words, len(words), 1
    while True:
        after = np.full(size, -1, np.int64)
        after[: max(0, size - k)] = rank[k:]
        order = np.lexsort((after, rank))
        new = np.concatenate([[0], np.cumsum((np.diff(rank[order]) != 0) | (np.diff(after[order]) != 0))])[:size]
        rank = np.empty(size, np.int64)
        rank[order] = new
        if size == 0 or new[-1] == size - 1:
            return order
        k *= 2
