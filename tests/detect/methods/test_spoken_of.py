"""A sentence of a context is read with the name that its pronoun stands for."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.methods.fusion.spoken_of import named
from claimgraph.input_texts import document_from_text


@pytest.mark.parametrize(
    ("text", "subjects", "read"),
    [
        ("At twenty he moved to Grantz.", ["Lazar Montefuego"], "At twenty Lazar Montefuego moved to Grantz."),
        ("It weighs 1.1 kg.", ["the kettle"], "The kettle weighs 1.1 kg."),
        ("He met Ann there.", ["Bob Ray", "Ann"], "Bob Ray met Ann there."),
        ("Montefuego said he was tired.", ["Lazar Montefuego"], "Montefuego said he was tired."),
        ("She paid him and he left.", ["Ann Lee", "Bob Ray"], "She paid him and he left."),
        ("It rained.", ["It"], "It rained."),
        ("The shop closed.", ["Ann Lee"], "The shop closed."),
    ],
)
def test_the_name_for_the_pronoun(text: str, subjects: list[str], read: str) -> None:
    """Where one subject has no word in the sentence its first pronoun is that; else the sentence stays."""
    assert read == named(text, subjects)


def test_the_subjects_are_those_that_reading_finds() -> None:
    """What the extractor takes a pronoun for is what the model reads."""
    text = "Ada Reed was born in Ghent in 1901. She moved to Turin as a girl."
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    second = [claim.subject for claim in found.claims if claim.span.start > text.index("1901")]
    assert "Ada Reed moved to Turin as a girl." == named("She moved to Turin as a girl.", list(dict.fromkeys(second)))
