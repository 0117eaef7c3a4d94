"""Statements of clauses that a parser misreads, or that say something only with what stands around them."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.input_texts import document_from_text


def told(text: str) -> tuple[list[str], set[tuple[str, str, str]]]:
    """The distinct statements of a text's claims, in order, and their triples."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    triples = {(claim.subject, claim.predicate, claim.object) for claim in found.claims}
    return list(dict.fromkeys(claim.sentence for claim in found.claims)), triples


@pytest.mark.parametrize(
    ("text", "expected", "unsaid"),
    [
        (
            'Local MP Tom Askew, who has campaigned for a bridge since his election, called the delay "a disgrace".',
            'Local MP Tom Askew called the delay "a disgrace".',
            "election, called",
        ),
        (
            "Substitute Kofi Larsen, who had been on the pitch for only six minutes, levelled from the penalty spot, "
            "and captain Neil Strachan won it with a late goal.",
            "Substitute Kofi Larsen levelled from the penalty spot.",
            "minutes were levelled",
        ),
        (
            "Mending the viaduct would cost 3.4 million, and a fund has paid half.",
            "Mending the viaduct would cost 3.4 million.",
            "million, and a fund",
        ),
        (
            "Adding a second turbine, which is planned for 2027, would double the output.",
            "Adding a second turbine would double the output.",
            "planned for 2027, would",
        ),
        (
            "To repair the roof would take a year, but the owner has no money.",
            "To repair the roof would take a year.",
            "year, but",
        ),
        (
            "The only person reported to have needed treatment was a firefighter.",
            "The only person reported to have needed treatment was a firefighter.",
            "needed treatment.",
        ),
        (
            "Replacing it would have cost 5,200 pounds.",
            "Replacing it would have cost 5,200 pounds.",
            "Replacing would",
        ),
        (
            "Stalactites, which start out hollow, grow from above, and stalagmites, which are not hollow, from below; "
            "columns arise where they join.",
            "Stalactites grow from above, and stalagmites from below.",
            "above stalagmites",
        ),
        (
            "Danby, whom the church then called, was willing to come, and the old bells were kept.",
            "Danby was willing to come.",
            "called, was willing",
        ),
        (
            "Users can upgrade within minutes, but anyone who is still on version 3 can also go straight to 4.2.",
            "Anyone who is still on version 3 can also go straight to 4.2.",
            "minutes, but",
        ),
        (
            "The two sizes can be hung on a wall and have the same width, but the cable is sold apart.",
            "The two sizes have the same width.",
            "width, but",
        ),
        (
            "The shop sells cheese and closes at six, but the bakery is open until eight.",
            "The bakery is open until eight.",
            "six, but",
        ),
        (
            "Her aide is a nurse, Noor Haddad, who is better with bells, because they have damaged his hearing.",
            "Her aide is a nurse, Noor Haddad, who is better with bells, because they have damaged his hearing.",
            "Haddad because",
        ),
        ("38 per cent of the bicycles were e-bikes.", "38 per cent of the bicycles were e-bikes.", "were e "),
        ("The line, which was shut in 1960, reopened in May.", "The line reopened in May.", "which was shut"),
        (
            "The club lost after their captain, Nora Lie, was sent off.",
            "The club's captain, Nora Lie, was sent off.",
            "The club lost after their captain, Nora Lie.",
        ),
        (
            "Most females have none, and about one male in 500 has two.",
            "Most females have none, and about one male in 500 has two.",
            "500.",
        ),
        (
            "A bridge was approved in 2019 but shelved a year later when the money ran out.",
            "A bridge was approved in 2019 but shelved a year later when the money ran out.",
            "A bridge shelved",
        ),
        (
            "She was elected in 1990 and served until 1994.",
            "She served until 1994.",
            "was served",
        ),
    ],
)
def test_main_verbs_are_found(text, expected, unsaid):
    """A verb that a parser took for a participle, or gave another subject, is that of the sentence."""
    said, _ = told(text)
    assert expected in said
    assert not any(unsaid in sentence for sentence in said)


def test_no_longer_and_at_all_deny():
    """The triple of a verb keeps "no longer" before it, and "at all" is no clause."""
    assert ("Bosch", "no longer makes", "dryers") in told("Bosch no longer makes dryers at all.")[1]


