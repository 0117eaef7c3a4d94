"""Choose the few sentences of a context that are relevant to a statement, for comparison in meaning and for citation.

As one premise for an entailment model they were tried and rejected: over every window (detect/methods/grapheval.py) the
development model separates better, for five times the pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.text.words import content, names, tokens

MOST_WORDS = 100
"""Whole sentences are added up to this many words: what a sentence model reads at once."""
FEW_WORDS = 40
"""Below this many words sentences are added even if they cover nothing new."""
SENTENCES = 4
_SEEN = 0.25
"""Weight of a word that an earlier chosen sentence has too."""


class Premises:
    """Sentences prepared for many statements."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._sizes = [sum(1 for _ in tokens(sentence)) for sentence in sentences]
        self._rows: dict[str, list[int]] = defaultdict(list)
        for row, sentence in enumerate(sentences):
            for word in set(content(sentence)):
                self._rows[word].append(row)

    def nearest(self, statement: str) -> tuple[int, ...]:
        """Return rows of the chosen sentences in the order of the text, at most SENTENCES; () where there are none.

        Greedy: the sentence that covers most words of the statement not covered yet; names and numbers count twice, a
        covered word a quarter. Ties go to the earlier sentence.
        """
        weights = _weights(statement)
        every, left, chosen = self._count(weights, weights), dict(weights), list[int]()
        while len(chosen) < min(SENTENCES, len(self._sentences)):
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
        order = np.argsort(-shared, kind="stable")[:limit]
        return [int(row) for row in order if shared[row] > 0]

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
        found = sum(weight for word, weight in weights.items() if not kept.isdisjoint(self._rows.get(word, ())))
        return found / sum(weights.values()) if weights else 0.0

    def _rare(self, statement: str) -> dict[str, float]:
        size = len(self._sentences)
        return {
            word: weight * float(np.log1p(size / (1 + len(self._rows.get(word, ())))))
            for word, weight in _weights(statement).items()
        }

    def text(self, rows: Iterable[int]) -> str:
        """Return the premise that these rows form."""
        return " ".join(self._sentences[row].strip() for row in rows)

    def _worth(self, row: int, chosen: Sequence[int], left: Iterable[str]) -> bool:
        size = sum(self._sizes[other] for other in chosen)
        if size + self._sizes[row] > MOST_WORDS:
            return False
        return size <= FEW_WORDS or any(row in self._rows.get(word, ()) for word in left)

    def _count(self, words: Iterable[str], weights: dict[str, float]) -> NDArray[np.float64]:
        found = np.zeros(len(self._sentences))
        for word in words:
            found[self._rows.get(word, [])] += weights[word]
        return found


def _weights(statement: str) -> dict[str, float]:
    heavy = set(names(statement))
    return {word: 2.0 if word in heavy or word[0].isdigit() else 1.0 for word in content(statement)}
