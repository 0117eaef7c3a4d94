"""Correct the hallucinated claims of a text, with every change recorded: the types, and the form without an LLM.

GraphCorrect (GraphEval, section 6) changes only what a claim found wrong. Without a language model the wrong element is
replaced at its span by the words of the evidence, and every other character stays; where the evidence has no other
value nothing changes. Deleting unsupported sentences was rejected: it repairs nothing and loses what may be true. Its
LLM forms are in graphcorrect.py, the choice of words in replacement.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from claimgraph.detect.repair.replacement import replacement
from claimgraph.kgstore.model import Citation, Claim, Evidence, Finding, Outcome, Stance, Verdict


class EditStatus(StrEnum):
    """The result of correcting a claim; all but APPLIED leave the text unchanged."""

    APPLIED = "applied"
    OVERLAP = "overlap"
    """Another edit, earlier in the text, changes the same words differently."""
    NO_REPLACEMENT = "no replacement"
    """The evidence denies the claim and has no other words for an element of it."""
    NOT_ENOUGH_INFO = "not enough info"
    """Nothing contradicts the claim, so no right value is known."""
    MALFORMED = "malformed answer"
    """The language model gave no triple, or no text, when asked twice."""
    MODEL_FAILED = "model failed"
    """The language model gave no answer."""
    UNCHANGED = "unchanged"
    """The language model left the triple or the text as it was."""
    STRAY = "changed what no claim refutes"
    """The language model also changed these words; the change was taken back."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change, or the reason for none, for a claim.

    The span [start, end) is in the original; `before` stood there when the edit was made, `after` stands there now.
    Where the status is not APPLIED both are the claim's own words at its span; of a STRAY one they are the unchanged
    words and their rejected replacement. `reason` is the error of a language model's answer.
    """

    claim: str
    start: int
    end: int
    before: str
    after: str
    verdict: str | None
    status: EditStatus
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Corrected:
    """The original, the corrected text, and the edits between them in the order of the original."""

    original: str
    text: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim with its verdict; `hallucination` is P(hallucination) in [0, 1], None where unknown."""

    claim: Claim
    outcome: Outcome
    citations: tuple[Citation, ...]
    hallucination: float | None
    verdict: str | None = None

    @property
    def suspected(self) -> bool:
        """Whether P is above 0.5; where it is unknown, whether the claim is refuted."""
        return self.outcome is Outcome.REFUTED if self.hallucination is None else self.hallucination > SUSPECT


@dataclass(frozen=True, slots=True)
class Draft:
    """A text to correct by the full text of its context; `claims` are in the order of their spans.

    `sources` has the texts of the context by id, where it is several documents.
    """

    text: str
    context: str
    claims: tuple[Checked, ...]
    sources: Mapping[str, str] = field(default_factory=dict)

    def source(self, evidence: Evidence) -> str:
        """Return the text that a piece of evidence stands in."""
        return self.sources.get(evidence.document or "", self.context)

    @property
    def suspects(self) -> list[Checked]:
        """The claims that are more likely hallucinated than not: P above 0.5 (section 6), or refuted with P unknown."""
        return [item for item in self.claims if item.suspected]


SUSPECT = 0.5


class Corrector(Protocol):
    """A method of correction. `config` is JSON that determines its changes for given input."""

    name: str
    config: str

    def correct(self, draft: Draft) -> Corrected:
        """Return the corrected text. Raises ServiceError where a model fails."""
        ...


def draft(text: str, context: str, claims: Sequence[Claim], found: Sequence[Finding | Verdict], method: str) -> Draft:
    """Return a text to correct, with a method's findings on its claims; `found` is parallel to `claims`."""
    pairs = sorted(zip(claims, found, strict=True), key=lambda pair: (pair[0].span.start, pair[0].span.end))
    return Draft(text, context, tuple(_checked(claim, item, method) for claim, item in pairs))


def _checked(claim: Claim, found: Finding | Verdict, method: str) -> Checked:
    values = (s.value for s in found.signals if (s.method, s.name) == (method, "hallucination"))
    verdict = found.id if isinstance(found, Verdict) else None
    return Checked(claim, found.outcome, found.citations, next(values, None), verdict)


class Deterministic:
    """Corrects refuted claims only, each by the first refuting citation with other words for its subject or object."""

    name = "deterministic"
    config = json.dumps({"version": 2})

    def correct(self, draft: Draft) -> Corrected:
        """Make all edits at once: equal input, equal output. Overlapping edits: the first in the text wins."""
        found = (self._edit(item, draft) for item in draft.claims if item.outcome is not Outcome.SUPPORTED)
        return applied(draft.text, list(found))

    def _edit(self, item: Checked, draft: Draft) -> Edit:
        if item.outcome is Outcome.NOT_ENOUGH_INFO:
            return left(item, draft.text, EditStatus.NOT_ENOUGH_INFO)
        against = (c.evidence for c in item.citations if c.stance is Stance.REFUTES)
        ways = (replacement(item.claim, evidence, draft.text, draft.source(evidence)) for evidence in against)
        way = next((way for way in ways if way), None)
        if way is None:
            return left(item, draft.text, EditStatus.NO_REPLACEMENT)
        before = draft.text[way.span.start : way.span.end]
        return Edit(item.claim.id, way.span.start, way.span.end, before, way.words, item.verdict, EditStatus.APPLIED)


def left(item: Checked, text: str, status: EditStatus) -> Edit:
    """Return the record that a claim's words are unchanged in the original `text`."""
    span = item.claim.span
    words = text[span.start : span.end]
    return Edit(item.claim.id, span.start, span.end, words, words, item.verdict, status)


def applied(text: str, edits: Sequence[Edit]) -> Corrected:
    """Return the text with the edits of status APPLIED made, those that overlap an earlier one marked OVERLAP.

    Edits are taken by (start, end), ties in the given order; the same change for two claims is made once.
    """
    kept: list[Edit] = []
    pieces, at = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.status is not EditStatus.APPLIED:
            kept.append(edit)
            continue
        same = any(_change(edit) == _change(other) for other in kept if other.status is EditStatus.APPLIED)
        if edit.start < at and not same:
            kept.append(replace(edit, after=edit.before, status=EditStatus.OVERLAP))
            continue
        kept.append(edit)
        if not same:
            pieces += [text[at : edit.start], edit.after]
            at = edit.end
    return Corrected(text, "".join([*pieces, text[at:]]), tuple(kept))


def _change(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.after
