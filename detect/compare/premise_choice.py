"""Which sentences of a context an entailment model reads for a statement: the nearest ones and their neighbours.

To read every window of a long context was rejected: the greatest contradiction over many windows is found in one that
speaks of something else, and nearly all of them are read in vain. Nearness is the share of the statement's words that
a sentence has (names and numbers twice, rare words of the context more) plus the cosine of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from claimgraph.detect.compare.premises import Premises
from claimgraph.detect.models.embedding_space import Space
from claimgraph.kgstore.model import Passage

NEAREST = 3
"""Sentences that are taken for their nearness."""
SENTENCES = 5
WORDS = 140
"""A passage has at most so many sentences and words, which is what the model was trained on; one sentence may have
more."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Rows of sentences, each in the order of the text: the nearest one, it with a neighbour, and a passage.

    `nearness` in [0, 2] is that of the nearest sentence; `coverage` in [0, 1] the share of the statement's words that
    the passage has.
    """

    nearest: tuple[int, ...]
    pair: tuple[int, ...]
    passage: tuple[int, ...]
    nearness: float
    coverage: float


class PremiseChooser:
    """The sentences of a context, prepared for many statements."""

    def __init__(self, passages: Sequence[Passage], space: Space) -> None:
        self._passages, self._space = passages, space
        self._texts = [passage.text for passage in passages]
        self._sizes = [len(text.split()) for text in self._texts]
        self._words = Premises(self._texts)
        self._whole = tuple(range(len(passages))) if self._fits(range(len(passages))) else None
        space.add(self._texts)

    def choose(self, statement: str) -> Chosen:
        """The premises of a statement; there must be a sentence. Ties go to the earlier one."""
        shares = self._words.shares(statement)
        vector = self._space.rows([statement])[0]
        near = shares + self._space.rows(self._texts) @ vector
        order = np.argsort(-near.round(6), kind="stable")
        best = int(order[0])
        passage = self._whole or self._passage([int(row) for row in order[:NEAREST]])
        covered = self._words.covered(statement, passage)
        return Chosen((best,), self._pair(best), passage, float(near[best]), covered)

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

    def _beside(self, row: int, best: int) -> bool:
        inside = 0 <= row < len(self._passages)
        return inside and self._passages[row].document == self._passages[best].document

    def _fits(self, rows: Sequence[int]) -> bool:
        return len(rows) <= SENTENCES and sum(self._sizes[row] for row in rows) <= WORDS
