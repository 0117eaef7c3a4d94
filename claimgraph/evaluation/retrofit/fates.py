"""Follow each fact of a draft through the edits of every pass, and judge its final words.

Judged by the text, not by a method's own verdict: after the edits other words stand in place of the fact's object, and
these name a right object or do not. Searching the final text for the right name was rejected: another sentence may hold
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from claimgraph.detect.compare.fact_match import compare_values
from claimgraph.detect.repair.correction import Edit, EditStatus
from claimgraph.detect.repair.kgr.protocol import Retrofitted
from claimgraph.evaluation.made.drafts import DraftFact
from claimgraph.kgstore.model import Entity, Span
from claimgraph.kgstore.naming import same_name
from claimgraph.kgstore.values.literals import Comparison

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


class Fate(StrEnum):
    """The final state of a fact."""

    REPAIRED = "repaired"
    """Wrong before, right now."""
    CHANGED = "changed"
    """Wrong before, wrong in another way now."""
    LEFT = "left"
    """Wrong, unchanged."""
    KEPT = "kept"
    """Right before and now."""
    BROKEN = "broken"
    """Right before, wrong now."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The spans of a fact's subject and object in the text of a pass, and whether that text has the fact right.

    `touched`: the words of either are not those of the draft.
    """

    subject: Span
    object: Span
    right: bool
    touched: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """A span, and whether an edit reached beyond it, so that it holds more than it did."""

    span: Span
    wider: bool = False


def standings(fact: DraftFact, found: Retrofitted) -> list[Standing]:
    """Return the standing of the fact in the text of each pass, up to the first pass with the returned text."""
    subject, object = _Place(fact.subject_span), _Place(fact.object_span)
    known = []
    for one in found.passes:
        text = one.extraction.document.text
        known.append(_standing(fact, text, found.original, subject, object))
        if text == found.text:
            break
        edits = one.rewritten.edits if one.rewritten else ()
        subject, object = _moved(subject, edits), _moved(object, edits)
    return known


def fate(fact: DraftFact, known: Sequence[Standing]) -> Fate:
    """Return the fate of the fact with these standings: that of the last."""
    last = known[-1]
    if not fact.wrong:
        return Fate.KEPT if last.right else Fate.BROKEN
    if last.right:
        return Fate.REPAIRED
    return Fate.CHANGED if last.touched else Fate.LEFT


def names_it(words: str, names: Iterable[str], *, within: bool = False) -> bool:
    """Return whether the words are one of the names, without articles, or one of their values; or `within`:
    hold one.
    """
    ours = same_name(_ARTICLE.sub("", words.strip()))
    for name in names:
        theirs = same_name(_ARTICLE.sub("", name))
        if ours == theirs or compare_values(words, Entity("", name)) is Comparison.EQUAL:
            return True
        if within and theirs and f" {theirs} " in f" {ours} ":
            return True
    return False


def _standing(fact: DraftFact, text: str, original: str, subject: _Place, object: _Place) -> Standing:
    said, called = (text[place.span.start : place.span.end] for place in (object, subject))
    first = original[fact.subject_span.start : fact.subject_span.end]
    same = names_it(called, (first, fact.subject), within=subject.wider)
    rights = (name for right in fact.right for name in right.names)
    unchanged = not fact.wrong and said == fact.written
    right = unchanged or names_it(said, rights, within=object.wider)
    return Standing(subject.span, object.span, same and right, said != fact.written or not same)


def _moved(place: _Place, edits: Sequence[Edit]) -> _Place:
    """Return its place after the edits, widened by those that reach into it."""
    span = place.span
    changes = {(e.start, e.end, e.after) for e in edits if e.status is EditStatus.APPLIED}
    inside = [change for change in changes if change[0] < span.end and change[1] > span.start]
    start = min([span.start, *(change[0] for change in inside)])
    end = max([span.end, *(change[1] for change in inside)])
    before = sum(_grown(change) for change in changes if change[1] <= start and change not in inside)
    grown = sum(map(_grown, inside))
    wider = place.wider or start < span.start or end > span.end
    return _Place(Span(start + before, end + before + grown), wider)


def _grown(change: tuple[int, int, str]) -> int:
    return len(change[2]) - (change[1] - change[0])
