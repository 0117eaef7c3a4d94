"""What "neither ... nor" denies of two subjects or objects is a claim of each."""

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
        (
            "The museum charges neither adults nor children.",
            {"The museum does not charge adults.", "The museum does not charge children."},
        ),
        (
            "Neither the seal nor the filter is covered by the guarantee.",
            {"The seal is not covered by the guarantee.", "The filter is not covered by the guarantee."},
        ),
        (
            "Neither heat nor the acids leave it intact.",
            {"Heat does not leave it intact.", "The acids do not leave it intact."},
        ),
        (
            "The lamp had neither a timer nor a hook.",
            {"The lamp did not have a timer.", "The lamp did not have a hook."},
        ),
        (
            "They can offer neither parking nor breakfast.",
            {"They cannot offer parking.", "They cannot offer breakfast."},
        ),
        (
            "In 1950 neither the church nor the school had been rebuilt.",
            {"In 1950 the church had not been rebuilt.", "In 1950 the school had not been rebuilt."},
        ),
        (
            "The council neither approved nor rejected the plan.",
            {"The council neither approved nor rejected the plan."},
        ),
    ],
)
def test_each_noun_is_denied(text: str, expected: set[str]) -> None:
    """Each subject and each object has its statement, which agrees with it; other sentences stay whole."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert expected == {claim.sentence for claim in found.claims}


def test_the_triple_denies_too() -> None:
    """The predicate of each claim has "not"."""
    [found] = RuleExtractor().extract([document_from_text("Neither Ann nor Bob was hurt.", 1, "the text")])
    assert {(c.subject, c.predicate, c.object) for c in found.claims} == {
        ("Ann", "was not", "hurt"),
        ("Bob", "was not", "hurt"),
    }


def test_what_both_are_called_later() -> None:
    """ "They" after "neither A nor B" is A and B."""
    text = "Neither the church nor the school had a bell. They were rebuilt in 1950."
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert "The church and the school were rebuilt in 1950." in {claim.sentence for claim in found.claims}
