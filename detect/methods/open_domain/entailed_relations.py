"""Map a claim whose words are no known phrase of a relation to one of a graph's relations, by an entailment model.

    relations that the graph has values of for the one end, and that take the other end as a value
        │  each with the claim's own ends, in words: "The ethnic group of Ann is Danes."
        ▼
    the claim's statement tells that ──▶ the likeliest relation, or none

Phrase lists end where a text is worded otherwise. The kind of value leaves few relations, so the model only confirms.
What it calls neutral, or rather contradicts, is another matter ("Ann despised actors" is not of her occupation). The
other direction, from the relation to the statement, adds nothing (docs/quality).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from claimgraph.detect.compare.relations import said_once, spoken
from claimgraph.detect.methods.open_domain.claim_relations import Reading
from claimgraph.kgstore.model import Claim, EntailmentModel

BIAS, NEUTRAL = -0.9, -1.11
"""Weights of the probability that a relation is meant: the logistic of BIAS and the log-odds of P(neutral). NEUTRAL was
fitted on drafts in words that the list of phrases knows, BIAS set on them for version 10 of `base`, so that as few
relations are taken wrongly as before; measured on others."""
MEANT = 0.55
"""Least such probability."""
LIKENESS = 0.8
"""Likeness of what is found: about the share of right ones of those drafts, if a graph had the relation of every
second."""
_EDGE = 1e-4
_MOST = 6
"""Relations asked about for one claim, by likeness of their words."""


class RelationEntailment:
    """Reads claims by an entailment model with three classes. `model` names it with its numbers, for configurations."""

    def __init__(self, entailment: EntailmentModel) -> None:
        self._entailment = entailment
        self.model = f"{entailment.model} {BIAS} {NEUTRAL} {MEANT}"

    def meant(self, asked: Sequence[tuple[Claim, Sequence[Reading]]]) -> list[Reading | None]:
        """Return for each claim the likeliest of its readings, with LIKENESS; None below MEANT.

        All pairs are scored in one call. Ties go to the first reading; of a model without a neutral class none is
        meant.
        """
        some = [(claim, list(readings)[:_MOST]) for claim, readings in asked]
        pairs = [(claim.sentence, _said(claim, one)) for claim, readings in some for one in readings]
        chances = iter([probability(*row) for row in self._entailment.entail(pairs).tolist()] if pairs else ())
        return [_best([(next(chances), one) for one in readings]) for _, readings in some]


def in_words(relation: str, subject: str, value: str) -> str:
    """Return a fact as a sentence: with the relation's paraphrase, or as "The ethnic group of Ann is Danes."."""
    relation = said_once(relation)
    words = spoken(relation)
    if words != relation:
        return f"{subject[:1].upper()}{subject[1:]} {words} {value}."
    if words.endswith(" by"):
        return f"{subject[:1].upper()}{subject[1:]} was {words} {value}."
    return f"The {words} of {subject} is {value}."


def probability(entailed: float, neutral: float, contradicted: float) -> float:
    """Return the probability that a relation is meant, by what the model reads of it in the statement.

    0 where the statement rather contradicts it, or P(neutral) is not known.
    """
    if math.isnan(neutral) or contradicted > entailed:
        return 0.0
    inner = min(1 - _EDGE, max(_EDGE, neutral))
    return 1 / (1 + math.exp(-(BIAS + NEUTRAL * math.log(inner / (1 - inner)))))


def _said(claim: Claim, reading: Reading) -> str:
    """Return the fact that a reading takes the claim to state, in words, its ends in the claim's."""
    ends = (claim.subject, claim.object) if reading.role == "object" else (claim.object, claim.subject)
    return in_words(reading.name, *ends)


def _best(found: Sequence[tuple[float, Reading]]) -> Reading | None:
    chance, reading = max(found, key=lambda one: one[0], default=(0.0, None))
    return replace(reading, likeness=LIKENESS, said=True, entailed=True) if reading and chance >= MEANT else None
