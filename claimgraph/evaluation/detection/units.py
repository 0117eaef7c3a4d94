"""Turn results into the units that are judged: claims, sentences or documents with gold label, score and predicted
label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.levels import Level, inside, label_of, level
from claimgraph.evaluation.data.labelled import LabelledCase, Unit
from claimgraph.evaluation.detection.results import CaseResult, ClaimResult
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Span

Pair = tuple[LabelledCase, CaseResult]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JudgedUnit:
    """One unit. `found` is by the method's own labels; `text` are its words, `context` those it is checked against."""

    group: str
    gold: int
    found: Level
    text: str
    case: LabelledCase

    @property
    def score(self) -> float:
        """For ranking, in [0, 1]: 0 for a unit without claims, nan where no claim has a score."""
        if not self.found.claims:
            return 0.0
        return float("nan") if self.found.score is None else self.found.score

    @property
    def predicted(self) -> float:
        """0 or 1, nan where the method abstains."""
        return float("nan") if self.found.label is None else float(self.found.label)


def judge(pairs: Sequence[Pair], unit: Unit, *, nei: bool) -> list[JudgedUnit]:
    """Return all units of the texts, in order. Raises InputError where the file has no labels for this unit.

    `nei`: not enough information counts as hallucinated in an open domain too (the papers' rule).
    """
    return [judged for case, result in pairs for judged in _units(case, result, unit, nei=nei)]


def default_unit(cases: Sequence[LabelledCase]) -> Unit:
    """Return the unit of most rows' own labels; of as many, the first in order of claim, sentence, document."""
    units = [case.unit for case in cases]
    return max(Unit, key=units.count)


def scores(units: Sequence[JudgedUnit]) -> NDArray[np.float64]:
    """Return scores of units, shape (n,)."""
    return np.array([unit.score for unit in units], dtype=np.float64)


def _units(case: LabelledCase, result: CaseResult, unit: Unit, *, nei: bool) -> Iterator[JudgedUnit]:
    labels = [label_of(c.outcome, c.status, closed=case.closed, nei=nei) for c in result.claims]
    for gold, text, claims in _members(case, result.claims, unit):
        found = level([labels[at] for at in claims], [result.claims[at].score for at in claims])
        yield JudgedUnit(case.group, gold, found, text, case)


def _members(case: LabelledCase, claims: Sequence[ClaimResult], unit: Unit) -> Iterator[tuple[int, str, Sequence[int]]]:
    """Yield gold label, text and claims of each unit."""
    if unit is Unit.DOCUMENT:
        yield case.label, case.text, range(len(claims))
    elif unit is Unit.SENTENCE:
        for sentence in _labelled(case.sentences, case, unit):
            span = sentence.span
            yield sentence.label, case.text[span.start : span.end], inside([c.span for c in claims], span)
    else:
        for at, claim in enumerate(claims):
            yield _claim_label(case, claim, at), claim.text, [at]


def _claim_label(case: LabelledCase, claim: ClaimResult, at: int) -> int:
    """Return the given triple's label, else whether the claim touches an annotated hallucination (FactAlign
    section 4).
    """
    if case.claims is not None:
        label = case.claims[at].label
        if label is not None:
            return label
    return int(any(touches(claim.parts, mark.span) for mark in _labelled(case.annotations, case, Unit.CLAIM)))


def touches(parts: Sequence[Span], span: Span) -> bool:
    """Return whether one of the spans shares a character with the other."""
    return any(part.overlaps(span) for part in parts)


def _labelled(labels: Sequence[T] | None, case: LabelledCase, unit: Unit) -> Sequence[T]:
    if labels is None:
        raise InputError(
            f"{case.dataset}, line {case.line}: no {unit.value} has a label of its own; give another --unit"
        )
    return labels
