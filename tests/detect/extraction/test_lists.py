"""Statements of lists as chat assistants write them: labels, items inside of items, signs, and titles of parts."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.extraction.layout import lead_of
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Silence


def said_of(text: str) -> list[str]:
    """The distinct statements of a text's claims, in order."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    return list(dict.fromkeys(claim.sentence for claim in found.claims))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **Cramps:** The weekly number dropped by 3.3.", ["Cramps: The weekly number dropped by 3.3."]),
        ("- **1904:** The bridge was opened.", ["1904: The bridge was opened."]),
        ("- **Takeaway:** The bridge was opened.", ["The bridge was opened."]),
        ("- **Start:** 1 March", ["Start: 1 March."]),
        ("- **Left out:** anyone who was ill", ["Left out: anyone who was ill."]),
        (
            "- **Battery:**\n  - You can change the Aero's yourself.\n  - The old one needs four hours to charge.\n"
            "- **Noise:** It hums.",
            [
                "Battery: You can change the Aero's yourself.",
                "Battery: The old one needs four hours to charge.",
                "Noise: It hums.",
            ],
        ),
        (
            "- **Pay:** 6,400 euros, split as follows:\n  1. 1,600 euros when the contract is signed\n",
            ["Pay: 6,400 euros, split as follows:.", "Pay: 1,600 euros when the contract is signed."],
        ),
        (
            "- **Visits**\n  - Fewer insects came at night.\n  - None came by day.",
            ["Visits: Fewer insects came at night.", "Visits: None came by day."],
        ),
        (
            "## Who qualifies?\n- ✅ Owners of old houses\n- ❌ Landlords\n- ❌ Homes used for holidays",
            [
                "Who qualifies? Owners of old houses.",
                "Who qualifies? Not: landlords.",
                "Who qualifies? Not: homes used for holidays.",
            ],
        ),
    ],
)
def test_an_item_is_told_with_what_it_stands_under(text: str, expected: list[str]) -> None:
    """Its label, or that of the item around it, stands before what lacks its words; a cross denies it."""
    assert expected == said_of(text)


def test_a_label_with_a_verb_is_no_subject() -> None:
    """What "**Training:** held a job" tells is told of the person whom the text is about."""
    text = (
        "Agnes Thorvald was an engineer.\n\n- **Training:** held a job in an office\n- **Move:** went to Oslo in 1899\n"
    )
    assert "Agnes Thorvald, training: held a job in an office." in said_of(text)


@pytest.mark.parametrize("title", ["Background", "Method", "Key findings"])
def test_the_title_of_a_part_is_no_topic(title: str) -> None:
    """What a list under it says is said of nothing that the text never speaks of."""
    said = said_of(f"The trial lasted a year.\n\n## {title}\n- **Duration:** twelve weeks\n")
    assert [title in one for one in said] == [False, False]


def test_a_picture_is_no_part_of_a_title() -> None:
    """What a list stands under is its title's words."""
    assert "What is different" == lead_of("## 🔧 What is different\n")


def test_an_offer_is_no_claim() -> None:
    """What an assistant could do next is counted as a greeting."""
    [found] = RuleExtractor().extract(
        [document_from_text("The bridge is long. If you want, I can turn this into a checklist.", 1, "the text")]
    )
    assert ["The bridge is long."] == [claim.sentence for claim in found.claims]
    assert [Silence.GREETING] == [one.why for one in found.silent]
