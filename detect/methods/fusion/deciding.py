"""Which sentences of a context an outcome rests on, and which of them a reader is shown first.

A claim's statement is read beside three premises, of which two have several sentences, its triple beside the widest,
and what is left open beside many sentences. Where such a premise decides, and the nearest sentence alone does not, each
of its sentences is read alone: the one that tells the outcome most is quoted. To read all claims beside all sentences
was rejected: most outcomes rest on the nearest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimgraph.detect.check_input import Case
from claimgraph.detect.compare.relations import sentence
from claimgraph.detect.extraction.sentence_places import as_premise
from claimgraph.detect.methods.fusion.premises_read import WIDE
from claimgraph.detect.methods.fusion.reading import ClaimReading
from claimgraph.detect.text.words import content
from claimgraph.kgstore.model import Claim, EntailmentModel, Outcome, Passage

_DECIDING = {Outcome.SUPPORTED: ("entailment", 0), Outcome.REFUTED: ("contradiction", 2)}
"""What the model reads of an outcome, and the column of that class."""
_READ = 0.5
"""Least probability at which the model reads an outcome in a premise."""


def read_alone(
    case: Case, read: Sequence[ClaimReading], outcomes: Sequence[Outcome], model: EntailmentModel
) -> list[dict[int, float]]:
    """Return for each claim the probability of its outcome beside each sentence alone, by the sentence's row; empty
    where its nearest sentence decides, or no premise does. All pairs are read in one call. Raises ModelError.
    """
    asked = [_narrowest(one, outcome) for one, outcome in zip(read, outcomes, strict=True)]
    pairs = [
        (as_premise(case.passages[row].read), sentence(claim.triple) if premise == "triple" else claim.sentence)
        for claim, (premise, rows) in zip(case.claims, asked, strict=True)
        for row in rows
        if len(rows) > 1
    ]
    scores = iter(model.entail(pairs) if pairs else ())
    return [
        {row: float(next(scores)[_DECIDING[outcome][1]]) for row in rows if len(rows) > 1}
        for outcome, (_, rows) in zip(outcomes, asked, strict=True)
    ]


def _narrowest(read: ClaimReading, outcome: Outcome) -> tuple[str, tuple[int, ...]]:
    """Return the premise of fewest sentences beside which the model reads the outcome, and their rows: one of those of
    the statement, else the passage beside the triple, else many; the nearest sentence where there is none.
    """
    chosen = read.chosen
    rows = {"nearest": chosen.nearest, "pair": chosen.pair, "passage": chosen.passage, "triple": chosen.passage}
    rows[WIDE] = chosen.wide
    if outcome not in _DECIDING:
        return "nearest", chosen.nearest
    name, given = _DECIDING[outcome][0], (part for part in rows if f"{part}.entailment" in read.signals)
    found = next((part for part in given if read.signals.get(f"{part}.{name}", 1.0) >= _READ), "nearest")
    return found, rows[found]


def deciding(read: ClaimReading, outcome: Outcome, alone: Mapping[int, float] | None = None) -> tuple[int, ...]:
    """Return the sentences that an outcome rests on.

    These are the fewest that the model reads so: the nearest, it with its neighbour, or the passage, the nearest first;
    of several the one that tells the outcome most by itself, if one does by `alone` (see read_alone; ties to the
    earlier). Of many sentences of which none tells it by itself, the one that does most comes first. For no outcome it
    is the nearest.
    """
    premise, rows = _narrowest(read, outcome)
    nearest = read.chosen.nearest[0]
    telling_most = max(sorted(alone), key=lambda row: alone[row]) if alone else nearest
    if alone and alone[telling_most] >= _READ:
        return (telling_most,)
    first = telling_most if premise == WIDE else nearest
    return (first, *(row for row in rows if row != first))


def needed(statement: str, rows: Sequence[int], passages: Sequence[Passage]) -> tuple[int, ...]:
    """Return of the sentences the first, and those that have words of the statement which none before them has.

    The sentence with most such words comes next, ties to the one given first.
    """
    words = {row: set(content(passages[row].read)) for row in rows}
    missing, kept = set(content(statement)) - words[rows[0]], [rows[0]]
    while (best := max(rows, key=lambda row: len(missing & words[row]))) not in kept:
        missing -= words[best]
        kept.append(best)
    return tuple(kept)


def telling(claim: Claim, known: str | None, rows: Sequence[int], passages: Sequence[Passage]) -> list[int]:
    """Return the sentences with the one first that a reader is shown: it has the value `known`, else most words of the
    statement beside its subject's; ties to the one given first.
    """
    rest = set(content(claim.sentence)) - set(content(claim.triple.subject))

    def tells(row: int) -> tuple[bool, int]:
        text = passages[row].read
        return known is not None and known in text, len(rest & set(content(text)))

    first = max(rows, key=tells)
    return [first, *(row for row in rows if row != first)]
