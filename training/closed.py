"""The closed development sets: no training pair shares a text with them, so that every figure is of unseen texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.pair import Pair, rows

GRAM = 13
"""Words in a row that two texts share by copying only."""
_WORD = re.compile(r"\w+")


def grams(text: str) -> set[str]:
    """All runs of GRAM words, in lower case and without punctuation; of a shorter text none."""
    words = _WORD.findall(text.lower())
    return {" ".join(words[at : at + GRAM]) for at in range(len(words) - GRAM + 1)}


class Closed:
    """The texts of `data`/closed."""

    def __init__(self, data: Path) -> None:
        found = [row for path in sorted((data / "closed").glob("*.jsonl.gz")) for row in rows(path)]
        self._texts = {_normal(row[side]) for row in found for side in ("context", "output")}
        self._grams = set().union(*(grams(text) for text in self._texts))

    def has(self, text: str) -> bool:
        """Whether they hold the text itself, or GRAM words in a row of it."""
        return _normal(text) in self._texts or not self._grams.isdisjoint(grams(text))

    def without(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs whose premise and hypothesis they do not have."""
        return (pair for pair in pairs if not self.has(pair.premise) and not self.has(pair.hypothesis))


def _normal(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))
