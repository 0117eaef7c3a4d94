"""Trees that a small parser gets wrong are mended before anything reads them."""

from __future__ import annotations

import pytest

from claimgraph.detect.text.parse import paragraphs


def relations(text: str) -> dict[str, tuple[str, str]]:
    """The relation and the head of each word of a text."""
    [(_, part)] = paragraphs([text])
    return {token.text: (token.dep_, token.head.text) for token in part.doc}


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("A cable is in the box, a charger was lost.", "is", "lost"),
        ("His father ran a shop, his mother taught music.", "ran", "taught"),
        ("The north tower was damaged; the south tower fell.", "damaged", "fell"),
    ],
)
def test_clauses_side_by_side(text: str, first: str, second: str) -> None:
    """A clause that stands before another is coordinated with it, not what it says."""
    found = relations(text)
    assert [("ROOT", first), ("conj", first)] == [found[first], found[second]]


@pytest.mark.parametrize("text", ["The ferry will stop, the board said.", "The ship had sunk, it emerged."])
def test_what_somebody_says_stays(text: str) -> None:
    """What a verb of saying or showing follows is what it says."""
    assert "ccomp" in {relation for relation, _ in relations(text).values()}


def test_a_frame_in_the_middle() -> None:
    """ "The engineer said" in the middle of a clause says that clause."""
    found = relations("The bridge, the engineer said, was safe.")
    assert [("ROOT", "said"), ("ccomp", "said")] == [found["said"], found["was"]]


def test_a_noun_before_the_subject() -> None:
    """A noun before a pronoun as subject says what it stands for."""
    found = relations("A painter and poet, he lived in Rome.")
    assert [("appos", "he"), ("nsubj", "lived")] == [found["painter"], found["he"]]
