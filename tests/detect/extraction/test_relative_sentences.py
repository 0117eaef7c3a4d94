"""Clauses that hang on a noun or a verb, as statements of their own."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.input_texts import document_from_text


def said(text: str) -> list[str]:
    """The distinct statements of a text's claims, in order."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    return list(dict.fromkeys(claim.sentence for claim in found.claims))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Two firefighters were taken to hospital, where the firefighters remained for three days.",
            {"Two firefighters were taken to hospital.", "The firefighters remained for three days at hospital."},
        ),
        (
            "Ann Lee moved to Vienna, where she studied law until 1912.",
            {"Ann Lee moved to Vienna.", "Ann Lee studied law in Vienna until 1912."},
        ),
        (
            "Among the honours was the Desmazières Prize, which Ann Tassin won in 1934.",
            {"Ann Tassin won the Desmazières Prize in 1934."},
        ),
        ("The firm opened a plant, which it closed in 2019.", {"The firm closed the plant in 2019."}),
        (
            "Konrad Aebi married Ann Lee, with whom he had a daughter named Hélène, who became a physicist.",
            {"Konrad Aebi had a daughter named Hélène with Ann Lee.", "A daughter named Hélène became a physicist."},
        ),
        (
            "Anders Moe moves to the supervisory board, where Moe will look after acquisitions.",
            {"Moe will look after acquisitions at the supervisory board."},
        ),
        (
            "The botanist Carl Nägeli, with whom Mendel corresponded, advised him.",
            {"Mendel corresponded with the botanist Carl Nägeli."},
        ),
    ],
)
def test_a_relative_clause_around_another_noun_than_its_subject(text, expected):
    """The noun takes the place of "where", "which" and "whom"."""
    assert expected <= set(said(text))


@pytest.mark.parametrize(
    "text",
    [
        "In a judgment by Lady Justice Farrow, from which one judge dissented, two others found fault with it.",
        "The ash drifted east, where it closed two airports.",
        "The strike came to a settlement in 1980, by which the union allowed the frame.",
        "The address appeared in a caption, where the Anchor says it was overlooked.",
    ],
)
def test_a_relative_clause_of_a_doubtful_noun_stays_in_its_sentence(text):
    """What "which" cannot stand for, and what somebody says of it, makes no statement."""
    assert text in said(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Although no one lost their life, two firefighters were hurt.",
            ["No one lost their life.", "Two firefighters were hurt."],
        ),
        (
            "Her father ran a pharmacy, while Rosalie Wauters taught school.",
            ["Her father ran a pharmacy.", "Rosalie Wauters taught school."],
        ),
        ("Profit fell even though sales rose.", ["Profit fell even though sales rose.", "Sales rose."]),
    ],
)
def test_what_is_only_set_against_a_clause_is_a_statement_of_its_own(text, expected):
    assert said(text) == expected


def test_a_condition_states_nothing():
    assert said("Dogs may come along provided that the dogs are on a lead.") == [
        "Dogs may come along provided that the dogs are on a lead."
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The conviction of Victor Hale, a former manager who has protested his innocence, has been quashed.",
            "Victor Hale is a former manager who has protested his innocence.",
        ),
        (
            "The mill employed 830 people and at one time contained 64,000 spindles.",
            "The mill at one time contained 64,000 spindles.",
        ),
        ("Having been educated in Namur, Ann Lee entered the university.", "Ann Lee was educated in Namur."),
    ],
)
def test_a_statement_has_all_that_its_clause_says(text, expected):
    assert expected in said(text)


def objects(text: str) -> set[tuple[str, str]]:
    """Predicates and objects of a text's claims."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    return {(claim.predicate, claim.object) for claim in found.claims}


def test_a_span_of_time_is_one_argument():
    assert ("sails daily from April to", "October") in objects("Saltline sails daily from April to October.")
    assert {("flew from", "Paris"), ("flew to", "London")} <= objects("The birds flew from Paris to London.")


def test_what_is_ruled_out_is_no_object():
    """Not "in 50", which the boat does not need, nor pears, which nobody bought."""
    found = objects(
        "The boat makes the crossing in 25 minutes rather than 50. Ann Lee bought apples rather than pears."
    )
    assert {"25 minutes", "apples"} <= {object for _, object in found}
    assert not any("50" in object or "pears" in object for _, object in found)


def test_a_condition_of_what_would_be_is_no_fact():
    assert said("Adjusted for inflation, sales would have grown by 11 percent.") == [
        "Adjusted for inflation, sales would have grown by 11 percent."
    ]


def test_how_long_before_a_clause_something_was_is_not_said_in_it():
    """Neither in its statement nor in its triples."""
    text = "The firm registered the name in 2016, three years before Ann Lee took over the bakery."
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    told = [claim for claim in found.claims if claim.triple.subject == "Ann Lee"]
    assert {(claim.sentence, claim.triple.text) for claim in told} == {
        ("Ann Lee took over the bakery.", "Ann Lee took over the bakery")
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mistakes became common, mainly because the nurses were tired.", "The nurses were tired."),
        ("Having lost an eye in 1941, Ann Lee gave up drawing.", "Ann Lee had lost an eye in 1941."),
        ("The offer was open to traders. 27 of them had taken it up.", "27 of the traders had taken the offer up."),
        ("A glider fell to pieces on its maiden flight.", "A glider fell to pieces on its maiden flight."),
        ("Ann and Bob left Rome. Neither of them came back.", "Neither of Ann and Bob came back."),
        ("The ferry reached customers. A seat fits either of them.", "A seat fits either of them."),
    ],
)
def test_a_clause_reads_as_a_sentence(text, expected):
    """Without the adverb of the word that joins it, with the right auxiliary and article, and no name twice."""
    assert expected in said(text)
