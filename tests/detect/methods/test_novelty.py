"""How much of a text is not in its source."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.methods.fusion.wording import Novelty, SourceText

SOURCE = SourceText("The bridge was opened in 1899 by Mayor Ann Miller. It crosses the Seine.")


def test_copied():
    """A copied sentence is one piece without anything novel."""
    assert Novelty(0, 0, 1 / 6, 0, 0) == SOURCE.novelty("the bridge was opened in 1899")


def test_rewritten():
    """Novel words, bigrams, names and numbers are counted; words in another order are pieces of one word each."""
    found = SOURCE.novelty("Bob opened bridge 1900")
    assert Novelty(2 / 4, 1.0, 1.0, 1, 1) == found


def test_nothing_said():
    """A text without words has no shares: unknown, not 0."""
    assert Novelty(None, None, None, 0, 0) == SOURCE.novelty(" ... ")


WORDS = st.lists(st.sampled_from("abc"), max_size=12)


@settings(max_examples=100, deadline=None)
@given(WORDS, WORDS)
def test_pieces_against_brute_force(text, source):
    """Cutting greedily into runs of the source gives as many pieces as trying every run of every length."""
    pieces, rest, joined = 0, text, f" {' '.join(source)} "
    while rest:
        fits = [n for n in range(1, len(rest) + 1) if f" {' '.join(rest[:n])} " in joined]
        rest, pieces = rest[max(fits, default=1) :], pieces + 1
    expected = pieces / len(text) if text else None
    assert expected == SourceText(" ".join(source)).novelty(" ".join(text)).pieces
