"""Claims of sentences in which words could be taken for a fact that the text does not state."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.input_texts import document_from_text


def told(text: str) -> tuple[set[str], set[tuple[str, str, str]]]:
    """The statements of a text's claims, and their triples."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    return {c.sentence for c in found.claims}, {(c.subject, c.predicate, c.object) for c in found.claims}


@pytest.mark.parametrize(
    "text",
    [
        "It is hoped that the council will decide in May.",
        "It is rumoured that the camel was drawn by the bishop.",
        "She assured them that the lake was fenced off.",
        "We hypothesized that the children would prefer the taller glass.",
        "The motion was that voting should be compulsory.",
        "It was not clear when the drill was carried out.",
        "How long they slept was not affected.",
        "Cover in the street applies only while the bicycle is in use.",
        "The door cleans itself as long as the upper vent is open.",
        "The pump rattles until the bubbles have come out.",
        "According to the affidavit, seen by the Star-Telegram, the teen claims that it was late.",
        "The bank, as Whitfield noted with a smile, paid a fine.",
        "He will look to go on developing his skills as he progresses in his career.",
    ],
)
def test_what_is_hoped_asked_or_only_then_the_case_is_told_as_such(text):
    """A report, an indirect question and a condition make no claim but that of their whole sentence."""
    assert {text} == told(text)[0]


def test_what_did_not_happen_any_more_is_no_fact():
    """ "Before he could be treated" says that he was not."""
    said, _ = told("Norton collapsed and died before he could be treated.")
    assert {"Norton collapsed.", "Norton died before he could be treated."} == said


