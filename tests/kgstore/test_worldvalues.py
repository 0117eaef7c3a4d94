"""Wikidata's typed values: dates of every precision, quantities with bounds, places."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.values.literals import from_literal
from claimgraph.kgstore.values.quantities import Quantity
from claimgraph.kgstore.values.wikidata_values import JULIAN, coordinates, quantity, time, words

GREGORIAN = "http://www.wikidata.org/entity/Q1985727"


@pytest.mark.parametrize(
    ("written", "precision", "value", "kept"),
    [
        ("1879-03-14T00:00:00Z", 11, "1879-03-14", "day"),
        ("+1879-03-14T00:00:00Z", 11, "1879-03-14", "day"),
        ("1879-03-01T00:00:00Z", 10, "1879-03", "month"),
        ("1879-01-01T00:00:00Z", 9, "1879", "year"),
        ("1875-01-01T00:00:00Z", 8, "1870s", "decade"),
        ("1801-01-01T00:00:00Z", 7, "19th century", "century"),
        ("1900-01-01T00:00:00Z", 7, "19th century", "century"),
        ("-0043-01-01T00:00:00Z", 9, "-0044", "year"),
        ("1500-01-01T00:00:00Z", 6, "2nd millennium", None),
    ],
)
def test_a_date_has_the_precision_it_is_known_with(written: str, precision: int, value: str, kept: str | None) -> None:
    """Days to millennia; year 0 of the data is 1 BC."""
    found = time(written, precision, GREGORIAN)
    assert ("date", value, kept) == (found.datatype, found.value, found.precision)


@pytest.mark.parametrize(
    ("gregorian", "julian"),
    [
        ("1643-01-04", "1642-12-25"),
        ("1582-10-15", "1582-10-05"),
        ("1700-03-11", "1700-02-29"),
        ("1918-02-14", "1918-02-01"),
        ("0325-05-21", "0325-05-20"),
    ],
)
def test_a_day_of_the_julian_calendar(gregorian: str, julian: str) -> None:
    """Known pairs, a day that only the Julian calendar has among them."""
    assert julian == time(f"{gregorian}T00:00:00Z", 11, JULIAN).value


@given(day=st.dates(date(1000, 1, 1), date(2000, 1, 1)))
@settings(max_examples=60, deadline=None)
def test_julian_days_follow_each_other(day: date) -> None:
    """Neighbouring days stay neighbours and in order, and the calendars never part by more than 13 days."""
    first, second = (time(f"{one}T00:00:00Z", 11, JULIAN).value for one in (day, day + timedelta(days=1)))
    assert first < second
    if not first.endswith("02-29"):  # which the other calendar may not have
        assert 5 <= (day - date.fromisoformat(first)).days <= 13


@pytest.mark.parametrize(
    ("amount", "unit", "bounds", "value", "kept"),
    [
        ("+67391582", None, (None, None), "67391582", None),
        ("+1.75", "metre", ("+1.74", "+1.76"), "1.75", "±0.01"),
        ("+105.4", "square kilometre", ("+104.9", "+105.9"), "105400000", "±500000"),
        ("+5", "candela", (None, None), "5", None),
        ("+0", "metre", ("-1", "+1"), "0", None),
    ],
)
def test_a_quantity(amount: str, unit: str | None, bounds: tuple[str, str], value: str, kept: str | None) -> None:
    """Its number in the base unit, and its bounds as a tolerance; without bounds half of the last digit."""
    found = quantity(amount, f"http://www.wikidata.org/entity/Q1{len(unit or '')}" if unit else None, unit, *bounds)
    assert (value, kept) == (found.value, found.precision)
    assert isinstance(from_literal(found), Quantity) or unit == "candela"


def test_a_place_and_a_text() -> None:
    """A point is latitude before longitude; what is no point is none; a text keeps its language."""
    place = coordinates("Point(2.351388888 48.856944444)", "0.0001")
    assert place
    assert ("48.8569, 2.35139", "coordinates", "0.0001") == (place.value, place.datatype, place.precision)
    assert coordinates("<http://www.wikidata.org/entity/Q405> somewhere", None) is None
    assert ("Warszawa", "pl") == (words("Warszawa", "pl").name, words("Warszawa", "pl").precision)
