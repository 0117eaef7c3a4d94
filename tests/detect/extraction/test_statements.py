"""Statements: every clause as a sentence that can be understood alone, and no sentence without a claim."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.text.markup import unmarked
from claimgraph.input_texts import document_from_text


def statements(text: str) -> list[str]:
    """The distinct statements of a text's claims, in order."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    return list(dict.fromkeys(claim.sentence for claim in found.claims))


@pytest.mark.parametrize(
    ("text", "expected", "unsaid"),
    [
        (
            "Ines Faro (born 3 May 1901 in Braga; died 2 June 1980 in Lisbon) was a Portuguese civil engineer.",
            "Ines Faro died 2 June 1980 in Lisbon.",
            "(born",
        ),
        (
            "The town bought a second bus, the electric shuttle Finch, which carries 40 people.",
            "The electric shuttle Finch carries 40 people.",
            "A second bus carries",
        ),
        (
            "Her book on bees, printed in Oslo, was sold in May.",
            "Her book on bees, printed in Oslo, was sold in May.",
            "Bees was printed",
        ),
        (
            "The tram from Bresk to the port of Holm will run every hour from 1 May, the town council said on Friday.",
            "The tram from Bresk to the port of Holm will run every hour from 1 May, the town council said on Friday.",
            "tram from Bresk to the port of Holm was said",
        ),
        (
            "Mr Sayed spoke first. Mr Sayed praised the plan.",
            "Mr Sayed praised the plan.",
            "Mr Mr",
        ),
        (
            "The Norro X12 and the Norro X18 are drills. The Norro X18 is loud. Norro gives a warranty of two years.",
            "Norro gives a warranty of two years.",
            "X18 gives",
        ),
        (
            "There were 40 members. Most of those who left gave the fee as their reason.",
            "Most of those who left gave the fee as their reason.",
            "40 members' reason",
        ),
        (
            "Ada Reed was born in Leeds. The daughter of a cook, she studied in York, where she met Bob Hill.",
            "The daughter of a cook, Ada Reed studied in York, where she met Bob Hill.",
            "daughter of a cook, she",
        ),
        ("- **Norro X12**: weighs 2 kg and has two batteries.", "Norro X12 weighs 2 kg.", " :"),
        (
            "The cause was a broken cable, which took a week to mend.",
            "A broken cable took a week to mend.",
            "cause took",
        ),
        (
            "Your doctor should have the level checked every year.",
            "Your doctor should have the level checked every year.",
            "The level checked",
        ),
        (
            "The firm will collect the boxes from 2 p.m. Please label each box.",
            "The firm will collect the boxes from 2 p.m.",
            "will label",
        ),
    ],
    ids=[
        "brackets",
        "name",
        "participle",
        "report",
        "title",
        "brand",
        "their",
        "she",
        "colon",
        "cause",
        "have",
        "hour",
    ],
)
def test_nothing_is_said_of_what_only_stands_near(text, expected, unsaid):
    """Brackets, participles, relative clauses and names belong to what the text gives them to."""
    found = statements(text)
    assert expected in found
    assert not any(unsaid in one for one in found)


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
        ("The mill is fed by one river and drained by two.", "The mill is drained by two."),
        ("Led by Ada Reed, the club won the cup.", "The club was led by Ada Reed."),
        ("The clerk, Ada Reed, kept the books.", "The clerk, Ada Reed, kept the books."),
        ("Ada Reed, a chemist, kept the books.", "Ada Reed kept the books."),
        ("A USB-C cable is in the box, a charger is not.", "A charger is not in the box."),
        ("The belt is padded, the straps are not.", "The straps are not padded."),
        ("Ann can swim but Bob cannot.", "Bob cannot swim."),
        ("Brazil signed the treaty, but Chile did not.", "Chile did not sign the treaty."),
        ("The bank has raised rates, and two rivals have not.", "Two rivals have not raised rates."),
        ("His father ran a shop in Leeds, the town council bought it.", "His father ran a shop in Leeds."),
        ("The bridge, the engineer said, was safe.", "The bridge, the engineer said, was safe."),
        ("A painter and poet, Ada Reed's son lived in Rome.", "A painter and poet, Ada Reed's son lived in Rome."),
        ("The bag weighs 1 kg and holds 45 litres, ten of them in the lid.", "The bag weighs 1 kg."),
        ("Two members have not paid their rent. I will write to them.", "Two members have not paid their rent."),
        ("Two men owe rent. Mr Sayed will write to them.", "Mr Sayed will write to two men."),
        ("- **Cost:** A boiler costs around 3,000 euros.", "A boiler costs around 3,000 euros."),
        ("- **Build**: Both the casing and the lid are steel.", "Build: Both the casing and the lid are steel."),
        ("- Price: The fan costs 80 euros.", "Price: The fan costs 80 euros."),
        ("**Downside:** No remote control is included.", "No remote control is included."),
        ("- **Range:** up to 40 km", "Range: up to 40 km."),
        (
            "A book by Ada Reed, Stone and Ice, was sold in Oslo.",
            "A book by Ada Reed, Stone and Ice, was sold in Oslo.",
        ),
        ("The mill ran in two months, the old one took three.", "The mill ran in two months, the old one took three."),
        (
            "Passengers over 70 and children under six travel free.",
            "Passengers over 70 and children under six travel free.",
        ),
        ("Ada Reed was a cook. A friend of Picasso, she lived in Rome.", "Ada Reed was a friend of Picasso."),
        ("The paper praised the chemist Ada Reed.", "The paper praised the chemist Ada Reed."),
        ("Finch & Wren built the bridge.", "Finch & Wren built the bridge."),
        ("There is no station.", "There is no station."),
        ("Neither the mass nor the age is known precisely.", "The age is not known precisely."),
        ("Old tools are no longer sold.", "Old tools are no longer sold."),
        ("It is likely that the bridge will close.", "It is likely that the bridge will close."),
        ("The Miners Union lost. Only the union had asked.", "Only the Miners Union had asked."),
        ("The Town Museum opened. The museum is free.", "The Town Museum is free."),
        ("The Harrow Canal was dug in 1790. It had nine locks.", "The Harrow Canal had nine locks."),
        ("The Town Museum opened its doors in May.", "The Town Museum opened its doors in May."),
        ("Her mill, a brick house of 1801, was sold in 1920 and burnt down.", "Her mill burnt down."),
        ("Rain fell all night; the river rose.", "Rain fell all night."),
        ("The two tables differ: one has ten rows.", "The two tables differ."),
        ("7.1 Either side may leave the deal.", "Either side may leave the deal."),
        ("Shares in Norlink, which have lost a fifth, fell.", "Shares in Norlink have lost a fifth."),
        (
            "The clerk said that the fund held 18 pounds, which was less than before.",
            "The clerk said that the fund held 18 pounds, which was less than before.",
        ),
        (
            "There is no station; the nearest one is in Buzet.",
            "There is no station; the nearest one is in Buzet.",
        ),
        (
            "The talks had lasted for two years and were held in the hall, since nobody would enter the camp.",
            "The talks were held in the hall since nobody would enter the camp.",
        ),
        (
            "The best time is June, when the sea is warm and the hotels are empty.",
            "The best time is June, when the sea is warm and the hotels are empty.",
        ),
        ("The group survived as a charity, the Hearth.", "The Hearth was a charity."),
        ("The Aurel S3 is a lamp.\n\n- Comes with a cable and a case\n", "The Aurel S3 comes with a cable and a case."),
        ("Unlike the Town Hall, the Mill Tower was sold. It burnt down.", "The Mill Tower burnt down."),
        ("A fire broke out in Leeds. It was the third fire in a year.", "The fire was the third fire in a year."),
        ("OSLO, Norway, 3 May 2021 -- The bank opened a branch.", "The bank opened a branch."),
        (
            "Opening hours\nThe museum is open from nine to five on all weekdays.",
            "The museum is open from nine to five on all weekdays.",
        ),
    ],
)
def test_a_statement_stands_alone(text, expected):
    """A clause keeps all it says, has a name for a pronoun, and repeats a subject that it shares."""
    assert expected in statements(text)