@pytest.mark.parametrize(
    ("text", "expected", "unsaid"),
    [
        ("The show opened in Tampa, Florida.", "Tampa is in Florida.", "Tampa is Florida."),
        ("Fergus O'Brien and Ann Lee came second.", None, "O'Brien was Fergus."),
        ("The song was written by the members Barry, Robin and Maurice Gibb.", None, "Barry was members."),
        ("Former president Ann Lee spoke.", "Ann Lee was a former president.", None),
        ("Epidemiologist Ludmila Kravets wrote it.", "Ludmila Kravets was an epidemiologist.", None),
        ("Teodor Vashlin was not the only engineer.", None, "Vashlin was a teodor."),
        ("A lorry driver, Kwame Owusu, saw the smoke.", "Kwame Owusu was a lorry driver.", None),
        ("A version with a crank, the Weseo 3, needs no batteries.", None, "The Weseo 3 is a crank."),
        ("He was born on March 19, 1937, in Kolberg.", None, "March 19, 1937 is in Kolberg."),
        ("Brazil star Neymar (centre) met friends.", None, "Neymar was centre."),
        ("Milena Kravets, the co-founder of Doreron, left.", "Milena Kravets was the co-founder of Doreron.", None),
        ("Athens experienced a decline, but re-emerged in 1830.", "Athens re-emerged in 1830.", "Athens re."),
        (
            "Inspector Reed is looking for a grey van seen by a baker, Thomas Carver, and appeals to all.",
            None,
            "A grey van is Thomas Carver, and appeals to all.",
        ),
        ("It was made by a vet, Morag Lisgar, in her dairy.", "Morag Lisgar was a vet in her dairy.", None),
        (
            "Her daughters, Ann Vassilis, an actor, and Bea Azevedo, a vet, came.",
            None,
            "Ann Vassilis is an actor, and Bea Azevedo.",
        ),
    ],
)
def test_nouns_side_by_side_say_no_more_than_they_do(text, expected, unsaid):
    """A first name is no title, a place not the land that it lies in, and of two persons neither is the other."""
    said, _ = told(text)
    assert expected is None or expected in said
    assert unsaid not in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The firm learned of it from a plumber in Graz, who had replaced eleven valves.",
            "A plumber had replaced eleven valves.",
        ),
        (
            "Rainer Steiner and Rosa Marchetti, who grow herbs, were sailors.",
            "Rainer Steiner and Rosa Marchetti grow herbs.",
        ),
        (
            "What changed his mind was a new siding, which takes all lorries off the street.",
            "A new siding takes all lorries off the street.",
        ),
        (
            "It was designed by Harper Nye, whose earlier tower had won a prize and then fallen over.",
            "Harper Nye's earlier tower had then fallen over.",
        ),
        ("Soldiers had eaten from the plate and broken it.", "Soldiers had broken the plate."),
        ("The filter can be washed but not ironed.", "The filter can not be ironed."),
        ("There is of course Jason, who wrote the song.", "Jason wrote the song."),
        ("The centre has no car park of its own.", "The centre has no car park of its own."),
        ("The boars dug holes. They have not shown themselves since.", "The boars have not shown themselves since."),
        ("The course record survived by a few seconds.", "The course record survived by a few seconds."),
        ("Kettles made after May are safe.", "Kettles made after May are safe."),
        (
            "The suspension bridge in Izmir, opened in 1928, was the second on the site.",
            "The suspension bridge in Izmir was opened in 1928.",
        ),
        ("Ann Lee wrote tools for data science[1]. She lives in Oslo.[2] [3]", "Ann Lee wrote tools for data science."),
        ("The paper by Vaswani et al. was published in 2017.", "The paper by Vaswani et al. was published in 2017."),
        (
            "The city will pay none of it, councillor Grace Tindall made clear.",
            "The city will pay none of it, councillor Grace Tindall made clear.",
        ),
    ],
)
def test_a_clause_has_its_own_subject_and_verb(text, expected):
    """Clauses on nouns tell of what they are about, and verbs keep their auxiliary and "its own"."""
    assert expected in told(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        "In 1960, Ann Lee began writing novels and published her first work, Kazan no Otoko.",
        "Halys Group having withdrawn, the fair is looking for a sponsor.",
        "Meat and milk may not be brought in, save for baby food.",
        "Bills may be sent as photographs, but keep the originals for two years.",
        "The proposal to rent a third pump, made by Ann Lee and seconded by Bob Hill, was lost.",
        "It is alike in the way any regular word is pronounced across dialects.",
        "She was born in 1931 on a farm above Hoi An, the only girl among 5 children.",
        "Children should receive the first dose at one year of age and the second at three years of age.",
    ],
)
def test_words_that_are_no_sentence_are_told_with_the_rest(text):
    """What would have no verb, or jump over another verb, is told by its whole sentence."""
    said, _ = told(text)
    assert text in said
    assert not any(one in said for one in ("Meat and milk save for baby food.", "Bills keep the originals."))
    assert not any("girl" in one or "word is" in one for one in said - {text})
    assert not any("pump was made" in one or "novels Kazan" in one or "second Children" in one for one in said)


def test_an_empty_item_says_nothing():
    """A label without a value makes no claim of the list that it stands in."""
    assert set() == told("To find a price, follow these steps:\n\n- Compare:\n")[0]


