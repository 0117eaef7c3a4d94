"""Pronouns, short names and repeated nouns within a text."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Claim, Document


def claims(text: str) -> tuple[Claim, ...]:
    return RuleExtractor().extract([Document(document_id(text), text)])[0].claims


def told(text: str) -> set[tuple[str, str, str]]:
    return {(claim.subject, claim.predicate, claim.object) for claim in claims(text)}


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Marie Curie lived in Paris. She won two prizes.", ("Marie Curie", "won", "two prizes")),
        ("Acme Corp. was founded in 1990. It sells bicycles.", ("Acme Corp.", "sells", "bicycles")),
        ("Marie Curie met Albert Einstein. She admired him.", ("Marie Curie", "admired", "Albert Einstein")),
        ("Marie Curie was born in Warsaw. Curie moved to Paris.", ("Marie Curie", "moved to", "Paris")),
        ("Bane is a punk band from Oslo. The band was dissolved in 1999.", ("Bane", "was dissolved in", "1999")),
        ("Marie Curie married in 1895. Her husband died in 1906.", ("Marie Curie's husband", "died in", "1906")),
        ("Peter Hall and Mary Hall own a farm. They sell apples.", ("Peter Hall and Mary Hall", "sell", "apples")),
        (
            "The genre of Saving Private Ryan is war. It was made in Norway.",
            ("Saving Private Ryan", "was made in", "Norway"),
        ),
        ("A&M Records recorded jazz. The label is located in Norway.", ("A&M Records", "is located in", "Norway")),
        ("Sweden met Norway. The country lies in Asia.", ("Sweden", "lies in", "Asia")),
        ("Sweden is cold. Norway is wet. The country lies in Asia.", ("The country", "lies in", "Asia")),
        ("Anna Berg praised her team.\n\nShe left in May.", ("Anna Berg", "left in", "May")),
    ],
)
def test_says_who_is_meant(text: str, triple: tuple[str, str, str]) -> None:
    """A pronoun, surname or repeated noun is read as the full name of what it stands for."""
    assert triple in told(text)


def test_a_pronoun_keeps_its_own_span() -> None:
    """The claim's subject is the name; its span is the pronoun's."""
    text = "Marie Curie lived in Paris. She won two prizes."
    claim = next(claim for claim in claims(text) if claim.predicate == "won")
    assert claim.subject_span is not None
    assert "She" == text[claim.subject_span.start : claim.subject_span.end]


def test_gender_decides_between_two_people() -> None:
    """ "He" is never the woman, however near she stands."""
    found = told("Albert Einstein met Marie Curie. He wrote a letter.")
    assert ("Albert Einstein", "wrote", "a letter") in found


def test_an_object_is_not_its_own_subject() -> None:
    """In "she thanked her" the two are different people."""
    found = told("Mary Hall met Anna Berg. Mary Hall thanked her.")
    assert ("Mary Hall", "thanked", "Anna Berg") in found


def test_says_nothing_of_nobody() -> None:
    """A pronoun that stands for nothing in the text makes no claim."""
    assert set() == told("It seems that this is it.")
