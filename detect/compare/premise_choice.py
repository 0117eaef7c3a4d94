"""Choose the sentences of a context that are read for a statement: the nearest ones and their neighbours.

To read every window of a long context was rejected: the greatest contradiction over many windows is found in one that
speaks of something else, and nearly all of them are read in vain. Nearness is the share of the statement's words that
a sentence has (names and numbers twice, rare words of the context more) plus the cosine of both. `Premises` chooses by
words alone, for comparison in meaning and for citation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.embedder import Space, greatest
from claimgraph.detect.text.words import content, names, tokens
from claimgraph.kgstore.model import Passage

MOST_WORDS = 100
"""Whole sentences are added up to this many words: what a sentence model reads at once."""
FEW_WORDS = 40
"""Below this many words sentences are added even if they cover nothing new."""
_CITED = 4
"""Most sentences chosen by words alone."""
_SEEN = 0.25
"""Weight of a word that an earlier chosen sentence has too."""


class Premises:
    """The sentences of a context, prepared for choices by words."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._sizes = [sum(1 for _ in tokens(sentence)) for sentence in sentences]
        rows: dict[str, list[int]] = defaultdict(list)
        for row, sentence in enumerate(sentences):
            for word in set(content(sentence)):
                rows[word].append(row)
        self._rows = {word: np.array(found, np.intp) for word, found in rows.items()}

    def nearest(self, statement: str) -> tuple[int, ...]:
        """Return rows of the chosen sentences in the order of the text, at most four; () where there are none.

        Greedy: the sentence that covers most words of the statement not covered yet; names and numbers count twice, a
        covered word a quarter. Ties go to the earlier sentence.
        """
        weights = _weights(statement)
        every, left, chosen = self._count(weights, weights), dict(weights), list[int]()
        while len(chosen) < min(_CITED, len(self._sentences)):
            gain = self._count(left, weights) + _SEEN * every
            gain[chosen] = -1.0
            best = int(gain.argmax())
            if chosen and not self._worth(best, chosen, left):
                break
            chosen.append(best)
            left = {word: weight for word, weight in left.items() if best not in self._rows.get(word, ())}
        return tuple(sorted(chosen))

    def closest(self, statement: str, limit: int) -> list[int]:
        """Return rows of at most `limit` sentences that share a word with the statement, most shared words first, ties
        to the earlier; names and numbers count twice.
        """
        shared = self._count(weights := _weights(statement), weights)
        return [row for row in greatest(shared, limit) if shared[row] > 0]

    def shares(self, statement: str) -> NDArray[np.float64]:
        """Return the share in [0, 1] of the statement's words that each sentence has, shape (sentences,).

        Names and numbers count twice, and a word the less the more sentences have it.
        """
        weights = self._rare(statement)
        total = sum(weights.values())
        return self._count(weights, weights) / total if total else np.zeros(len(self._sentences))

    def covered(self, statement: str, rows: Iterable[int]) -> float:
        """Return the share in [0, 1] of the statement's words that the sentences of these rows have together."""
        weights, kept = _weights(statement), set(rows)
        found = sum(weight for word, weight in weights.items() if any(row in self._rows.get(word, ()) for row in kept))
        return found / sum(weights.values()) if weights else 0.0

    def _rare(self, statement: str) -> dict[str, float]:
        size = len(self._sentences)
        return {
            word: weight * float(np.log1p(size / (1 + len(self._rows.get(word, ())))))
            for word, weight in _weights(statement).items()
        }

    def _worth(self, row: int, chosen: Sequence[int], left: Iterable[str]) -> bool:
        size = sum(self._sizes[other] for other in chosen)
        if size + self._sizes[row] > MOST_WORDS:
            return False
        return size <= FEW_WORDS or any(row in self._rows.get(word, ()) for word in left)

    def _count(self, words: Iterable[str], weights: dict[str, float]) -> NDArray[np.float64]:
        found = np.zeros(len(self._sentences))
        for word in words:
            if word in self._rows:
                found[self._rows[word]] += weights[word]
        return found


def _weights(statement: str) -> dict[str, float]:
    heavy = set(names(statement))
    return {word: 2.0 if word in heavy or word[0].isdigit() else 1.0 for word in content(statement)}


def _told(text: str, names: str) -> str:
    """Return a sentence after the names of what it speaks of, where it lacks one of their words."""
    return f"{names}: {text}" if set(content(names)) - set(content(text)) else text


