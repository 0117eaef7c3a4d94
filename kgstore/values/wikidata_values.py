"""Convert Wikidata's typed values to Literals: dates with precision and calendar, quantities with unit and bounds,
places.

Wikidata's RDF gives every date in the proleptic Gregorian calendar. People write the date of the calendar of their
time, so a day of the Julian calendar is converted back: Newton's birthday is 25 December 1642, as in every book.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from claimgraph.kgstore.identity import literal_id
from claimgraph.kgstore.model import Literal
from claimgraph.kgstore.values.dates import ordinal_ending
from claimgraph.kgstore.values.file_values import value_node
from claimgraph.kgstore.values.literals import from_literal, parse, to_literal
from claimgraph.kgstore.values.quantities import Quantity

SOME, NONE = "somevalue", "novalue"
"""Datatypes of "there is a value that nobody knows" and "there is none": not values, and never compared as such."""
JULIAN = "http://www.wikidata.org/entity/Q1985786"
_ONE = "http://www.wikidata.org/entity/Q199"
_XSD_DATE = "http://www.w3.org/2001/XMLSchema#date"
_DATE = re.compile(r"([+-]?)(\d{4,})-(\d\d)-(\d\d)T")
_DAY, _MONTH, _YEAR, _DECADE, _CENTURY = 11, 10, 9, 8, 7


def nothing(kind: str, subject: str, relation: str) -> Literal:
    """Return SOME or NONE as the object of one relation of one subject: a node of its own, which connects nothing."""
    value = "unknown value" if kind == SOME else "no value"
    place = f"{subject} {relation}"
    return Literal(literal_id(value, kind, None, place), value, kind, None, place)


def time(value: str, precision: int, calendar: str | None) -> Literal:
    """Return a date of Wikidata's precision: 11 a day, 10 a month, 9 a year, 8 a decade, 7 a century; coarser
    as words.
    """
    found = _DATE.match(value)
    if not found:
        return value_node(value, "")
    sign, digits, month, day = found.groups()
    if precision >= _DAY and calendar == JULIAN and not sign.startswith("-"):
        return value_node(_julian(int(digits), int(month), int(day)), _XSD_DATE)
    if precision >= _YEAR:
        parts = {_YEAR: [], _MONTH: [month]}.get(precision, [month, day])
        return value_node("-".join([f"{sign.replace('+', '')}{digits}", *parts]), _XSD_DATE)
    words = _in_words(int(digits), precision, " BC" if sign == "-" else "")
    parsed = parse(words)
    return to_literal(parsed) if parsed else Literal(literal_id(words, "date", None, None), words, "date")


def quantity(amount: str, unit: str | None, unit_name: str | None, lower: str | None, upper: str | None) -> Literal:
    """Return an amount in its unit; bounds become its tolerance, in the unit it is kept in."""
    shown = amount.removeprefix("+")
    name = None if unit in (None, _ONE) else unit_name or unit
    literal = value_node(shown, "quantity", name)
    parsed = from_literal(literal)
    if lower is None or upper is None or not isinstance(parsed, Quantity) or not float(shown):
        return literal
    half = abs(float(upper) - float(lower)) / 2
    return to_literal(replace(parsed, spread=half * abs(parsed.number / float(shown)))) if half else literal


def coordinates(value: str, precision: str | None) -> Literal | None:
    """Return a place as "latitude, longitude" in degrees; None for what is no point."""
    found = re.search(r"Point\(([-+.\dEe]+) ([-+.\dEe]+)\)", value, re.IGNORECASE)
    if not found:
        return None
    shown = f"{float(found[2]):.6g}, {float(found[1]):.6g}"
    return Literal(literal_id(shown, "coordinates", None, precision), shown, "coordinates", None, precision)


def words(value: str, language: str | None) -> Literal:
    """Return a text; where its language is said, it is kept as precision."""
    if not language:
        return value_node(value, "")
    return Literal(literal_id(value, "monolingual", None, language), value, "monolingual", None, language)


def _in_words(year: int, precision: int, era: str) -> str:
    if precision == _DECADE:
        return f"{year - year % 10}s{era}"
    size, name = (100, "century") if precision == _CENTURY else (10 ** (9 - precision), "")
    number = -(-year // size)
    if precision == 6:
        name = "millennium"
    return f"{number}{ordinal_ending(number)} {name}{era}" if name else f"about {year} (± {size} years){era}"


def _julian(year: int, month: int, day: int) -> str:
    """Return the day of the Julian calendar that the Gregorian one calls so (Richards 2013, by way of the
    Julian day).
    """
    try:
        counted = date(year, month, day).toordinal() + 1721425 + 32082
    except ValueError:
        return f"{year:04}-{month:02}-{day:02}"
    years = (4 * counted + 3) // 1461
    days = counted - 1461 * years // 4
    months = (5 * days + 2) // 153
    turn = months // 10
    return f"{years - 4800 + turn:04}-{months + 3 - 12 * turn:02}-{days - (153 * months + 2) // 5 + 1:02}"
