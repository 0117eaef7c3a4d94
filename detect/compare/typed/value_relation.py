"""Say whether a value that a sentence gives supports or excludes the value of a claim about the same thing.

Comparison in kgstore/values is symmetric; a claim is not: "more than 4,500" supports "at least 4,000" and leaves
"4,800" open. Durations in days and in months are one dimension here, and deadlines are compared by their day.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.dates import Date
from claimgraph.kgstore.values.literals import Comparison, Parsed
from claimgraph.kgstore.values.quantities import Quantity


class Relation(StrEnum):
    """What a value of the evidence does to a value of the claim."""

    SUPPORTS = "supports"
    EXCLUDES = "excludes"
    OPEN = "open"
    """Both may be true."""
    APART = "apart"
    """They are values of different kinds, which cannot be compared."""


_FROM = frozenset({"at least", "more than"})
_BOUNDS = _FROM | {"at most", "less than"}
_DAY = 86400
_MONTH = 30.44 * _DAY
_PARTS = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4), "fifth": Fraction(1, 5),
          "sixth": Fraction(1, 6), "eighth": Fraction(1, 8), "tenth": Fraction(1, 10)}  # fmt: skip
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_TIMES = {"hour": 60, "minute": 60, "year": 12, "day": 24, "kilogram": 1000, "kilo": 1000, "kilometre": 1000}
_SMALLER = {"hour": "minutes", "minute": "seconds", "year": "months", "day": "hours", "kilogram": "grams",
            "kilo": "grams", "kilometre": "metres"}  # fmt: skip
_SHARE_OF = re.compile(
    r"\b(?:(a|one|two|three|four)[ -]+)?(half|third|quarter|fifth|sixth|eighth|tenth)s?\s+of\s+(an?|the|its|his|her|"
    r"their|all|those|our)\b(?:\s+(hour|minute|year|day|kilogram|kilo|kilometre)\b)?",
    re.IGNORECASE,
)
_BY_SHARE = re.compile(
    r"\bby (?:(a|one|two|three|four)[ -]+)(half|third|quarter|fifth|sixth|eighth|tenth)s?\b(?! of\b)", re.IGNORECASE
)
_ROUND = re.compile(r"\ba (?=(?:hundred|thousand|million|billion|trillion)\b)", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\b(an?|one) (hour|minute|year|day|week|month|kilogram|kilometre|mile) and a half\b", re.I)
_MINUS = re.compile(r"\bminus (?=\d)", re.IGNORECASE)
_MONEY = re.compile(r"(?<=\d) ?(m|bn) (?=(?:euros?|dollars?|pounds?|francs?|crowns?|yen)\b)", re.IGNORECASE)
_OR_MORE = re.compile(r"\b(\d[\d,.]{0,30}|\w+) or (more|fewer|less)\b", re.IGNORECASE)


def plain_values(text: str) -> str:
    """Return the text with fractions, "by a fifth", "a million", "and a half", "minus" and "or more" in the forms that
    values are read from."""
    text = _AND_A_HALF.sub(lambda found: f"1.5 {found[2]}s", text)
    text = _SHARE_OF.sub(_share, _MINUS.sub("-", text))
    text = _ROUND.sub("1 ", _BY_SHARE.sub(_by_share, text))
    text = _MONEY.sub(lambda found: " million " if found[1].lower() == "m" else " billion ", text)
    return _OR_MORE.sub(_bound, text)


def _share(found: re.Match[str]) -> str:
    count, part, whole, unit = (found[at].lower() if found[at] else "" for at in range(1, 5))
    share = _COUNTS.get(count, 1) * _PARTS[part]
    if unit:
        return f"{float(share * _TIMES[unit]):g} {_SMALLER[unit]}"
    return f"{float(100 * share):.3g} % of {whole}" if whole not in ("a", "an") else found[0]


def _by_share(found: re.Match[str]) -> str:
    return f"by {float(100 * _COUNTS[found[1].lower()] * _PARTS[found[2].lower()]):.3g}%"


def _bound(found: re.Match[str]) -> str:
    return f"{'at least' if found[2].lower() == 'more' else 'at most'} {found[1]}"


def relation(claimed: Parsed, known: Parsed) -> Relation:
    """Return what the known value does to the claimed one, if both are of the same thing."""
    if isinstance(claimed, Date) and isinstance(known, Date):
        return _of_dates(claimed, known)
    if isinstance(claimed, Quantity) and isinstance(known, Quantity):
        return _of_quantities(_in_days(claimed, known), _in_days(known, claimed))
    same = literals.compare(claimed, known) is Comparison.EQUAL
    return Relation.SUPPORTS if same else Relation.APART


def _of_dates(claimed: Date, known: Date) -> Relation:
    if claimed.modifier == known.modifier in ("before", "after"):
        claimed, known = replace(claimed, modifier=None), replace(known, modifier=None)
    found = literals.compare(claimed, known)
    if found is Comparison.INCOMPARABLE:
        return Relation.APART
    if found is Comparison.DIFFERENT:
        return Relation.EXCLUDES
    (first, last), (known_first, known_last) = claimed.span, known.span
    if claimed.any_year or known.any_year:
        (first, last), (known_first, known_last) = ((a[1:], b[1:]) for a, b in (claimed.span, known.span))  # type: ignore[assignment]
    return Relation.SUPPORTS if first <= known_first and known_last <= last else Relation.OPEN


def _of_quantities(claimed: Quantity, known: Quantity) -> Relation:
    found = literals.compare(claimed, known)
    if found is Comparison.INCOMPARABLE:
        return Relation.APART
    limits = claimed.modifier == known.modifier in ("at least", "at most") and claimed.number != known.number
    if found is Comparison.DIFFERENT or limits or _beyond(claimed, known) or _beyond(known, claimed):
        return Relation.EXCLUDES
    bounded = claimed.modifier in _BOUNDS
    (low, high), (known_low, known_high) = (claimed.core, _range(known)) if bounded else (claimed.span, known.core)
    loose = claimed.modifier is None and known.modifier == "about"
    inside = low <= known_low and known_high <= high
    return (
        Relation.SUPPORTS
        if inside or (loose and literals.compare(claimed, known) is Comparison.EQUAL)
        else _near(claimed, known)
    )


def _beyond(bound: Quantity, value: Quantity) -> bool:
    """Return whether a bound leaves out a value, rounding aside: "less than 10" and "about 11"; an open one also its
    very limit: "more than 5" and "5".
    """
    if value.modifier in _BOUNDS or value.unit != bound.unit or bound.upper is not None:
        return False
    limit = value.modifier is None and value.upper is None and bound.number == value.number
    if bound.modifier in ("more than", "less than") and limit:
        return True
    low, high = _range(value)
    slack = 0.0 if value.modifier else value.spread
    below, above = high + slack < bound.number, low - slack > bound.number
    return (bound.modifier in _FROM and below) or (bound.modifier in _BOUNDS - _FROM and above)


def _range(value: Quantity) -> tuple[float, float]:
    """Return the values that are meant: a twentieth either way after "about", which is said of what is near."""
    if value.modifier != "about":
        return value.core
    high = value.number if value.upper is None else value.upper
    return value.number - abs(value.number) / 20, high + abs(high) / 20


def _near(claimed: Quantity, known: Quantity) -> Relation:
    """Return support for one number written twice, with less precision or with "about"."""
    modifiers = {claimed.modifier, known.modifier} <= {None, "about"}
    same = modifiers and claimed.upper is None is known.upper
    return Relation.SUPPORTS if same else Relation.OPEN


def _in_days(value: Quantity, beside: Quantity) -> Quantity:
    """Return months in seconds where the other duration is written in days, within the length that a month may have:
    from four weeks where the other is of whole weeks.
    """
    if (value.unit, beside.unit) != ("month", "s"):
        return value
    upper = None if value.upper is None else value.upper * _MONTH
    weeks = beside.number % (7 * _DAY) == 0
    spread = max(value.number * (0.081 if weeks else 0.02), 0.25 * (value.number < 1)) * _MONTH
    return replace(value, number=value.number * _MONTH, upper=upper, unit="s", spread=spread)