NEAREST = 3
"""Sentences that are taken for their nearness."""
SENTENCES = 5
WORDS = 140
"""A passage has at most so many sentences and words, which is what the model was trained on; one sentence may have
more."""

WIDE_WORDS = 300
"""The nearest sentences have together at most so many words: what a claim is read beside that is left open."""


@dataclass(frozen=True, slots=True)
class ChosenPremises:
    """Rows of sentences, each in the order of the text: the nearest one, it with a neighbour, a passage, and the
    nearest sentences of a long context, of a short one all (`wide`).

    `nearness` in [0, 2] is that of the nearest sentence; `coverage` in [0, 1] the share of the statement's words that
    the passage has; `whole` whether the passage is all of the context.
    """

    nearest: tuple[int, ...]
    pair: tuple[int, ...]
    passage: tuple[int, ...]
    wide: tuple[int, ...]
    nearness: float
    coverage: float
    whole: bool


_TOGETHER = 256
"""Statements whose cosines with all sentences are computed at once."""


class PremiseChooser:
    """The sentences of a context, prepared for many statements."""

    def __init__(self, passages: Sequence[Passage], space: Space, about: Sequence[str] | None = None) -> None:
        """`about`: for each sentence the names of what it speaks of, whose words count as its own: those that its
        pronouns stand for, which it has not.
        """
        self._passages, self._space = passages, space
        self._texts = [passage.read for passage in passages]
        self._sizes = [len(text.split()) for text in self._texts]
        named = about or [""] * len(passages)
        told = [_told(text, names) for text, names in zip(self._texts, named, strict=True)]
        self._words = Premises(told)
        self._whole = tuple(range(len(passages))) if self._fits(range(len(passages))) else None
        space.add(told)
        self._vectors = space.rows(told)

    def choose(self, statements: Sequence[str]) -> Iterator[ChosenPremises]:
        """Yield the premises of each statement; there must be a sentence. Ties go to the earlier one."""
        for start in range(0, len(statements), _TOGETHER):
            block = statements[start : start + _TOGETHER]
            cosines = self._space.rows(block) @ self._vectors.T
            for statement, cosine in zip(block, cosines, strict=True):
                yield self._choice(statement, self._words.shares(statement) + cosine)

    def _choice(self, statement: str, near: NDArray[np.float64]) -> ChosenPremises:
        first = greatest(near.round(6), WIDE_WORDS)  # no more sentences than words
        best, passage = first[0], self._whole or self._passage(first[:NEAREST])
        covered = self._words.covered(statement, passage)
        wide, whole = self._wide(first), self._whole is not None
        return ChosenPremises((best,), self._pair(best), passage, wide, float(near[best]), covered, whole)

    def text(self, rows: Sequence[int]) -> str:
        """The premise that these rows make."""
        return " ".join(self._texts[row].strip() for row in rows)

    def _pair(self, best: int) -> tuple[int, ...]:
        """The nearest sentence with the one before it, or, where none is, with the one after it."""
        around = [row for row in (best - 1, best + 1) if self._beside(row, best)]
        return tuple(sorted([best, *around[:1]]))

    def _passage(self, nearest: Sequence[int]) -> tuple[int, ...]:
        """The nearest sentence, one beside it, the next nearest, and the other one beside it, as many as fit."""
        best = nearest[0]
        around = [row for row in (best - 1, best + 1) if self._beside(row, best)]
        chosen = [best]
        for row in [*around[:1], *nearest[1:], *around[1:]]:
            if row not in chosen and self._fits([*chosen, row]):
                chosen.append(row)
        return tuple(sorted(chosen))

    def _wide(self, nearest: Sequence[int]) -> tuple[int, ...]:
        """The nearest sentences, as many as have WIDE_WORDS together; one at least."""
        sizes = accumulate(self._sizes[row] for row in nearest)
        fitting = sum(1 for size in sizes if size <= WIDE_WORDS)
        return tuple(sorted(nearest[: max(fitting, 1)]))

    def _beside(self, row: int, best: int) -> bool:
        inside = 0 <= row < len(self._passages)
        return inside and self._passages[row].document == self._passages[best].document

    def _fits(self, rows: Sequence[int]) -> bool:
        return len(rows) <= SENTENCES and sum(self._sizes[row] for row in rows) <= WORDS