@pytest.mark.parametrize(
    "text",
    [
        "The mayor said that the bridge would close.",
        "The mayor denied that any files were lost.",
        '"The food was good," Ada Reed wrote, "but the rooms were cold."',
        "The report examines how towns cope with rents.",
        "Leeds was the only town in which rents fell.",
        "The tablet has 64 GB of storage, of which 51 are free.",
        "In 1964 the city built a dam at the lake, which raised the water.",
        "Stars lighter than eight suns do not become neutron stars.",
        "The warranty does not cover damage caused by misuse.",
        "If the vote fails, the mayor will resign.",
        "Had the fleet arrived in time, the city might have been saved.",
        "The tenant must return or destroy all keys.",
        "The smith made and sold iron gates.",
        "The library holds 40,000 books, opened in 2018 by the mayor.",
        "Baking takes ten minutes and cooling 35 minutes.",
        "The plates, most of which are now kept in Bonn, show nine birds.",
        "A crowd watched the match, the biggest of the season.",
        "Clauses 5, 8 and 11 survive termination.",
    ],
)
def test_what_is_said_so_only_together_is_one_statement(text):
    """Somebody's words keep who said them, a condition its consequence, and a noun what tells which one is meant."""
    assert [text] == statements(text)


def test_tables_labels_and_lists_are_read_by_their_place():
    """A cell is told of its row, a list's item of its heading, and a label of its value."""
    table = "| Pier | Crack (mm) | Since |\n|---|---|---|\n| 2 | 0.3 | 2019 |\n| 5 |  | 2021 |\n"
    assert ["Pier 2, crack (mm): 0.3.", "Pier 2, since: 2019.", "Pier 5, since: 2021."] == sorted(statements(table))
    assert ["In the box: A pen with eraser."] == statements("# In the box\n\n- A pen with eraser\n")
    assert ["Owner: R. Amsel."] == statements("**Owner:** R. Amsel\n")


