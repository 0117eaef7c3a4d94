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


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("A tamper, two baskets and a milk jug are included.", "tamper", "baskets"),
        ("Two forks, a pump and a lock are included.", "forks", "pump"),
    ],
)
def test_a_list_of_subjects(text: str, first: str, second: str) -> None:
    """What begins a list of subjects is one of them, and so is what stands between two commas."""
    found = relations(text)
    assert [("nsubjpass", "included"), ("conj", first)] == [found[first], found[second]]


@pytest.mark.parametrize("text", ["The next day, a man and a woman came.", "Two men, a cook and a nurse, came."])
def test_no_list_of_subjects(text: str) -> None:
    """A day before the subject is no subject, and what commas enclose tells more of it."""
    assert "conj" not in {relations(text)[word][0] for word in ("man", "cook") if word in text}


def test_a_noun_before_the_subject() -> None:
    """A noun before a pronoun as subject says what it stands for."""
    found = relations("A painter and poet, he lived in Rome.")
    assert [("appos", "he"), ("nsubj", "lived")] == [found["painter"], found["he"]]


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Ann met her later husband in Rome.", "her", ("poss", "husband")),
        ("Shares in Norlink, which have lost a fifth, fell.", "lost", ("relcl", "Shares")),
        ("The motion was carried by three votes to one.", "to", ("prep", "votes")),
        (
            "The talks had lasted for years and were held in the hall, since nobody would enter the camp.",
            "enter",
            ("advcl", "held"),
        ),
    ],
)
def test_words_hang_on_what_grammar_leaves_one_reading_for(text: str, word: str, expected: tuple[str, str]) -> None:
    """An owner, a clause on a noun of its number, the other side's votes, and what follows two verbs."""
    assert expected == relations(text)[word]


def test_no_mend_makes_a_circle() -> None:
    """Two mends that would hang two verbs on one another leave every word with a root above it."""
    [(_, part)] = paragraphs(
        ["The match was long, I think, relatively, compared to the last, so you know, it was lost."]
    )
    assert all(token.sent.root in {token, *token.ancestors} for token in part.doc)
