"""Ask an entailment model which of two things a sentence says: a claim, or the claim with one of its words replaced.

Read alone, a claim with one wrong value is often found entailed for the words that it shares with the source. Beside
the same claim with the sentence's own value (compare/typed/alternatives.py) that weighs nothing: both share them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimgraph.detect.compare.typed.alternatives import Alternative, alternatives
from claimgraph.detect.compare.typed.passage_judgement import Wanted
from claimgraph.detect.compare.typed.reckoning import reckonable
from claimgraph.detect.compare.typed.sentence import Sentence
from claimgraph.detect.compare.typed.value_conflicts import held
from claimgraph.detect.text.words import content
from claimgraph.kgstore.model import EntailmentModel, Passage

ENTAILED = 0.7
"""Least P(entailment) of the replaced claim: of our own minimal pairs 57 of 60 claims picked out are false."""
MARGIN = 0.2
"""By how much it exceeds that of the claim itself."""
SHARED = 0.5
"""Share of the claim's other words that a sentence must have to be asked: none says a claim of which it has less."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """What a sentence, of that number, says in the place of some words of a claim, with P(entailment) of it."""

    row: int
    alternative: Alternative
    entailed: float


def replaced(wanted: Sequence[Wanted], read: Mapping[str, Sentence], model: EntailmentModel) -> list[Replaced | None]:
    """Return for each statement what a sentence says instead, None where none does. Raises ModelError.

    The model must find the statement itself contradicted rather than not told: another value or name of something that
    the source does not mention refutes nothing.
    """
    offers = [_offers(passages, statement, rows, read) for passages, statement, rows in wanted]
    own = {
        (passages[row].read, statement)
        for (passages, statement, _), found in zip(wanted, offers, strict=True)
        for row, _ in found
    }
    scores = _scores(own, model)
    instead = {
        (passages[row].read, other.text)
        for (passages, statement, _), found in zip(wanted, offers, strict=True)
        for row, other in found
        if _contradicted(scores[passages[row].read, statement])
    }
    scores |= _scores(instead - own, model)
    return [
        _best(passages, statement, found, scores)
        for (passages, statement, _), found in zip(wanted, offers, strict=True)
    ]


def _scores(asked: set[tuple[str, str]], model: EntailmentModel) -> dict[tuple[str, str], list[float]]:
    pairs = sorted(asked)
    return dict(zip(pairs, model.entail(pairs).tolist(), strict=True)) if pairs else {}


def _contradicted(own: Sequence[float]) -> bool:
    """Return whether the model finds a statement contradicted rather than not told: only then a word refutes it."""
    return own[2] >= own[1]


def _offers(
    passages: Sequence[Passage], statement: str, rows: Sequence[int], read: Mapping[str, Sentence]
) -> list[tuple[int, Alternative]]:
    """Return the alternatives of all sentences that may say them; a value that the passage gives, or that can be
    reckoned, has none.
    """
    claim, values = read[statement], [value for row in rows for value in read[passages[row].read].values]
    given = {value.text for value in claim.values if held(value, values) or reckonable(value, values)}
    offers = [(row, other) for row in rows for other in alternatives(claim, read[passages[row].read])]
    unknown = [(row, other) for row, other in offers if other.kind != "value" or other.said not in given]
    return [(row, other) for row, other in unknown if _says_most(passages[row].read, other)]


def _says_most(sentence: str, other: Alternative) -> bool:
    """Return whether a sentence may say a claim: it has enough of its words, those aside that it gives itself."""
    own, known = set(content(other.known)), set(content(sentence))
    words = [word for word in content(other.text) if word not in own]
    return sum(word in known for word in words) >= SHARED * len(words)


def _best(
    passages: Sequence[Passage],
    statement: str,
    offers: Sequence[tuple[int, Alternative]],
    scores: Mapping[tuple[str, str], list[float]],
) -> Replaced | None:
    found = list[Replaced]()
    for row, other in offers:
        own = scores[passages[row].read, statement]
        if not _contradicted(own):
            continue
        instead = scores[passages[row].read, other.text][0]
        if instead >= max(ENTAILED, own[0] + MARGIN):
            found.append(Replaced(row, other, round(instead, 4)))
    return max(found, key=lambda one: one.entailed, default=None)