def test_silent_sentences_are_counted_by_kind():
    """What states nothing to check is kept with the reason, in text order."""
    text = "# Notes\n\nDear all,\n\nIs it open? I think so. Please close the door. The door is red.\n"
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert ["heading", "greeting", "question", "opinion", "instruction"] == [one.why for one in found.silent]
    assert ["The door is red."] == [claim.sentence for claim in found.claims]


def test_a_verb_agrees_with_the_subject_that_stays():
    """Of two subjects with one verb each has a claim of its own, in the singular where it is one thing."""
    [found] = RuleExtractor().extract([document_from_text("A case and an audio cable are included.", 1, "the text")])
    assert {("A case", "is"), ("an audio cable", "is")} == {(claim.subject, claim.predicate) for claim in found.claims}


def test_what_will_be_is_no_fact():
    """A clause that tells when something will be states nothing by itself."""
    assert ["The plant will employ 600 people when it opens in 2030."] == statements(
        "The plant will employ 600 people when it opens in 2030."
    )


def test_he_is_no_name_with_an_article():
    """What is written "the Harrow Bridge" is no person, whatever it was taken for."""
    text = "The Harrow Bridge was built in 1776. Neil Prior drew the bridge, but he died in 1775. His son kept it."
    assert not any(said.startswith("Harrow Bridge") for said in statements(text))


def test_an_open_pronoun_keeps_what_stands_before_it():
    """A clause whose pronoun may mean something in the sentence before it is not told apart from that."""
    text = "In May Ada Reed married the smith; they had no children."
    assert text in statements(text)
    assert "They had no children." not in statements(text)


