"""Tell whether two elements can be set against each other in a reason: a reader must see why one excludes the other.

No element is better than a wrong one: "The text says legs; the source says brain" of a source that lists both misleads
more than a quoted sentence alone.
"""

from __future__ import annotations

import calendar
from collections.abc import Collection

from claimgraph.detect.extraction.coreference.mentions import PRONOUNS
from claimgraph.detect.text.words import content, is_name, tokens
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison, Parsed

_DAYS = {name.lower() for name in (*calendar.day_name, *calendar.month_name[1:])}
"""Words for days of the week and months: without a number they are no literals."""
_STANDING_IN = frozenset(PRONOUNS) | {"this", "that", "these", "those", "one", "ones", "some", "many", "both", "others"}


def of_one_kind(said: str, known: str) -> bool:
    """Return whether both are values, days, names or other words: "in Paris" excludes no "in 1867", a pronoun
    nothing."""
    if {said.lower(), known.lower()} & _STANDING_IN:
        return False
    return _kind(said) == _kind(known)


def _kind(text: str) -> str:
    if literals.parse(text) is not None:
        return "value"
    return "day" if _has_day(text) else "name" if is_name(text) else "words"


def _has_day(text: str) -> bool:
    return not _DAYS.isdisjoint(word[0].lower() for word in tokens(text))


def shared(said: str, known: str, claim: str, evidence: str) -> bool:
    """Return whether the claim's sentence has the evidence's element too, or the evidence has the claim's: both then
    say it, and what differs is something else."""
    return _has(claim, known) or _has(evidence, said)


def _has(text: str, element: str) -> bool:
    value = literals.parse(element)
    if value is not None:
        return any(_same(value, other) for _, other in literals.literals_in(text))
    words = set(content(element))
    return bool(words) and words <= set(content(text))


def _same(one: Parsed, other: Parsed) -> bool:
    return literals.compare(one, other) is Comparison.EQUAL


def is_told_apart(claim: str, said: str, known: str, kind: str, evidence: str) -> bool:
    """Return whether typed comparison's differing words (see typed.differences) can be named: of one kind, and no
    value that both sides say."""
    alike = kind == "list" or of_one_kind(said, known)
    return alike and not (kind == "value" and shared(said, known, claim, evidence))


def is_one_of_many(known: str, others: Collection[str], claim: str) -> bool:
    """Return whether an element is one of several that hold together, of which the claim's sentence lacks another:
    "legs, the tail and the heart" has no single one in the place of "eyes"."""
    return literals.parse(known) is None and any(literals.parse(o) is None and not _has(claim, o) for o in others)
