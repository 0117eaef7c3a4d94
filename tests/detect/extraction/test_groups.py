"""Words for several persons or things: couples, "both" and "neither", and some of many."""

from __future__ import annotations

import pytest
from fake_ranker import FakeRanker

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document


def statements(text: str, meant: dict[str, str], chance: float = 0.9) -> list[str]:
    [found] = RuleExtractor(FakeRanker(meant, chance)).extract([Document(document_id(text), text)])
    return list(dict.fromkeys(claim.sentence for claim in found.claims))


def test_a_couple_is_both_of_a_marriage() -> None:
    """ "They" after a marriage are the two persons of it; a sentence that names a third leaves it open."""
    text = "In 1951 Tom Hill married Sue Bell, a nurse. They had two sons. Their eldest son became a pilot."
    assert ["Tom Hill and Sue Bell had two sons.", "Tom Hill and Sue Bell's eldest son became a pilot."] == statements(
        text, {}
    )[-2:]
    assert "They had two sons." in statements("Tom Hill, a cook, met Sue Bell. They had two sons.", {})


@pytest.mark.parametrize(
    "text",
    [
        "In Oslo Tom Hill met his wife, Sue Bell, a nurse from Lund. They married in 1944.",
        "Tom Hill's marriage to Sue Bell was short. They divorced in 1960.",
    ],
)
def test_a_couple_is_told_by_a_noun(text: str) -> None:
    """ "His wife" and "his marriage to" tell of a couple, too; who else is named does not matter."""
    assert statements(text, {"his": "Tom Hill"})[-1].startswith("Tom Hill and Sue Bell ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The police questioned two drivers. Neither was injured.", "Neither of the two drivers was injured."),
        ("The police questioned two drivers. Both were tired.", "The two drivers were tired."),
        ("The police questioned two drivers and two cyclists. Both were tired.", "Both were tired."),
    ],
)
def test_both_and_neither_are_the_two_before(text: str, expected: str) -> None:
    """What "both" and "neither" speak of is the only two of the sentence before; what is open is told as it stands."""
    assert expected == statements(text, {})[-1]


def test_some_of_many_are_no_more_than_those() -> None:
    """What two of forty did is not told of all forty, and a sentence about two of two of them stays open."""
    text = "Two of the forty turbines have failed. They will be replaced next year. Neither of them was old."
    said = statements(text, {"They": "the forty turbines", "them": "the forty turbines"})
    assert ["Two of the forty turbines will be replaced next year.", "Neither of them was old."] == said[-2:]


def test_a_noun_keeps_what_it_is_of() -> None:
    """ "He" for a captain of a ship is that captain."""
    text = "The captain of the ferry refused to leave. He called for help."
    said = statements(text, {"He": "The captain"})
    assert said[-1] == "The captain of the ferry called for help."


def test_a_country_is_no_woman() -> None:
    """ "She" is never a country, whatever the model says."""
    text = "The match was stopped. When it resumed, Croatia lost Ada Holm to an injury. She was carried off."
    said = statements(text, {"it": "The match", "She": "Croatia"})
    assert "The match resumed." in said
    assert not any(sentence.startswith("Croatia was") for sentence in said)
