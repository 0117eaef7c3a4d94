"""What "neither ... nor" denies of two subjects is a claim of each."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.input_texts import document_from_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Neither a new bridge nor lighting is planned.",
            {"A new bridge is not planned.", "Lighting is not planned."},
        ),
        (
            "Neither Ann nor the brothers have left Oslo.",
            {"Ann has not left Oslo.", "The brothers have not left Oslo."},
        ),
        (
            "Neither the lamp nor the battery is covered, and the charger costs 9 euros.",
            {"The lamp is not covered.", "The battery is not covered.", "The charger costs 9 euros."},
        ),
        ("Neither of them came.", {"Neither of them came."}),
        ("The museum charges neither adults nor children.", {"The museum charges neither adults nor children."}),
    ],
)
def test_each_subject_is_denied(text: str, expected: set[str]) -> None:
    """With an auxiliary or "be" each subject has its statement, which agrees with it; other sentences stay whole."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert expected == {claim.sentence for claim in found.claims}


def test_the_triple_denies_too() -> None:
    """The predicate of each claim has "not"."""
    [found] = RuleExtractor().extract([document_from_text("Neither Ann nor Bob was hurt.", 1, "the text")])
    assert {(c.subject, c.predicate, c.object) for c in found.claims} == {
        ("Ann", "was not", "hurt"),
        ("Bob", "was not", "hurt"),
    }
