"""How the detector compares words."""

from __future__ import annotations

import pytest

from claimgraph.detect.compare.relations import sameness, spoken, takes_one_value
from claimgraph.detect.text.words import affirmed, content, is_country, is_name, negated, same_name


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Curie", "Marie Curie", True),
        ("Marie", "Marie Curie", True),
        ("M. Curie", "Marie Curie", True),
        ("the Louvre", "Louvre", True),
        ("U.S.", "US", True),
        ("Bronte", "Brontë", True),
        ("Marie Curie", "Pierre Curie", False),
        ("Paris", "University of Paris", False),
        ("Nobel Prize in Physics", "Nobel Prize", False),
        ("", "Paris", False),
    ],
)
def test_same_name(a, b, expected):
    """One name may be the other cut short at either end, but not a part of a longer phrase; in either order."""
    assert (expected, expected) == (same_name(a, b), same_name(b, a))


def test_stems():
    """Forms of one word have one stem, and words without meaning have none."""
    assert content("She wrote about the cities") == content("writing of a city")
    assert content("died") == content("dies") == content("his death")
    assert () == content("it was not to be")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("did not win", True), ("didn't win", True), ("never won", True), ("won", False), ("Oh, no, it won", False),
     ("not without a fight", False)],
)  # fmt: skip
def test_negation(text, expected):
    """A text denies by an odd number of negating words; an exclamation is none."""
    assert expected == negated(text)
    assert not negated(affirmed(text))


def test_kinds():
    """Names are told from phrases, and countries from towns."""
    assert (True, True, False) == (is_name("the University of Paris"), is_name("Marie Curie"), is_name("the old town"))
    assert (True, True, False) == (is_country("Poland"), is_country("the United States"), is_country("Warsaw"))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("was born in", "place of birth", 1.0),
        ("married", "spouse", 1.0),
        ("did not win", "won", 1.0),
        ("moved to", "moved from", 0.5),
        ("was beaten by", "beat", None),
        ("was visited by", "visited", 0.5),
        ("visited", "discovered", None),
        ("has", "has", 1.0),
        ("is", "was", None),
    ],
)
def test_relations(a, b, expected):
    """Relations are the same in words, turned round, or left to their vectors; in either order."""
    assert (expected, expected) == (sameness(a, b), sameness(b, a))


def test_one_value():
    """A birthplace excludes another; a visit does not; an unknown relation is not taken to."""
    assert (True, True, False, False) == tuple(
        takes_one_value(r) for r in ("place of birth", "was born in", "visited", "educated at")
    )
    assert "works for" == spoken("employer")