def test_a_lead_holds_for_its_list_only():
    """A text after a list is not an item of it, and the sentence that leads to a list is no claim."""
    text = "It is loud. In the box you find:\n\n- Pens\n\nMade in Ghent."
    assert ["In the box you find: Pens."] == [said for said in statements(text) if "Pens" in said]
    assert not any("Ghent" in said and "box" in said for said in statements(text))


def test_a_name_is_said_once():
    """A pronoun whose name stands before it in the same statement stays."""
    assert ["Ada Reed sold her shop."] == statements("Ada Reed sold her shop.")


def test_a_pronoun_without_a_name_stays():
    """A claim about something that the text does not name keeps its pronoun; it is not dropped."""
    assert ["It was not insured."] == statements("It was not insured.")


@pytest.mark.parametrize(
    "text",
    [
        "Is the shop open?",
        "I think this film is great.",
        "In my opinion the film fails.",
        "Good morning!",
        "It is a wonderful place to read!",
        "The view was simply stunning.",
    ],
)
def test_what_is_no_claim(text):
    """Questions, opinions and greetings make no claims."""
    assert [] == statements(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tours is a lovely town on the Loire.",
        "It is a wonderful museum that opened in 1906.",
        "The play was terrible and was withdrawn after a week.",
        "Critics called the book brilliant.",
    ],
)
def test_praise_with_something_to_check_is_a_claim(text):
    """Names, dates, further clauses, and what somebody else thinks."""
    assert statements(text)


def test_markdown_is_read_as_text():
    """Marks of emphasis, lists, headings and links are no words, and spans point into the text as it was."""
    text = "## Results\n\n- **Login:** The server refuses [old keys](https://example.org/keys).\n"
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert found.claims
    assert all("*" not in claim.sentence and "http" not in claim.sentence for claim in found.claims)
    assert any(text[claim.object_span.start : claim.object_span.end] == "old keys" for claim in found.claims)


def test_quotes_of_a_treebank_stay():
    """Two backticks open a quotation in treebanks; only those around code are marks."""
    assert ["x = 1 and", "`` Velocity '' won"] == [
        " ".join(unmarked(t).split()) for t in ("`x = 1` and", "`` Velocity '' won")
    ]


@pytest.mark.parametrize("text", ["**a** _b_ `c`", "# a\n1. b\n- c", "[a](b) ![c](d)", "2 * 3 * 4", "plain"])
def test_blanking_keeps_places(text):
    """What is blanked out is replaced by as many spaces, and all letters that are read stand where they stood."""
    blanked = unmarked(text)
    assert len(text) == len(blanked)
    assert all(after in (before, " ") for before, after in zip(text, blanked, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "Editions: # Kate Winslet and Lanvin launch a literacy programme",
        "Home. # Atmosphere gaseous envelope Written By: Roger Hale See Article History Atmosphere, the gas of Mars.",
    ],
)
def test_signs_of_a_web_page_are_no_claims(text):
    """A text copied from a page, with marks in the middle of a line, is read; no mark is an element of a triple."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert found.claims
    assert all(any(c.isalnum() for c in part) for one in found.claims for part in (one.subject, one.object))


def test_what_is_not_seen_or_named_is_no_claim():
    """What somebody did not see may not have been, and one name names none of several things."""
    assert ["He never saw it finished."] == statements("He never saw it finished.")
    text = "The oldest of the three ships, the Alma, was built in 1968."
    assert ["The oldest of the three ships, the Alma, was built in 1968."] == statements(text)


@pytest.mark.parametrize(
    ("text", "triples"),
    [
        ("The ferry will stop, the board said on Monday.", {("the board", "said", "the ferry will stop")}),
        ("The board said on Monday that trams will stop.", {("The board", "said that", "trams will stop")}),
        ("The mayor called the closure a mistake.", {("The mayor", "called the closure", "a mistake")}),
        (
            "The kettle keeps water warm for two hours.",
            {("The kettle", "keeps water", "warm"), ("The kettle", "keeps water warm for", "two hours")},
        ),
        ("Smoking is allowed in the yard but not in the hall.", {("Smoking", "is allowed in", "the yard")}),
        ("The tablets can be taken with or without food.", {("The tablets", "can be taken with or without", "food")}),
    ],
)
def test_no_triple_is_half_of_what_is_said(text, triples):
    """A report has what was reported, a name what is named so, and "not" and "or" what they join."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert triples == {(claim.subject, claim.predicate, claim.object) for claim in found.claims}


