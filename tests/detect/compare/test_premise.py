"""The sentences chosen as a premise."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.compare.premise_choice import FEW_WORDS, MOST_WORDS, SENTENCES, Premises

FILLER = " ".join(["filler"] * FEW_WORDS)
TEXT = [
    f"The bridge was opened in 1899, {FILLER}.",
    f"Ann Miller was mayor then, {FILLER}.",
    f"Nothing else happened, {FILLER}.",
]


def test_together():
    """Sentences that cover a statement only together are both chosen, in the order of the text."""
    assert (0, 1) == Premises(TEXT).nearest("Mayor Ann Miller opened the bridge in 1899")


def test_what_adds_nothing_is_left_out():
    """Once all words are covered, no further sentence is added to a premise that is long enough."""
    found = Premises(TEXT)
    assert (1,) == found.nearest("Ann Miller was mayor")
    assert TEXT[1] == found.text((1,))


def test_short_contexts_are_read_whole():
    """Short sentences are all taken, since what a pronoun means may stand in the one before."""
    assert (0, 1, 2) == Premises(["Ann lives here.", "She is a mayor.", "Bob is not."]).nearest("Ann is a mayor")


def test_nothing():
    """Without sentences there is no premise."""
    assert () == Premises([]).nearest("Ann is a mayor")


WORDS = st.lists(st.sampled_from(["Ann", "bridge", "1899", "mayor", "opened"]), min_size=1, max_size=60).map(" ".join)


@settings(max_examples=50, deadline=None)
@given(st.lists(WORDS, max_size=8), WORDS)
def test_bounds(sentences, statement):
    """A premise has rows once and in order, and stays within its sizes unless one sentence is longer."""
    rows = Premises(sentences).nearest(statement)
    assert sorted(set(rows)) == list(rows)
    assert len(rows) <= SENTENCES
    assert len(rows) == 1 or sum(len(sentences[row].split()) for row in rows) <= MOST_WORDS
