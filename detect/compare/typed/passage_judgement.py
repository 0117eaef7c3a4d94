"""Judge statements by the sentences chosen for them, with what came before a sentence that has a pronoun."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimgraph.detect.compare.typed.differences import Judgement
from claimgraph.detect.compare.typed.judgement import judge
from claimgraph.detect.compare.typed.sentence import Sentence, read_all
from claimgraph.kgstore.model import Passage

BACK = 2
"""Sentences before one that its pronouns may refer to."""
_PRONOUN = re.compile(r"\b(?:he|she|it|they|his|her|hers|its|their|this|these)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PassageJudgement:
    """What the sentences of a passage say together of a statement, and the number of the sentence that says it."""

    row: int
    judgement: Judgement


Wanted = tuple[Sequence[Passage], str, Sequence[int]]
"""Passages, a statement, and the numbers of the passages that it is judged by."""


def read_wanted(wanted: Sequence[Wanted]) -> dict[str, Sentence]:
    """Return all statements, and the sentences that they are judged by or that these refer to, parsed together."""
    texts = [passages[at].read for passages, _, chosen in wanted for row in chosen for at in _around(passages, row)]
    return read_all([*(statement for _, statement, _ in wanted), *texts])


def judged(wanted: Sequence[Wanted], read: Mapping[str, Sentence]) -> list[PassageJudgement | None]:
    """Return a judgement of each statement by the sentences of those numbers among the passages beside it, None where
    they tell nothing or do not agree; `read` is what `read_wanted` gives.
    """
    return [_of_passage(passages, read[statement], sorted(chosen), read) for passages, statement, chosen in wanted]


def _around(passages: Sequence[Passage], row: int) -> range:
    """Return the numbers of a sentence and of those before it that it may refer to."""
    back = BACK if _PRONOUN.search(passages[row].read) else 0
    first = next((at for at in range(max(0, row - back), row) if passages[at].document == passages[row].document), row)
    return range(first, row + 1)


def _of_passage(
    passages: Sequence[Passage], claim: Sentence, chosen: Sequence[int], read: Mapping[str, Sentence]
) -> PassageJudgement | None:
    found = []
    for row in chosen:
        before = [read[passages[at].read] for at in _around(passages, row)[:-1]]
        background = {word.stem for sentence in before for word in sentence.words}
        if judgement := judge(claim, read[passages[row].read], background):
            found.append(PassageJudgement(row, judgement))
    agreed = len({one.judgement.excluded for one in found}) == 1
    return found[0] if agreed else None
