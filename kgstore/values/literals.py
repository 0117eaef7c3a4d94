"""Read typed values in texts and graphs, normalise them, and compare them.

A value is the interval it may mean (dates.py, quantities.py), so precision and tolerance are one notion: two different
writings are a contradiction only where no value satisfies both. Comparing strings was rejected: "14 March 1879" and "in
1879" agree, "5 km" and "3.1 miles" agree, "1.2 million" and "1,234,567" agree.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from claimgraph.kgstore.identity import literal_id
from claimgraph.kgstore.model import Literal, Span
from claimgraph.kgstore.values.dates import Date, Day, dates_in
from claimgraph.kgstore.values.quantities import Quantity, quantities_in
from claimgraph.kgstore.values.units import CURRENCIES

Parsed = Date | Quantity


class Comparison(StrEnum):
    """The relation of two values."""

    EQUAL = "equal"
    COMPATIBLE = "compatible"
    """One is less precise, rounded or open-ended, and the other may be it."""
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"


@lru_cache(maxsize=65536)
def literals_in(text: str) -> tuple[tuple[Span, Parsed], ...]:
    """Return every date and quantity written in the text, in order, without overlaps; a modifier is part of its
    span. Names and sentences are compared again and again, so the last ones are kept.
    """
    dates = [(Span(start, end), date) for start, end, date in dates_in(text)]
    rest = list(text)
    for span, _ in dates:
        rest[span.start : span.end] = "\n" * (span.end - span.start)
    found: list[tuple[Span, Parsed]] = [*dates]
    found += [(Span(start, end), quantity) for start, end, quantity in quantities_in("".join(rest))]
    return tuple(sorted(found, key=lambda item: item[0].start))


_FRINGE = re.compile(r"(?:\s|\b(?:in|on|at|the|since|from|for|a|an)\b)*(?:[.,]\s*)?", re.IGNORECASE)
"""What may stand around a value that is the whole text."""


def parse(text: str) -> Parsed | None:
    """Return the value that the whole text is, without a leading preposition or article; None if it is anything
    else.
    """
    found = literals_in(text)
    if len(found) != 1:
        return None
    [(span, parsed)] = found
    fringe = text[: span.start] + text[span.end :]
    return parsed if _FRINGE.fullmatch(fringe) else None


def render(parsed: Parsed) -> str:
    """Return the normal form in one line, with all that `parse` needs to give the same value back."""
    literal = to_literal(parsed)
    exact = literal.precision or ""
    return " ".join(filter(None, (literal.value, exact if exact.startswith("±") else "", literal.unit)))


def to_literal(parsed: Parsed) -> Literal:
    """Return a node of a graph: datatype date, quantity, rank, time or score; a quantity's precision is its tolerance,
    "±50000".
    """
    if isinstance(parsed, Date):
        return _literal(parsed.value, "date", None, parsed.precision)
    datatype = _OWN_TYPES.get(parsed.unit or "", "quantity")
    unit = parsed.unit if datatype == "quantity" else None
    last = parsed.number if parsed.upper is None else parsed.upper
    plain = parsed.unit in ("rank", "score") or (parsed.spread == 0.5 and last == int(last))
    return _literal(parsed.value, datatype, unit, None if plain else f"±{parsed.spread:.12g}")


_OWN_TYPES = {"rank": "rank", "o'clock": "time", "score": "score"}
"""Units that are no units of measure, as datatypes."""


def from_literal(literal: Literal) -> Parsed | None:
    """Return the value of a node; None where it is no date or quantity."""
    exact = literal.precision or ""
    return parse(" ".join(filter(None, (literal.value, exact if exact.startswith("±") else "", literal.unit))))


def compare(a: Parsed, b: Parsed) -> Comparison:
    """Return the relation of two values; symmetric.

    EQUAL: the same days, or the same number in the same dimension. COMPATIBLE: the value named by one lies within the
    interval of the other, which is: for a date the days of its precision; for a number half a unit of its last written
    digit either way, a tenth after "about" (five years for dates), no end after "at least" and the like. DIFFERENT: no
    value satisfies both, or the same amount in two currencies. INCOMPARABLE: another dimension, a date and a measure,
    two currencies, or years unknown.
    """
    if isinstance(a, Date) and isinstance(b, Date):
        return _compare_dates(a, b)
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return _compare_quantities(a, b)
    date, quantity = (a, b) if isinstance(a, Date) else (b, a)
    assert isinstance(date, Date)
    same = quantity == Quantity(float(date.first[0])) and date.precision == "year" and date.modifier is None
    return Comparison.EQUAL if same else Comparison.INCOMPARABLE


def _compare_dates(a: Date, b: Date) -> Comparison:
    if a == b:
        return Comparison.EQUAL
    (a_first, a_last), (b_first, b_last) = a.span, b.span
    if a.any_year or b.any_year:
        if "day" not in (a.precision, b.precision) and "month" not in (a.precision, b.precision):
            return Comparison.INCOMPARABLE
        if {a.precision, b.precision} - {"day", "month"}:
            return Comparison.INCOMPARABLE
        a_first, a_last, b_first, b_last = ((0, *day[1:]) for day in (a_first, a_last, b_first, b_last))
        return _overlap((a_first, a_last), (b_first, b_last))
    return _overlap((a_first, a_last), (b_first, b_last))


def _overlap(a: tuple[Day, Day], b: tuple[Day, Day]) -> Comparison:
    return Comparison.COMPATIBLE if a[0] <= b[1] and b[0] <= a[1] else Comparison.DIFFERENT


def _compare_quantities(a: Quantity, b: Quantity) -> Comparison:
    agree = _meets(a.core, b.span) or _meets(b.core, a.span)
    if a.unit == b.unit:
        if (a.number, a.upper, a.modifier) == (b.number, b.upper, b.modifier):
            return Comparison.EQUAL
        return Comparison.COMPATIBLE if agree else Comparison.DIFFERENT
    if a.unit in CURRENCIES and b.unit in CURRENCIES:
        return Comparison.DIFFERENT if agree else Comparison.INCOMPARABLE
    return Comparison.INCOMPARABLE


def _meets(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def _literal(value: str, datatype: str, unit: str | None, precision: str | None) -> Literal:
    return Literal(literal_id(value, datatype, unit, precision), value, datatype, unit, precision)
