"""Measure how much of a text is not in its source, by words alone: the baseline of every method, and a signal of
fusion.

Systems that copy are mostly right and systems that rewrite are sometimes wrong, so the share of novel bigrams orders
summaries nearly as well as trained models do on SummEval, and says nothing where a right text was edited (SummEdits).
ROUGE against the source was rejected: it measures coverage of the source, which a summary is not meant to have.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from claimgraph.detect.text.words import content, names, stem, tokens


@dataclass(frozen=True, slots=True)
class Novelty:
    """The novelty of a text relative to its source; shares in [0, 1], None for a text without words.

    `words` and `bigrams`: share of the text's words and bigrams that the source has nowhere. `pieces`: number of pieces
    when the text is cut, from the left, into the longest runs that the source has too, as a share of its words: near 0
    for a copied sentence, 1 where no two words follow each other as in the source (Grusky et al. 2018 sum the squares
    of the same runs). `names`, `numbers`: how many words written as a name, or with a digit first, are novel.
    """

    words: float | None
    bigrams: float | None
    pieces: float | None
    names: int
    numbers: int


class Source:
    """A source text prepared for many comparisons."""

    def __init__(self, text: str) -> None:
        self._words = _words(text)
        self._at: dict[str, list[int]] = defaultdict(list)
        for position, word in enumerate(self._words):
            self._at[word].append(position)
        self._bigrams = set(pairwise(self._words))
        self._stems = set(content(text))

    def novelty(self, text: str) -> Novelty:
        """Compare a text with the source: lower-case words without punctuation, names by their stems."""
        words = _words(text)
        bigrams = list(pairwise(words))
        return Novelty(
            words=_share(sum(word not in self._at for word in words), len(words)),
            bigrams=_share(sum(pair not in self._bigrams for pair in bigrams), len(bigrams)),
            pieces=_share(self._pieces(words), len(words)),
            names=sum(stem(name) not in self._stems for name in names(text)),
            numbers=sum(word[0].isdigit() and word not in self._at for word in words),
        )

    def _pieces(self, words: Sequence[str]) -> int:
        count = position = 0
        while position < len(words):
            run = max((self._run(words, position, at) for at in self._at.get(words[position], ())), default=1)
            position += run
            count += 1
        return count

    def _run(self, words: Sequence[str], position: int, at: int) -> int:
        length, most = 1, min(len(words) - position, len(self._words) - at)
        while length < most and words[position + length] == self._words[at + length]:
            length += 1
        return length


def _words(text: str) -> list[str]:
    return [match[0].lower() for match in tokens(text)]


def _share(count: int, total: int) -> float | None:
    return count / total if total else None