@pytest.mark.parametrize(
    ("text", "expected", "unsaid"),
    [
        (
            "Guests are charged on days when the pool is heated.",
            "Guests are charged on days when the pool is heated.",
            "The pool is",
        ),
        (
            "Pain after the run was two points milder with ice.",
            "Pain after the run was two points milder with ice.",
            "The run was",
        ),
        ("Cards can be used for a year and renewed twice.", "Cards can be renewed twice.", "Cards renewed"),
        (
            "The mill, built in 1820 and restored in 1990, is not open.",
            "The mill was restored in 1990.",
            "The mill restored",
        ),
        (
            "The fault was found by Ida Holm from the University of Lund, who also wrote the report.",
            "Ida Holm from the University of Lund also wrote the report.",
            "The University",
        ),
        (
            "In 1920 they joined a voyage to Norway led by the botanist Tom Reed, from which they brought back seeds.",
            "A voyage to Norway was led by the botanist Tom Reed.",
            "A voyage to Norway was led by the botanist Tom Reed, from",
        ),
        ("The Fjell 3 is a tent. It folds flat, so it fits into a bag.", "The Fjell 3 fits into a bag.", "So"),
        (
            "The shop gives a discount of 5 percent, but only if the card is shown.",
            "The shop gives a discount of 5 percent, but only if the card is shown.",
            "The shop gives a discount of 5 percent.",
        ),
        ("Robins sing loudly. Cats purr.", "Robins sing loudly.", "Cats sing"),
        ("The Fjell 3 is a light tent. It weighs 900 grams.", "The Fjell 3 weighs 900 grams.", "It weighs"),
    ],
)
def test_clauses_keep_their_verb_condition_and_person(text, expected, unsaid):
    """A condition is no statement, a participle has its auxiliary, and "who" is a person."""
    said = statements(text)
    assert expected in said
    assert not any(sentence.startswith(unsaid) for sentence in said)


def test_it_is_not_who_won():
    """What was told is not what was named, and a pronoun after a sentence that was not read stays open."""
    assert "It was Norby's first win since May." in statements(
        "The goal came late. It was Norby's first win since May."
    )


def test_existence_since_a_year_keeps_there():
    """What there has been since a year is told with "there" in the triple too."""
    [found] = RuleExtractor().extract([document_from_text("There had been two strikes since 2018.", 1, "the text")])
    assert {("There", "had been two strikes since", "2018")} == {
        (claim.subject, claim.predicate, claim.object) for claim in found.claims
    }


def test_tables_of_features() -> None:
    """Where rows are features, the things in the head have them; a dash says nothing, and signs are words."""
    table = "| Feature | Lux 2 | Lux 3 |\n|---|---|---|\n| Price | 90 euros | – |\n| Timer | ✗ | ✓ |\n"
    assert ["Lux 2, price: 90 euros.", "Lux 2, timer: no.", "Lux 3, timer: yes."] == sorted(statements(table))
    assert ["Noise: 40 dB."] == statements("| Item | Value |\n|---|---|\n| Noise | 40 dB |\n")


def test_bold_titles_are_headings():
    """A bold title before the sentences of a list's item is no claim; a model in a table's head keeps its name."""
    said = statements("Notes:\n\n1. **Costs.** A pump costs 900 euros.\n2. **How they work.** A pump moves heat.")
    assert said == ["A pump costs 900 euros.", "A pump moves heat."]
    assert statements("| Part | Lux 2 |\n| --- | --- |\n| Lid | 2 kg |") == ["Lid, Lux 2: 2 kg."]
