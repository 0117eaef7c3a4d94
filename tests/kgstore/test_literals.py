"""Dates, numbers and measures: reading, normal form, comparison."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.values.dates import dates_in
from claimgraph.kgstore.values.literals import Comparison, compare, from_literal, literals_in, parse, render, to_literal
from claimgraph.kgstore.values.quantities import Quantity
from claimgraph.kgstore.values.units import CURRENCIES

READ = {
    "14 March 1879": "1879-03-14",
    "March 14, 1879": "1879-03-14",
    "June 17 , 1935": "1935-06-17",
    "the 14th of March, 1879": "1879-03-14",
    "1879-03-14": "1879-03-14",
    "+1879-03-14T00:00:00Z": "1879-03-14",
    "+1879-00-00T00:00:00Z": "1879",
    "March 1879": "1879-03",
    "in 1879": "1879",
    "1 May": "--05-01",
    "the 1990s": "1990s",
    "early 1960s": "1960s",
    "the 1800s": "19th century",
    "in the 19th century": "19th century",
    "fifth century BC": "5th century BC",
    "44 BC": "-0044",
    "AD 79": "0079",
    "circa 1850": "about 1850",
    "before 1900": "before 1900",
    "1990–1995": "1990/1995",
    "between 1990 and 1995": "1990/1995",
    "the 2010-11 season": None,
    "30 February 1999": None,
    "three": "3",
    "twenty-one": "21",
    "two hundred and five": "205",
    "two dozen": "24 ±6",
    "half a million": "500000 ±50000",
    "1,234,567": "1234567",
    "1.2 million": "1200000 ±50000",
    "$5m": "5000000 ±500000 USD",
    "£5.25bn": "5250000000 ±5000000 GBP",
    "3 to 5 million dollars": "3000000 to 5000000 ±500000 USD",
    "45 per cent": "45 %",
    "12.5%": "12.5 ±0.05 %",
    "between 3 and 5 km": "3,000 to 5,000 ±500 m",
    "5 km": "5,000 ±500 m",
    "6 feet": "1.8288 ±0.1524 m",
    "70 kg": "70 kg",
    "-5 °C": "-5 °C",
    "34-year-old": "408 ±6 month",
    "7.30pm": "19:30",
    "21:45": "21:45",
    "the third": "3rd",
    "3rd": "3rd",
    "about 2,000": "about 2,000",
    "at least 20": "at least 20",
    "over 80 km/h": "more than 80 km/h",
    "up to 9": "at most 9",
    "a year": None,
    "3-1": "3-1",
    "A380": None,
    "3.1.4": None,
    "": None,
    "Warsaw": None,
}


@pytest.mark.parametrize(("text", "expected"), READ.items())
def test_reads(text, expected):
    """A written value has this normal form, or is none."""
    parsed = parse(text)
    assert expected == (None if parsed is None else render(parsed))


COMPARED = [
    ("3 hours and 30 minutes", "three and a half hours", Comparison.EQUAL),
    ("3 hours, 30 minutes", "2½ hours", Comparison.DIFFERENT),
    ("5ft 10in", "178 cm", Comparison.COMPATIBLE),
    ("5 ft 10 in", "six feet two inches", Comparison.DIFFERENT),
    ("two-and-a-half years", "30 months", Comparison.EQUAL),
    ("half a year", "six months", Comparison.EQUAL),
    ("half a percent", "0.5%", Comparison.EQUAL),
    ("one and a half million", "1.5 million", Comparison.EQUAL),
    ("not more than 12", "13", Comparison.DIFFERENT),
    ("2-1", "2–1", Comparison.EQUAL),
    ("2-1", "3-1", Comparison.DIFFERENT),
    ("1-1", "1-0", Comparison.DIFFERENT),
    ("2-1", "3", Comparison.INCOMPARABLE),
    ("not less than 12", "13", Comparison.COMPATIBLE),
    ("14 March 1879", "March 14, 1879", Comparison.EQUAL),
    ("14 March 1879", "in 1879", Comparison.COMPATIBLE),
    ("14 March", "14 March 1879", Comparison.COMPATIBLE),
    ("15 March", "14 March 1879", Comparison.DIFFERENT),
    ("14 March", "1879", Comparison.INCOMPARABLE),
    ("1990s", "1995", Comparison.COMPATIBLE),
    ("1990s", "2001", Comparison.DIFFERENT),
    ("19th century", "44 BC", Comparison.DIFFERENT),
    ("circa 1850", "1853", Comparison.COMPATIBLE),
    ("before 1900", "1850", Comparison.COMPATIBLE),
    ("1990–1995", "1993", Comparison.COMPATIBLE),
    ("1500", "1,500", Comparison.EQUAL),
    ("1500", "1,600", Comparison.INCOMPARABLE),
    ("5 km", "3.1 miles", Comparison.COMPATIBLE),
    ("5 km", "8 km", Comparison.DIFFERENT),
    ("32 °F", "0 °C", Comparison.EQUAL),
    ("24 hours", "1 day", Comparison.EQUAL),
    ("1.2 million", "1,234,567", Comparison.COMPATIBLE),
    ("1.2 million", "1.3 million", Comparison.DIFFERENT),
    ("2,000", "1,987", Comparison.DIFFERENT),
    ("about 2,000", "1,987", Comparison.COMPATIBLE),
    ("more than 50", "60", Comparison.COMPATIBLE),
    ("at most 50", "60", Comparison.DIFFERENT),
    ("between 3 and 5", "4", Comparison.COMPATIBLE),
    ("between 3 and 5", "7", Comparison.DIFFERENT),
    ("$5m", "£5m", Comparison.DIFFERENT),
    ("$5m", "£4m", Comparison.INCOMPARABLE),
    ("3", "3 km", Comparison.INCOMPARABLE),
    ("aged 34", "34-year-old", Comparison.EQUAL),
    ("3 kg", "3 km", Comparison.INCOMPARABLE),
    ("third", "3", Comparison.INCOMPARABLE),
    ("third", "fourth", Comparison.DIFFERENT),
    ("9.45pm", "21:45", Comparison.EQUAL),
]


@pytest.mark.parametrize(("a", "b", "expected"), COMPARED)
def test_compares(a, b, expected):
    """Two written values stand to each other like this, in either order."""
    assert (expected, expected) == (compare(parse(a), parse(b)), compare(parse(b), parse(a)))


def test_finds_in_text():
    """Values are found in running text with their spans; pronouns and names with digits are none."""
    text = "On 14 March 1879 at least 20 of 1,500 people, one of them 34 years old, saw flight A380 lose 3-1."
    found = [(text[span.start : span.end], render(parsed)) for span, parsed in literals_in(text)]
    assert [
        ("14 March 1879", "1879-03-14"),
        ("at least 20", "at least 20"),
        ("1,500", "1,500"),
        ("34 years old", "408 ±6 month"),
        ("3-1", "3-1"),
    ] == found


def test_parts_of_one_measure():
    """Smaller units that follow at once belong to the measure; "in" is a unit after feet only."""
    text = "A 6ft 2in man ran 5 km in 20 minutes, 6 ft in front, after 2 hours and 90 minutes or 1 day, 1 hour."
    expected = ["6ft 2in", "5 km", "20 minutes", "6 ft", "2 hours", "90 minutes", "1 day, 1 hour"]
    assert expected == [text[span.start : span.end] for span, _ in literals_in(text)]


def test_year_or_number():
    """A bare four-digit number is a year only where the words beside it say so."""
    assert ["1866"] == [date.value for _, _, date in dates_in("1500 people came in 1866 with 2000 horses")]


_years = st.one_of(st.integers(-3000, -1), st.integers(1, 2999))
_days = st.dates().map(lambda d: d.isoformat())
_dates = st.one_of(
    _days,
    _years.map(lambda y: f"{-y} BC" if y < 0 else f"AD {y}"),
    st.tuples(st.integers(1, 12), st.integers(1, 28)).map(lambda md: f"--{md[0]:02}-{md[1]:02}"),
    st.integers(10, 202).map(lambda d: f"{d}0s"),
    st.integers(1, 21).map(lambda c: f"{c}th century"),
    st.tuples(st.integers(1000, 1500), st.integers(1501, 2100)).map(lambda p: f"{p[0]}–{p[1]}"),
    st.integers(1000, 2100).map(lambda y: f"before {y}"),
    st.integers(1000, 2100).map(lambda y: f"about {y}"),
).map(parse)
_numbers = st.one_of(st.integers(-(10**9), 10**9), st.floats(-1e9, 1e9).map(lambda x: round(x, 3)))
_quantities = st.one_of(
    st.builds(
        Quantity,
        number=_numbers.map(float),
        unit=st.sampled_from([None, "m", "kg", "°C", "%", "month", *CURRENCIES]),
        spread=st.sampled_from([0.0, 0.5, 0.05, 50000.0]),
        modifier=st.sampled_from([None, "about", "at least", "more than", "at most", "less than"]),
    ),
    st.tuples(st.integers(0, 99), st.integers(100, 999)).map(lambda p: Quantity(float(p[0]), float(p[1]), "m")),
    st.integers(1, 200).map(lambda n: Quantity(float(n), unit="rank", spread=0.0)),
    st.integers(0, 99).flatmap(lambda n: st.integers(n, 99).map(lambda m: Quantity(float(m), float(n), "score", 0.0))),
    st.integers(0, 1439).map(lambda n: Quantity(float(n), unit="o'clock")),
)
_parsed = st.one_of(_dates, _quantities)


@settings(max_examples=150, deadline=None)
@given(_parsed)
def test_round_trip(parsed):
    """What is rendered is read as the same value, and so is the node made of it."""
    assert parsed == parse(render(parsed))
    assert parsed == from_literal(to_literal(parsed))


@settings(max_examples=150, deadline=None)
@given(_parsed, _parsed)
def test_compare_is_symmetric(a, b):
    """The order of two values does not matter, and a value equals itself."""
    assert compare(a, b) == compare(b, a)
    assert Comparison.EQUAL == compare(a, a)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_any_text(text):
    """Any text can be read; spans are inside it, in order, and do not overlap."""
    spans = [span for span, _ in literals_in(text)]
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