@pytest.mark.parametrize(
    ("text", "expected", "unsaid"),
    [
        ("Great Sorrel is where most people stay.", "Great Sorrel is where most people stay.", "Most people stay."),
        (
            "Ice plants turn to CAM if the soil dries out; until then they work as C3 plants, as spinach does all its "
            "life.",
            "Until then ice plants work as C3 plants, as spinach does all its life.",
            "Spinach does all its life.",
        ),
        (
            "The tool no longer leaks memory, as it had done since 3.7.",
            "The tool no longer leaks memory, as it had done since 3.7.",
            "It had done since 3.7.",
        ),
        (
            "There was no agreement on how long a league was, nor could sailors determine longitude at sea.",
            "There was no agreement on how long a league was, nor could sailors determine longitude at sea.",
            "Could sailors determine longitude at sea.",
        ),
        (
            "Francis I, as the story goes, wished to see the will.",
            "Francis I, as the story goes, wished to see the will.",
            "The story goes.",
        ),
        (
            "The chandelier was made in the works itself and later bought back from a hotel.",
            "The chandelier was made in the works itself and later bought back from a hotel.",
            "The chandelier later bought back from a hotel.",
        ),
        (
            "That a carpet has been worn thin by everyday use is no reason to keep any of the deposit.",
            "That a carpet has been worn thin by everyday use is no reason to keep any of the deposit.",
            "A carpet has been worn thin by everyday use.",
        ),
        (
            "It shut its plant, a step that cost 85 people their jobs and that the union considers hasty.",
            "It shut its plant, a step that cost 85 people their jobs and that the union considers hasty.",
            "The union considers hasty.",
        ),
        (
            "Rainwater takes up some carbon dioxide. Most of it, however, is added in the soil.",
            "Most of the carbon dioxide, however, is added in the soil.",
            "Most of some carbon dioxide, however, is added in the soil.",
        ),
        (
            "When the town hall clock at Carrow froze, Danby, a locksmith's apprentice, was the one who climbed up.",
            "When the town hall clock at Carrow froze, Danby was the one who climbed up.",
            "The town hall clock at Carrow froze was Danby.",
        ),
        (
            "The hall is shut. It was a street cleaner, Dilip Marron, who raised the alarm. Nobody was in the hall.",
            "Nobody was in the hall.",
            "The hall was a street cleaner, Dilip Marron.",
        ),
        (
            "Nobody was in the hall; the only person reported to have needed treatment was a firefighter.",
            "The only person reported to have needed treatment was a firefighter.",
            "The only person reported to have needed treatment.",
        ),
        (
            "Thanks above all to the sale of its Perth site, Tarnwell cut its net debt by 16.5 million.",
            "Thanks above all to the sale of its Perth site, Tarnwell cut its net debt by 16.5 million.",
            "Thanks above all.",
        ),
        (
            "The scheme, known as *Step Out*, is a pilot project.",
            "The scheme, known as Step Out, is a pilot project.",
            "The scheme is known as *Step Out.",
        ),
        (
            "Who designed it is not known; the attribution goes back to Thrale's own letters.",
            "The attribution goes back to Thrale's own letters.",
            "It is not known.",
        ),
        (
            "If the drought is severe, cacti keep still.",
            "If the drought is severe, cacti keep still.",
            "Cacti keep still.",
        ),
    ],
)
def test_what_is_not_put_forward_by_itself(text, expected, unsaid):
    """A clause that needs the one around it is told with that alone."""
    said, _ = told(text)
    assert expected in said
    assert unsaid not in said


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("**Hollow Lane Allotments: what the committee decided**\n\nThe pump is broken.", "Allotments"),
        ("How it came about.\n\nThe pump is broken.", "How"),
        ("You're welcome! As you know, the pump is broken.", "You"),
    ],
)
def test_what_only_says_what_follows_is_no_claim(text, silent):
    """Titles in bold, a question's clause alone and "No." make no claims, and nothing else goes with them."""
    said, _ = told(text)
    assert said
    assert not any(silent in one for one in said)


@pytest.mark.parametrize("text", ["You may keep four.", "You don't have to pay.", "You cannot take a car across."])
def test_what_somebody_is_told_is_a_claim(text):
    """A sentence to the reader says what is so, however few words it has."""
    assert text in told(text)[0]


def test_an_item_goes_on_without_what_leads_to_it():
    """What leads to a list is said by the first sentence of an item alone."""
    text = "What you need to know:\n\n- **Penhallow** is for walkers. You cannot take a car across.\n"
    said, _ = told(text)
    assert "You cannot take a car across." in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **Laptops:** You can borrow one at the desk.\n", "Laptops: You can borrow one at the desk."),
        ("- **Opening hours:** The one at the desk is free.\n", "Opening hours: The one at the desk is free."),
        ("- **Cost:** A boiler costs less.\n", "A boiler costs less."),
    ],
)
def test_a_label_goes_with_what_stands_for_it(text, expected):
    """A statement that says "one" or "it" of what its label names has the label before it, as has one in a list
    that lacks its words.
    """
    assert {expected} == told(text)[0]
