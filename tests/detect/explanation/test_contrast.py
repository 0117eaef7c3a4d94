"""Contradictory pairs of claims and evidence, and the sentences made of them."""

from __future__ import annotations

import pytest

from claimgraph.detect.check_input import Case
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.detect.reasons.contrast import Contrast, contrasts
from claimgraph.detect.reasons.sense import is_told_apart, of_one_kind
from claimgraph.detect.reasons.wording import reason
from claimgraph.kgstore.identity import context_graph, document_id
from claimgraph.kgstore.model import Claim, Document, Outcome, Passage, Span

CONTEXT = (
    "Marie Curie was born in Warsaw on 7 November 1867. She won the Nobel Prize in Physics in 1903. "
    "The fire killed 20 people. Google bought YouTube. The minister did not resign."
)


@pytest.fixture(scope="module")
def space() -> Space:
    return Space(MiniLMEmbedder())


def pairs(space: Space, *triples: tuple[str, str, str], context: str = CONTEXT) -> list[Contrast | None]:
    """The contradictory pairs of triples with a context."""
    document = Document(document_id(context), context)
    [extraction] = RuleExtractor().extract([document])
    facts = claim_kg(extraction, context_graph(document.id))
    passages = tuple(Passage(context[s.start : s.end], "the context", document.id, s) for s in extraction.sentences)
    claims = tuple(Claim(str(n), "d", *t, text=" ".join(t), span=Span(0, 9)) for n, t in enumerate(triples))
    return contrasts(Case(claims, facts, passages, True), space)


@pytest.mark.parametrize(
    ("triple", "expected"),
    [
        (("Marie Curie", "was born in", "Paris"), ("object", "Paris", "Warsaw")),
        (("Marie Curie", "was born on", "9 November 1867"), ("object", "9 November 1867", "1867-11-07")),
        (("The fire", "killed", "25 people"), ("object", "25 people", "20 people")),
        (("Microsoft", "bought", "YouTube"), ("subject", "Microsoft", "Google")),
        (("Google", "did not buy", "YouTube"), ("predicate", "did not buy", "bought")),
        (("Google", "sued", "YouTube"), ("predicate", "sued", "bought")),
    ],
    ids=["object", "date", "number", "subject", "denial", "relation"],
)
def test_the_differing_element_is_named_with_both_values(space, triple, expected):
    """Names, near dates and numbers, denials and other relations are told apart, though embeddings hold many alike."""
    [pair] = pairs(space, triple)
    assert pair
    assert expected == (pair.element, pair.said, pair.known)


def test_a_day_is_no_other_place(space):
    """What an event was on is not named beside where it was, but beside another day."""
    context = "The station opened on Thursday."
    assert [None] == pairs(space, ("The station", "opened in", "Paris"), context=context)
    [pair] = pairs(space, ("The station", "opened on", "Monday"), context=context)
    assert pair
    assert ("Monday", "Thursday") == (pair.said, pair.known)


def test_no_pair(space):
    """What is said, or differs in more than one element, has no contradictory pair; nor has anything without facts."""
    said = [("Google", "bought", "YouTube"), ("The queen", "visited", "a small farm")]
    assert [None, None] == pairs(space, *said)
    assert [None] == pairs(space, said[0], context="")


def test_a_pronoun_is_no_value_of_the_evidence(space):
    """What a pronoun stands for may be what the claim names: it is not set against it."""
    said = ("most guidelines", "recommend", "aspirin")
    assert pairs(space, said, context="Most guidelines recommend rest.")[0]
    assert [None] == pairs(space, said, context="Most guidelines recommend it.")


def test_sentences_say_the_contrast_or_that_there_is_none():
    """A refutation names both values, the element and the source; without a pair it says so, whatever the outcome."""
    claim = Claim("c", "d", "France", "has capital", "Rome", "France has capital Rome", Span(0, 9))
    pair = Contrast("object", "Rome", "Paris")
    expected = "The text says Rome; the context says Paris (the object differs): “Paris is the capital.”"
    assert expected == reason(claim, Outcome.REFUTED, pair, "the context", "Paris is the capital.")
    assert "though nothing in it differs in one element only" in reason(
        claim, Outcome.REFUTED, None, "the context", "Paris."
    )
    unsaid = reason(claim, Outcome.NOT_ENOUGH_INFO, None, "the context", "")
    expected = "The context does not say whether France has capital Rome, and nothing that differs in one element only."
    assert expected == unsaid
    denied = reason(claim, Outcome.REFUTED, Contrast("predicate", "has", None), "a.txt", "It has not.")
    assert "The text says has; a.txt says the opposite (the predicate differs): “It has not.”" == denied


@pytest.mark.parametrize("outcome", [Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED])
def test_what_is_said_of_somebody_else_is_no_reason(outcome: Outcome) -> None:
    """Evidence with another subject is about another thing: it is not held against the claim."""
    claim = Claim("0", "d", "Microsoft", "bought", "YouTube", text="Microsoft bought YouTube", span=Span(0, 9))
    other = Contrast("subject", "Microsoft", "Google")
    assert "differs" not in reason(claim, outcome, other, "the context", "Google bought YouTube.")


LISTED = "Axolotls can regrow legs, the tail and the heart without scars."


def test_what_both_sides_say_is_no_contrast(space):
    """An element of a list is not set against another of the same list, nor against what the source says, too."""
    assert [None] == pairs(space, ("Axolotls", "can regrow", "legs"), context=LISTED)
    assert [None] == pairs(space, ("Axolotls", "can regrow", "eyes"), context=LISTED)
    names = "The museum was founded by Ann Reed and Tom Hill in 1911."
    [pair] = pairs(space, ("The museum", "was founded by", "Eve Holt"), context="The museum was founded by Ann Reed.")
    assert pair
    assert ("Eve Holt", "Ann Reed") == (pair.said, pair.known)
    assert [None] == pairs(space, ("The museum", "was founded by", "Eve Holt"), context=names)


def test_the_one_element_of_a_list_that_differs_is_named(space):
    """Where the claim has all other elements of the list, the one that it lacks stands in the place of its own."""
    context = "The museum was founded by Ann Reed and Tom Hill in 1911."
    document = Document(document_id(context), context)
    [extraction] = RuleExtractor().extract([document])
    facts = claim_kg(extraction, context_graph(document.id))
    passages = tuple(Passage(context[s.start : s.end], "the context", document.id, s) for s in extraction.sentences)
    text = "The museum was founded by Ann Reed and Tom Hull."
    claim = Claim("0", "d", "The museum", "was founded by", "Tom Hull", text, Span(0, 9), statement=text)
    [pair] = contrasts(Case((claim,), facts, passages, True), space)
    assert pair
    assert ("Tom Hull", "Tom Hill") == (pair.said, pair.known)


@pytest.mark.parametrize(("said", "known"), [("it", "Oslo"), ("Monday", "Oslo"), ("Oslo", "1911"), ("a fort", "Oslo")])
def test_things_of_different_kinds_exclude_nothing(said: str, known: str) -> None:
    """A pronoun, a day beside a place, a place beside a year, and a name beside another noun are no contrast."""
    assert not of_one_kind(said, known)
    assert not is_told_apart(f"It opened in {said}.", said, known, "value", f"It opened in {known}.")


def test_a_value_that_both_sides_have_is_not_what_differs():
    """ "9 pence" is not set against "141" where both sides say 141."""
    claim, source = "The shares rose 8 pence to 141.", "Its shares rose 9 pence to 141."
    assert not is_told_apart(claim, "8 pence", "141", "value", source)
    assert is_told_apart(claim, "8 pence", "9 pence", "value", source)
