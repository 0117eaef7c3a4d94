"""Typed comparison of the ways that one number goes."""

from __future__ import annotations

import pytest

from claimgraph.detect.compare.typed.differences import Judgement
from claimgraph.detect.compare.typed.judgement import judge
from claimgraph.detect.compare.typed.sentence import read_all


def told(claim: str, context: str) -> Judgement | None:
    """What typed comparison says of a claim by one sentence."""
    read = read_all([claim, context])
    return judge(read[claim], read[context])


@pytest.mark.parametrize(
    ("claim", "context", "said", "known"),
    [
        (
            "The detour makes trips nine minutes shorter.",
            "Trips take nine minutes longer because of the detour.",
            "shorter",
            "longer",
        ),
        ("The train leaves ten minutes earlier.", "The train leaves ten minutes later.", "earlier", "later"),
        ("Revenue rose 6% to 118 million pounds.", "Revenue fell 6% to 118 million pounds.", "rose", "fell"),
        ("Sales are down 4% on last year.", "Sales are up 4% on last year.", "down", "up"),
        ("The club scored five more goals.", "The club scored five fewer goals.", "more", "fewer"),
        ("The lake lies 30 metres above the sea.", "The lake lies 30 metres below the sea.", "above", "below"),
    ],
)
def test_the_same_number_the_other_way_excludes(claim: str, context: str, said: str, known: str) -> None:
    """What goes one way by a number does not go the other way by it; both words are named."""
    found = told(claim, context)
    assert found
    assert (True, "opposite", said, known) == (found.excluded, found.kind, found.said, found.known)
    assert told(context, context) == Judgement(False, "same", short=True)


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("Anna is ten years older than Ben.", "Ben is ten years younger than Anna."),
        ("Trips are nine minutes shorter.", "Trips are nine minutes shorter on weekdays and nine longer on Sundays."),
        ("Margins rose 2 points.", "Revenue fell 2 points."),
        ("Prices rose 3% in May.", "Prices, which fell 3% in April, rose 3% in May."),
        ("Without the detour trips are nine minutes shorter.", "With the detour, trips take nine minutes longer."),
    ],
)
def test_what_may_hold_together_is_not_excluded(claim: str, context: str) -> None:
    """Two things seen from the other one, another time, another subject and a denial leave a direction open."""
    found = told(claim, context)
    assert found is None or not found.excluded


def test_a_sentence_that_lacks_words_only_casts_doubt():
    """Where the sentence does not say all that the claim does, it may be about something else: its kind says so."""
    found = told("The new timetable makes trips nine minutes shorter.", "Trips take nine minutes longer by timetable.")
    assert found is None or found.kind == "opposite"
    doubtful = told("Bus trips became nine minutes shorter for pupils.", "Bus trips became nine minutes longer.")
    assert doubtful
    assert "direction" == doubtful.kind


@pytest.mark.parametrize(
    ("claim", "context", "excluded"),
    [
        ("Online orders rose by 20 percent.", "Online orders rose by a fifth.", False),
        ("The fur has up to a billion hairs.", "The fur has up to a million hairs.", True),
        ("The Fjellrev 22 weighs 870 grams.", "The Fjellrev 22 weighs 780 grams.", True),
    ],
)
def test_values_in_words_and_numbers_of_names(claim: str, context: str, excluded: bool) -> None:
    """ "A fifth" more is 20 percent more, "a billion" is a number, and the number of a model is no value."""
    found = told(claim, context)
    assert found
    assert excluded is found.excluded
