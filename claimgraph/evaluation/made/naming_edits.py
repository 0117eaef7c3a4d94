"""Decide whether an explanation names a known edit: the element, the new words and the old ones.

An explanation of another element, or with other words, counts as none: a reader would look in the wrong place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.detect.explanation.edit_script import EditOperation, Operation
from claimgraph.detect.reasons.contrast import Contrast
from claimgraph.detect.text.words import content, negated
from claimgraph.evaluation.made.known_edits import KnownEdit
from claimgraph.kgstore.model import Claim, Finding, Outcome, Span
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison


@dataclass(frozen=True, slots=True)
class Naming:
    """Whether the contrast of a claim, the minimal edit script and the operations of Algorithm 1 name the place;
    whether a claim over it is refuted."""

    contrast: bool
    script: bool
    operations: bool
    refuted: bool


def named(
    edit: KnownEdit,
    claims: Sequence[Claim],
    findings: Sequence[Finding],
    pairs: Sequence[Contrast | None],
    script: Sequence[EditOperation],
    operations: Sequence[EditOperation],
) -> Naming:
    """Return which explanations of the edited text's claims name the edited place.

    Operations name it where one deletes a claim over the place and another adds a triple with the old words there.
    """
    over = [row for row, claim in enumerate(claims) if _covers(_span(claim, edit.element), edit)]
    said = [pair for row in over if (pair := pairs[row]) and pair.element == edit.element]
    changes = [
        change
        for change in script
        if change.operation is Operation.SUBSTITUTE and change.claim in over and change.element == edit.element
    ]
    deleted = [o.triple for o in operations if o.operation is Operation.DELETE and o.claim in over and o.triple]
    added = [o.triple for o in operations if o.operation is Operation.ADD and o.triple]
    return Naming(
        contrast=any(_agree(edit, pair.said, pair.known) for pair in said),
        script=any(_agree(edit, change.before or "", change.after) for change in changes),
        operations=any(
            _agree(edit, getattr(ours, edit.element), getattr(theirs, edit.element))
            for ours in deleted
            for theirs in added
        ),
        refuted=any(findings[row].outcome is Outcome.REFUTED for row in over),
    )


def _span(claim: Claim, element: str) -> Span | None:
    return {"subject": claim.subject_span, "predicate": claim.predicate_span, "object": claim.object_span}[element]


def _covers(span: Span | None, edit: KnownEdit) -> bool:
    return span is not None and span.start < edit.end and edit.start < span.end


def _agree(edit: KnownEdit, said: str, known: str | None) -> bool:
    """Return whether the claim's words are the new ones and the evidence's the old ones, or their equals in value."""
    if edit.kind == "negation":
        return known is None or negated(said) != negated(known)
    return known is not None and _holds(said, edit.after) and _holds(known, edit.before)


def _holds(words: str, value: str) -> bool:
    """Return whether the words hold the value: all its content words, or a date or number that agrees with it."""
    wanted = literals.parse(value)
    if wanted and any(
        literals.compare(wanted, found) in (Comparison.EQUAL, Comparison.COMPATIBLE)
        for _, found in literals.literals_in(words)
    ):
        return True
    return bool(content(value)) and set(content(value)) <= set(content(words))
