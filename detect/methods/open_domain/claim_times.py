"""Read the time that a claim speaks of: in its clause, in the sentence before, or by its tense.

A date belongs to a claim where the extractor joined it to the same verb (a claim of its own: "was chancellor from |
2005"), or where it stands first or last in the clause. Any date of the sentence was rejected: "the son of X, who died
in 1906, was minister".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from claimgraph.kgstore.model import Claim, Span
from claimgraph.kgstore.values.dates import Date, Day, dates_in
from claimgraph.kgstore.values.literals import parse

_PREPOSITION = r"(in|on|during|throughout|since|from|until|till|by|to|between|as of|at|for|after|before)"
_BEFORE_DATE = re.compile(
    rf"[\s,]*(?:{_PREPOSITION}\s+)?(?:the\s+)?(?:year\s+)?(?:early\s+|late\s+|mid-?)?", re.IGNORECASE
)
_THEN = re.compile(r"(?:then|at (?:that|the) time|(?:in )?(?:that|the same) (?:year|time)|there)\b", re.IGNORECASE)
_PRESENT = frozenset({"is", "are", "has", "have", "remains", "lives", "works", "plays", "serves", "holds", "leads"})
_PAST_STATE = frozenset({"was", "were", "had"})
_START, _END = frozenset({"since", "from", "after"}), frozenset({"until", "till", "to", "before"})
_BEGINS = re.compile(r"\b(?:bec[ao]me|joined|took|began|started|entered|elected|appointed|married)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:left|ended|ceased|resigned|quit|divorced)\b", re.IGNORECASE)
_EVENT = re.compile(r"\b(?:born|founded|died|killed)\b", re.IGNORECASE)


class Tense(StrEnum):
    """When a claim without a date is said to hold."""

    NOW = "now"
    PAST = "past"


class TimePart(StrEnum):
    """Which part of a fact's time a date names."""

    DURING = "during"
    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class ClaimTime:
    """The time of a claim: a date with what it names, or only a tense. `carried` is whether the sentence before says
    it.
    """

    tense: Tense
    date: Date | None = None
    part: TimePart = TimePart.DURING
    carried: bool = False

    @property
    def days(self) -> tuple[Day, Day] | None:
        """First and last day on which the claim is said to hold; None without a date."""
        if self.date is None:
            return None
        first, last = self.date.span
        if self.part is TimePart.START:
            return first, (99999, 12, 31)
        return ((-99999, 1, 1), last) if self.part is TimePart.END else (first, last)


@dataclass(frozen=True, slots=True)
class Dating:
    """A claim whose object is the time of others: rows of those, and what it says of them."""

    row: int
    cores: tuple[int, ...]
    time: ClaimTime


def datings(claims: Sequence[Claim]) -> list[Dating]:
    """Return the claims that date others of the same clause: "was chancellor from | 2005" beside "was chancellor of |
    Germany".
    """
    found = []
    for row, claim in enumerate(claims):
        date = parse(claim.object)
        if not isinstance(date, Date):
            continue
        cores = tuple(at for at, other in enumerate(claims) if at != row and _dates(claim, other))
        if cores:
            found.append(Dating(row, cores, ClaimTime(_tense(claim), date, part(claim.predicate))))
    return found


def times(claims: Sequence[Claim], text: str, sentences: Sequence[Span]) -> list[ClaimTime]:
    """Return the time of each claim, in order: of its clause, else of the sentence before for a state in the past."""
    joined = {core: one.time for one in datings(claims) for core in one.cores}
    return [joined.get(row) or _of_clause(claim, text) or _carried(claim, text, sentences) or ClaimTime(_tense(claim))
            for row, claim in enumerate(claims)]  # fmt: skip


def part(predicate: str) -> TimePart:
    """Return what a date after the predicate names: "since" and "became ... in" a start, "until" and "left ... in" an
    end.
    """
    last = predicate.casefold().split()[-1:]
    if not _START.isdisjoint(last) or (_BEGINS.search(predicate) and _END.isdisjoint(last)):
        return TimePart.START
    return TimePart.END if not _END.isdisjoint(last) or _ENDS.search(predicate) else TimePart.DURING


def _dates(dating: Claim, core: Claim) -> bool:
    """Return whether the one is the other's clause with a date in its last place."""
    if (dating.span, dating.subject) != (core.span, core.subject) or isinstance(parse(core.object), Date):
        return False
    verb = _words(dating.predicate)[:-1]
    return bool(verb) and _words(f"{core.predicate} {core.object}")[: len(verb)] == verb


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", text.casefold()) if word not in ("the", "a", "an")]


def _of_clause(claim: Claim, text: str) -> ClaimTime | None:
    """Return the time at the beginning or end of the claim's clause; no date inside an element of it."""
    spans = [span for span in (claim.subject_span, claim.predicate_span, claim.object_span) if span]
    if not spans:
        return None
    clause = text[claim.span.start : claim.span.end]
    first = min(span.start for span in spans) - claim.span.start
    last = max(span.end for span in spans) - claim.span.start
    for before, start, end, date in _prefixed(clause):
        at_start = end <= first and not clause[:start].strip()
        at_end = start >= last and not clause[last:start].strip(" ,") and not clause[end:].strip(" .,!?;")
        if before and (at_start or at_end):
            return ClaimTime(_tense(claim), date, part(f"{claim.predicate} {before}"))
    return None


def _carried(claim: Claim, text: str, sentences: Sequence[Span]) -> ClaimTime | None:
    """Return the time that the sentence before begins with, for "was" and "had"; any of its dates after "that year"."""
    at = next((row for row, span in enumerate(sentences) if span.start <= claim.span.start < span.end), 0)
    if not at or _tense(claim) is Tense.NOW:
        return None
    own, before = sentences[at], sentences[at - 1]
    said = list(_prefixed(text[before.start : before.end]))
    pointed = _THEN.match(text[own.start : own.end].lstrip())
    if not pointed and not (claim.predicate.split(" ", 1)[0].casefold() in _PAST_STATE and _is_state(claim)):
        return None
    found = [date for preposition, start, _, date in said if pointed or (preposition and not start)]
    return ClaimTime(Tense.PAST, found[-1 if pointed else 0], carried=True) if found else None


def _is_state(claim: Claim) -> bool:
    """Return whether the claim says what somebody was, and no event: "was chancellor of", not "was born in"."""
    words = claim.predicate.casefold().split()
    return words[0] == "had" or len(words) == 1 or not re.fullmatch(r"\w+(?:ed|en|rn)|built|made|won", words[1])


def _prefixed(text: str) -> Iterator[tuple[str, int, int, Date]]:
    """Yield the preposition before each date ("" for none), where it starts, where the date ends, and the date."""
    for start, end, date in dates_in(text):
        lead = next((m for m in _BEFORE_DATE.finditer(text, max(0, start - 40), start) if m.end() == start), None)
        word = (lead[1] or "") if lead else ""
        begins = lead.start(1) if lead and lead[1] else start
        yield word.casefold() or (date.modifier or ""), begins, end, date


def _tense(claim: Claim) -> Tense:
    words = claim.predicate.casefold().split()
    if not words or words[:2] in (["has", "been"], ["have", "been"]):
        return Tense.PAST
    perfect = words[0] in ("has", "have") and len(words) > 1 and re.fullmatch(r"\w+(?:ed|en)|won|led|held", words[1])
    return Tense.PAST if words[0] not in _PRESENT or perfect or _EVENT.search(claim.predicate) else Tense.NOW