@pytest.mark.parametrize(
    ("text", "expected", "unsaid"),
    [
        (
            "Carrow Bridge, the only crossing over the Tew for 14 miles, was closed.",
            "Carrow Bridge was the only crossing over the Tew for 14 miles.",
            "Tew.",
        ),
        (
            "Traffic goes through Helmsby, which adds half an hour to the journey.",
            "Traffic goes through Helmsby, which adds half an hour to the journey.",
            "Helmsby adds",
        ),
        (
            "A doctor, Agnes Muir, lent Bob books and taught Eve Latin.",
            "Agnes Muir taught Eve Latin.",
            "A doctor taught",
        ),
        (
            "Rovers lost. Later Danny Lee headed Rovers in front, and Rovers won.",
            "Later Danny Lee headed Rovers in front.",
            "rovers",
        ),
        (
            "Striker Danny Okafor headed in a corner. Then Danny Okafor fell.",
            "Then Danny Okafor fell.",
            "Then Striker",
        ),
    ],
)
def test_statements_keep_what_they_need(text, expected, unsaid):
    """An apposition is told whole, a person by the name, and what follows from a clause is told of no name in it."""
    said, _ = told(text)
    assert expected in said
    assert not any(unsaid in sentence for sentence in said)


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Narwhals grow to 4 metres, not counting the tusk.", ("Narwhals", "are not counting", "the tusk")),
        ("The lamp weighs 78 grams including the battery.", ("The lamp", "weighs", "the battery")),
        ("Denmark will meet Norway or Hungary.", ("Denmark", "will meet", "Norway")),
    ],
)
def test_no_triple_says_more_than_the_text(text, triple):
    """ "Counting" and "including" after a measure are no facts, nor is one of two that "or" joins."""
    assert triple not in told(text)[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unlike the S2, the Norro 5 is light and has a lamp.", "Unlike the S2, the Norro 5 has a lamp."),
        ("With the new pump, the boat is faster and uses less fuel.", "With the new pump, the boat uses less fuel."),
        ("In 1951 he moved to Oslo and married.", "He married."),
        (
            "Ann wrote a column for Dagbladet, the newspaper, which was printed as a book.",
            "Dagbladet was the newspaper.",
        ),
        (
            "Denmark will meet either Norway or Hungary, who play on Monday.",
            "Denmark will meet either Norway or Hungary, who play on Monday.",
        ),
        (
            "Founded in 1890, the club won two cups and lost three.",
            "Founded in 1890, the club won two cups and lost three.",
        ),
        ("Both rash and cough affect one person in ten.", "Both rash and cough affect one person in ten."),
        ("After the break coach Sandra Ruiz brought on Lee.", "Sandra Ruiz was a coach."),
        (
            "Rated IPX6, the housing withstands heavy rain but must not be submerged.",
            "Rated IPX6, the housing withstands heavy rain but must not be submerged.",
        ),
    ],
)
def test_a_part_keeps_what_holds_of_all(text, expected):
    """A comparison or condition before the subject holds of every verb; what cannot be read right is told whole."""
    assert told(text)[0][-1] == expected


def test_headings_without_a_verb_of_their_own_and_lines_of_a_head_are_no_sentences():
    """A numbered title that opens a clause makes no claim, and lines of a letter's head are not run together."""
    text = "Minutes of the Oak Club\nHeld on 6 March in the Hut\n\n2. What to know before you take it\n\nDogs may come."
    assert told(text)[0] == ["Dogs may come."]
    wrapped = "The board of the Oak Club in Holm\nHill met on 6 March in the old\nHut and chose Ann Lee.\n\nIt is old."
    assert told(wrapped)[0][0].startswith("The board of the Oak Club in Holm Hill met")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "It is shown in the museum at Port Ellen, which houses the records.",
            "It is shown in the museum at Port Ellen, which houses the records.",
        ),
        (
            "Chief Mary Obi said the spring had hurt sales, but that June had been the best month.",
            "Chief Mary Obi said the spring had hurt sales, but that June had been the best month.",
        ),
        (
            "The captain dropped both anchors, but only one held.",
            "The captain dropped both anchors, but only one held.",
        ),
        (
            "The board proposed 3%, but the members rejected that in May.",
            "The board proposed 3%, but the members rejected that in May.",
        ),
        (
            "The busiest year was 1899, when 74,000 tons of slate were moved.",
            "The busiest year was 1899, when 74,000 tons of slate were moved.",
        ),
        ("It failed, since in other mammals such a gene is rare.", "In other mammals such a gene is rare."),
        (
            "Samples with 30 percent cracked; those with 10 percent survived.",
            "Samples with 30 percent cracked; those with 10 percent survived.",
        ),
    ],
)
def test_what_needs_the_rest_of_its_sentence_has_it(text, expected):
    """A clause that may tell of another noun, that somebody says, or whose words stand for others, is told whole."""
    assert expected in told(text)[0]
    assert not any(said in {"Port Ellen houses the records.", "Only one held."} for said in told(text)[0])


def test_what_would_be_a_sign_is_not_asserted():
    """What something means is no fact by itself, and a list is no apposition of a place before it."""
    assert ["Pink streaks mean that the dough has spoiled."] == told("Pink streaks mean that the dough has spoiled.")[0]
    found = told("They include coins, the largest treasure found in Sweden, a trumpet and a pot.")[0]
    assert not any("Sweden is" in said or "Sweden was" in said for said in found)
