"""The one value of a claim that a sentence has otherwise, which correction may replace."""

from __future__ import annotations

import pytest

from claimgraph.detect.compare.typed.sentence import read_all
from claimgraph.detect.compare.typed.value_conflicts import lone_conflict


@pytest.mark.parametrize(
    ("claim", "known", "expected"),
    [
        (
            "Attach two things: three quotes from an installer.",
            "Applications are made online, with one quote from an installer.",
            ("three quotes", "one quote"),
        ),
        ("The hall seats 400 guests.", "The hall, which cost 3 million euros, seats 350 guests.", ("400", "350")),
        ("A replacement filter costs eight euros.", "A spare filter costs 6 euros.", ("eight euros", "6 euros")),
        ("Cancellation costs 25 euros.", "The room costs 80 euros a night.", None),
        ("The guarantee lasts three years.", "Guarantee: two years; five years on the compressor.", None),
        ("The lift has 3 doors.", "The lift has 3 doors and 4 lamps.", None),
        ("The lift has 3 doors.", "The lift has 2 lamps.", None),
        ("One of the guests left.", "Two of the guests left.", None),
    ],
)
def test_one_value_of_the_same_thing(claim: str, known: str, expected: tuple[str, str] | None) -> None:
    """Both count the same noun, or have units and mostly the same words; of several values nobody knows which."""
    read = read_all([claim, known])
    assert expected == lone_conflict(read[claim], read[known])
