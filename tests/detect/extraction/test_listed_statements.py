"""Statements of several subjects as one of each."""

from __future__ import annotations

import pytest

import claimgraph
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.input_texts import document_from_text


def said(text: str) -> list[str]:
    """The distinct statements of a text's claims, in order."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    return list(dict.fromkeys(claim.sentence for claim in found.claims))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A rack and mudguards are included.", ["A rack is included.", "Mudguards are included."]),
        (
            "A tamper, two baskets and a jug are included.",
            ["A tamper is included.", "Two baskets are included.", "A jug is included."],
        ),
        ("The shops and the bank have closed.", ["The shops have closed.", "The bank has closed."]),
        (
            "The mayor and her deputy resigned on Monday.",
            ["The mayor resigned on Monday.", "The mayor's deputy resigned on Monday."],
        ),
        ("Oil and gas are exported from Bergen.", ["Oil is exported from Bergen.", "Gas is exported from Bergen."]),
    ],
)
def test_each_subject_has_a_statement(text, expected):
    """The verb agrees with the subject that stays."""
    assert sorted(said(text)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee and Bob Ray met in Rome.",
        "Ann and Bob are twins.",
        "The rack and the bell cost 30 euros.",
        "The red car and bus were sold in 1998.",
        "Doctors and nurses at the hospital went on strike.",
        "Only the clerk and the mayor voted for it together.",
    ],
)
def test_what_is_said_of_all_together_stays_one_statement(text):
    """So does a list whose later nouns have not all of their own words."""
    assert said(text) == [text]


def test_a_wrong_subject_is_refuted_by_itself(tmp_path):
    """What is right of one subject does not hide what is wrong of another."""
    settings = claimgraph.Settings(store=tmp_path / "store", cache=tmp_path / "cache")
    context = "A rack is included. Lights are not included."
    report = claimgraph.check("A rack and lights are included.", context=context, settings=settings)
    found = {
        claim.sentence: verdict.outcome.value for claim, verdict in zip(report.claims, report.verdicts, strict=True)
    }
    assert found == {"A rack is included.": "SUPPORTED", "Lights are included.": "REFUTED"}


def test_a_label_of_a_part_of_the_text_makes_no_claim():
    """ "Summary" and "Answer" say what follows, not what something has."""
    assert said("**Summary: Fire at the Harlow Street market**") == []
