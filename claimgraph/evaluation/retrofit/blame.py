"""Attribute each fact of a draft to the stages of KGR, and a fact that is still wrong to the stage to blame.

A claim states a fact where one of its ends holds the words of the fact's object and the other is its subject. Stages
are judged in order: a stage is not blamed for missing input. Where several claims state a fact, the one that came
furthest counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from claimgraph.detect.repair.kgr.protocol import Pass
from claimgraph.evaluation.made.drafts import DraftFact, MadeDraft
from claimgraph.evaluation.retrofit.fates import Standing
from claimgraph.kgstore.model import Claim, Outcome, Span
from claimgraph.kgstore.naming import same_name

OTHER = {"subject": "object", "object": "subject"}


class Blame(StrEnum):
    """The first stage that failed a wrong fact, in their order."""

    CLAIM = "claim not extracted"
    ENTITY = "entity not found or wrong"
    FACT = "fact not selected"
    VERDICT = "verdict not refuted"
    REPLACEMENT = "replacement wrong or none"
    UNDONE = "undone later"


ORDER = list(Blame)


@dataclass(frozen=True, slots=True)
class Said:
    """The results of one pass for one claim that states a fact.

    `role` is that of the fact's subject in the claim. `subject` and `object`: linked rightly, None for a NIL.
    `selected` is the number of selected facts, `gold` those about the fact's subject and relation.
    """

    claim: Claim
    role: str
    subject: bool | None
    object: bool | None
    selected: int
    gold: int
    outcome: Outcome
    reason: str

    @property
    def entities(self) -> bool:
        """Whether detection gave the input of selection: the right subject, and for the object nothing else."""
        return self.subject is True and self.object is not False

    @property
    def failed(self) -> Blame:
        """First stage that did not lead to a repair; the replacement where all others did."""
        if not self.entities:
            return Blame.ENTITY
        if not self.gold:
            return Blame.FACT
        return Blame.REPLACEMENT if self.outcome is Outcome.REFUTED else Blame.VERDICT


def said(fact: DraftFact, standing: Standing, one: Pass) -> list[Said]:
    """Return the results of the pass for each claim that states the fact; `standing` is the fact in the pass's text."""
    found = []
    text = one.extraction.document.text
    for row, claim in enumerate(one.extraction.claims):
        role = _role(claim, fact, standing, text)
        if role:
            ids = _linked(one, claim)
            chosen = [_ends(one, key) for key in one.selection.by_claim[row]]
            found.append(
                Said(
                    claim,
                    role,
                    _right(ids.get(role), fact.subject_id),
                    _right(ids.get(OTHER[role]), fact.written_id),
                    len(chosen),
                    sum(ends in _gold(fact) for ends in chosen),
                    one.verdicts[row].outcome,
                    one.verdicts[row].reason,
                )
            )
    return found


def furthest(found: Sequence[Said]) -> Said | None:
    """Return the claim that came furthest, the first of several; None of none."""
    return max(found, key=lambda one: ORDER.index(one.failed), default=None)


def blame(fact: DraftFact, known: Sequence[Standing], passes: Sequence[Pass]) -> Blame:
    """Return the stage to blame for a fact that is wrong at the end; over the passes the one that came furthest.

    UNDONE where an earlier text had it right, REPLACEMENT where one had another wrong value.
    """
    if any(one.right for one in known):
        return Blame.UNDONE
    if any(one.touched for one in known):
        return Blame.REPLACEMENT
    reached = [
        best.failed if (best := furthest(said(fact, standing, one))) else Blame.CLAIM
        for standing, one in zip(known, passes, strict=False)
    ]
    return max(reached, key=ORDER.index)


def matched(draft: MadeDraft, known: Sequence[Standing], one: Pass) -> set[str]:
    """Return ids of the claims of a pass that state a fact of the draft; `known` is parallel to its facts."""
    pairs = zip(draft.facts, known, strict=True)
    return {found.claim.id for fact, standing in pairs for found in said(fact, standing, one)}


def _role(claim: Claim, fact: DraftFact, standing: Standing, text: str) -> str | None:
    """Return the role of the fact's subject in the claim, None where the claim does not state the fact."""
    words = text[standing.object.start : standing.object.end]
    ends = {"subject": (claim.subject, claim.subject_span), "object": (claim.object, claim.object_span)}
    for role in ("subject", "object"):
        ours, theirs = ends[role], ends[OTHER[role]]
        holds = _holds(theirs[0], words) and _over(theirs[1] or claim.span, standing.object)
        if holds and (_over(ours[1], standing.subject) or same_name(ours[0]) == same_name(fact.subject)):
            return role
    return None


def _holds(words: str, name: str) -> bool:
    return f" {same_name(name)} " in f" {same_name(words)} "


def _over(span: Span | None, other: Span) -> bool:
    return span is not None and span.start < other.end and other.start < span.end


def _linked(one: Pass, claim: Claim) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for link in one.links:
        if link.claim == claim.id and link.entity:
            found.setdefault(link.role, set()).add(link.entity.id)
    return found


def _right(linked: set[str] | None, gold: str | None) -> bool | None:
    """Return whether the link is right; None where nothing was linked, or where a value has no entity."""
    return None if linked is None or gold is None else gold in linked


def _ends(one: Pass, key: str) -> tuple[str, str, str] | None:
    return next(((f.subject, f.predicate, f.object) for f in one.selection.around.facts if f.id == key), None)


def _gold(fact: DraftFact) -> set[tuple[str, str, str] | None]:
    """Return the facts that decide whether it is right: those of its subject and relation."""
    return {(fact.subject_id, fact.predicate_id, right.id) for right in fact.right}
