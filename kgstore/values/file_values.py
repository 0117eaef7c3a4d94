"""Convert the values of triple files, by their datatype, to typed Literal nodes.

A file names the datatype, so nothing is guessed: "1879" as gYear is a year and as integer a number. A value that does
not fit its datatype, or of a datatype that is never compared (coordinates, checksums), is kept as written.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from claimgraph.kgstore.identity import literal_id
from claimgraph.kgstore.model import Literal
from claimgraph.kgstore.values.literals import Parsed, parse, to_literal
from claimgraph.kgstore.values.quantities import Quantity

_XSD = re.compile(r"(?:https?://www\.w3\.org/2001/XMLSchema#|xsd:)(\w+)")
_DATES = {"date", "dateTime", "dateTimeStamp", "gYear", "gYearMonth", "gMonthDay", "year", "time"}
_NUMBERS = {
    *("decimal", "integer", "double", "float", "number", "quantity", "int", "long", "short", "byte"),
    *(f"{sign}Integer" for sign in ("positive", "negative", "nonPositive", "nonNegative")),
    *(f"unsigned{size}" for size in ("Int", "Long", "Short", "Byte")),
}
_DATE_PART = re.compile(r"([+-]?\d{4,}(?:-\d\d){0,2})(?:T.*|Z|[+-]\d\d:\d\d)?")


@lru_cache(maxsize=65536)
def value_node(value: str, datatype: str, unit: str | None = None, coarse_dates: bool = False) -> Literal:
    """Return the Literal for a value of a datatype: an IRI, xsd: name or short name; "" is plain text.

    `coarse_dates` takes the first of January at midnight as its year and the first of a month as its month, as Wikidata
    writes dates that it knows no better.
    """
    found = _XSD.fullmatch(datatype)
    short = found[1] if found else datatype
    parsed: Parsed | None = None
    if short in _DATES:
        parsed = parse(_date(value, astronomical=bool(found), coarse=coarse_dates))
    elif short in _NUMBERS:
        parsed = _number(value, unit)
    if parsed is not None:
        return to_literal(parsed)
    kind = short or "string"
    return Literal(literal_id(value, kind, unit, None), value, kind, unit)


def _date(value: str, *, astronomical: bool, coarse: bool) -> str:
    """Return the date part. XML Schema 1.1 counts 1 BC as year 0, literals.py as -1."""
    found = _DATE_PART.fullmatch(value)
    if not found:
        return value
    text = found[1]
    if coarse and value.endswith("T00:00:00Z"):
        text = re.sub(r"(-01)?-01$", "", text)
    sign_year, dash, rest = re.fullmatch(r"([+-]?\d+)(-?)(.*)", text).groups()  # type: ignore[union-attr]
    year = int(sign_year)
    if astronomical and year <= 0:
        year -= 1
    return f"{'-' if year < 0 else ''}{abs(year):04}{dash}{rest}"


def _number(value: str, unit: str | None) -> Parsed | None:
    try:
        number = Decimal(value)
    except InvalidOperation:
        return parse(f"{value} {unit}" if unit else value)
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or abs(number.adjusted()) > 300:
        return None
    if unit and (measured := parse(f"{number:f} {unit}")):
        return measured
    return Quantity(float(number), unit=unit, spread=0.5 * 10.0**exponent)
