"""Aggregate claims to sentences and documents, by one rule for reports and evaluation.

A sentence or document is hallucinated if any claim in it is (GraphEval section 4, FactAlign section 4), and its score
is the largest of its claims, so that a threshold on claims is the same threshold on texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.kgstore.model import Finding, Outcome, Span, Status


@dataclass(frozen=True, slots=True)
class Level:
    """The aggregated label and score of a sentence or document.

    `label` 1 hallucinated, 0 not, None where some claim is undecided and none is hallucinated. `score` in [0, 1], None
    where no claim has one. A text without `claims` has label 0 and no score.
    """

    label: int | None
    score: float | None
    claims: int


def inside(spans: Sequence[Span], unit: Span) -> list[int]:
    """Return indices of the spans that share a character with the unit, in order."""
    return [at for at, span in enumerate(spans) if span.overlaps(unit)]


def level(labels: Sequence[int | None], scores: Sequence[float | None]) -> Level:
    """Return the level of claims with these labels and scores."""
    label = 1 if 1 in labels else None if None in labels else 0
    return Level(label, max((score for score in scores if score is not None), default=None), len(labels))


def label_of(outcome: Outcome, status: Status, *, closed: bool, nei: bool) -> int | None:
    """Return the label of a claim: refuted is 1; without enough information 1 where `closed` or by the papers' rule
    (`nei`).

    Otherwise, and where a model failed or timed out, None: unknown.
    """
    if outcome is not Outcome.NOT_ENOUGH_INFO:
        return int(outcome is Outcome.REFUTED)
    if status in (Status.MODEL_FAILED, Status.TIMEOUT):
        return None
    return 1 if closed or nei else None


def score_of(finding: Finding, method: str) -> float | None:
    """Return the method's strength of evidence for a hallucination, in [0, 1]; None where it could not decide."""
    return next((s.value for s in finding.signals if (s.method, s.name) == (method, "hallucination")), None)
