"""Statements: every clause as a sentence that can be understood alone, and no sentence without a claim."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.text.parse import unmarked
from claimgraph.input_texts import document_from_text


def statements(text: str) -> list[str]:
    """The distinct statements of a text's claims, in order."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    return list(dict.fromkeys(claim.sentence for claim in found.claims))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Reed was born in Leeds. She moved to York in 1934.", "Ada Reed moved to York in 1934."),
        ("Ada Reed moved to York and opened a shop.", "Ada Reed opened a shop."),
        ("Ada Reed, who was born in Leeds, moved to York.", "Ada Reed was born in Leeds."),
        ("Ada Reed, who was born in Leeds, moved to York.", "Ada Reed moved to York."),
        ("When the vote was over, Ada Reed left the hall.", "When the vote was over, Ada Reed left the hall."),
        ("Only three of the eleven ships sank.", "Only three of the eleven ships sank."),
        ("Ada Reed sold her shop; it is now a museum of toys.", "Ada Reed sold her shop."),
    ],
)
def test_a_statement_stands_alone(text, expected):
    """A clause keeps all it says, has a name for a pronoun, and repeats a subject that it shares."""
    assert expected in statements(text)


def test_a_name_is_said_once():
    """A pronoun whose name stands before it in the same statement stays."""
    assert ["Ada Reed sold her shop."] == statements("Ada Reed sold her shop.")


def test_a_pronoun_without_a_name_stays():
    """A claim about something that the text does not name keeps its pronoun; it is not dropped."""
    assert ["It was not insured."] == statements("It was not insured.")


@pytest.mark.parametrize(
    "text", ["Is the shop open?", "I think this film is great.", "In my opinion the film fails.", "Good morning!"]
)
def test_what_is_no_claim(text):
    """Questions, opinions and greetings make no claims."""
    assert [] == statements(text)


def test_markdown_is_read_as_text():
    """Marks of emphasis, lists, headings and links are no words, and spans point into the text as it was."""
    text = "## Results\n\n- **Login:** The server refuses [old keys](https://example.org/keys).\n"
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert found.claims
    assert all("*" not in claim.sentence and "http" not in claim.sentence for claim in found.claims)
    assert any(text[claim.object_span.start : claim.object_span.end] == "old keys" for claim in found.claims)


@pytest.mark.parametrize("text", ["**a** _b_ `c`", "# a\n1. b\n- c", "[a](b) ![c](d)", "2 * 3 * 4", "plain"])
def test_blanking_keeps_places(text):
    """What is blanked out is replaced by as many spaces, and all letters that are read stand where they stood."""
    blanked = unmarked(text)
    assert len(text) == len(blanked)
    assert all(after in (before, " ") for before, after in zip(text, blanked, strict=True))
