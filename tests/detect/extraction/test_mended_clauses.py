"""Statements of sentences whose clauses a small parser joins to the wrong words, and of what stands beside an
instruction or answers a question."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.input_texts import document_from_text


def said_of(text: str) -> list[str]:
    """The distinct statements of a text's claims, in order."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    return list(dict.fromkeys(claim.sentence for claim in found.claims))


@pytest.mark.parametrize(
    "text",
    [
        "Should you want the water to run off through a hose, you have to buy one and take the tank out.",
        "Should you be half an hour late, that costs you nothing.",
        "Had it been raining, the match would have been called off.",
        "Nicking the coat pays off for black seeds alone.",
        "What was lost when Marlowe's delisted the soups was made good by Pennywise.",
        "On no fewer than six evenings she had let a homeless shelter have bread that had not been sold.",
        "Three faults were put right, one of them a crash that occurred when tables were pasted.",
        "Ann made the record in a mill that is no longer in use, where a stream runs beneath the floor.",
        "Her idea lives on in cupboards that children cannot open.",
        "If the price goes up, which may happen twice a year and never by more than inflation, you are free to quit on "
        "the date the rise comes into force.",
        "Alongside the 23 employees, fewer than half of whom work full-time, 640 volunteers put in 71,000 hours.",
        "Alta grows grain twice as fast as Brena and catches fish four times as fast.",
        "The memorial to the harbour disaster she declined at first, since the foreign sailors were not to be named; "
        "when the city came round a decade later, she chiselled all 64 names and took no money for it.",
        "Ann Fern leaves a daughter, two grandsons and a hare she did not finish, which is to be given to the school.",
        "A motorist was killed at the same spot in 2022, after which the council resolved to build a bridge.",
        "Blood sugar rises more after oat drink than after milk, which is of concern mainly to diabetics.",
        "While the warranty lasts you pay nothing for the visit.",
        "Nine towns protested in vain.",
        "At the break Price brought on Reyes.",
        "The swamp hare is found in one place only: the reed beds along the lower Tesk.",
        "Production is to move from Slovakia to the firm's own plant in Aalst, a former brewery.",
    ],
)
def test_a_sentence_is_one_statement(text):
    """A condition, a subject clause and what restricts a noun are told with their sentence alone."""
    assert [text] == said_of(text)


@pytest.mark.parametrize(
    ("text", "expected", "unsaid"),
    [
        (
            "Should a bicycle be stolen although it was locked to the rail, up to €1,500 is paid, but bags and other "
            "extras are not included, and the police report must be in within two days.",
            "Bags are not included.",
            "The bicycle was locked to the rail.",
        ),
        (
            "The people who rated the outcome did not know it, and neither did the patients.",
            "The people who rated the outcome did not know it, and neither did the patients.",
            "The people who rated the outcome did the patients.",
        ),
        (
            "The stone bridge crosses the Virl in three arches, the middle one of which spans nine metres.",
            "The stone bridge crosses the Virl in three arches, the middle one of which spans nine metres.",
            "The middle one of which spans nine metres.",
        ),
        (
            "Cargo bikes have to go to one of eleven hangars, where, taking up two spaces, they are charged double.",
            "Taking up two spaces, cargo bikes are charged double at one of eleven hangars.",
            "Where, taking up two spaces, cargo bikes are charged double.",
        ),
        (
            "Hallendorf's glove museum has its home in the former works of Widmann & Daughters, "
            "where in 1912 some 340 people earned their living.",
            "Hallendorf's glove museum has its home in the former works of Widmann & Daughters.",
            "Where in 1912 some 340 people earned their living.",
        ),
        (
            "Seven years later a dealer, Max Hollenbeck, came upon one of his works.",
            "Max Hollenbeck was a dealer.",
            "Max Hollenbeck was Seven years later a dealer.",
        ),
        (
            "Back home she assisted at the Port Ellery fisheries station for nine years on a modest salary, "
            "teaching school on the side.",
            None,
            "The Port Ellery fisheries station for nine years on a modest salary, teaching school on the side.",
        ),
        (
            "In the javelin Anders Skoog, who had led from the start, won by 17 centimetres from Iiro Palonen.",
            "Anders Skoog had led from the start.",
            "The javelin Anders Skoog had led from the start.",
        ),
        (
            "With one lap to go Nadia Brescu still had three runners ahead of her.",
            "With one lap to go Nadia Brescu still had three runners ahead of her.",
            None,
        ),
        (
            "Under the June agreement, which ran to four pages, union and owners were to manage the hall together.",
            "The June agreement ran to four pages.",
            "The June agreement ran to four pages, union and owners.",
        ),
        (
            "Footnotes, which so far made it only into PDF files, can be taken over into EPUB as well.",
            "Footnotes so far made it only into PDF files.",
            "Footnotes made it only into PDF files.",
        ),
        (
            "The café in the old boiler house, which is famous for its cake, can be visited without a ticket and "
            "closes at five.",
            "The café in the old boiler house closes at five.",
            None,
        ),
        (
            "Mondays are added at the expense of two hours on Saturdays, a swap that Edgar Venn defended.",
            "Mondays are added at the expense of two hours on Saturdays, a swap that Edgar Venn defended.",
            "Saturdays is a swap that Edgar Venn defended.",
        ),
        (
            "The talks were opened by grain merchants, whose goods were spoiling aboard the ships.",
            "Grain merchants' goods were spoiling aboard the ships.",
            None,
        ),
        (
            "The culprit, as Femke discovered, was a backup.",
            "The culprit, as Femke discovered, was a backup.",
            "Femke discovered.",
        ),
        (
            "Ombra is a lake. Magma on its way up ran into groundwater.",
            "Magma on its way up ran into groundwater.",
            None,
        ),
        (
            "The old mark was set by Ileana Marcu. Ann Brescu still had three runners ahead of her.",
            "Ann Brescu still had three runners ahead of her.",
            None,
        ),
        (
            "Happy to help! The lantern newt is a salamander. It has a brown back.",
            "The lantern newt has a brown back.",
            None,
        ),
        (
            "- **Command line:** `quill convert` leaves existing files alone unless it is told otherwise.",
            "Command line: Quill convert leaves existing files alone unless it is told otherwise.",
            None,
        ),
        (
            "Playing Black, the Hungarian overcame Tigran Sahakian, who had gone into the game half a point ahead.",
            "Playing Black, the Hungarian overcame Tigran Sahakian.",
            None,
        ),
        (
            "He turned down the draw. Four moves after that, he avoided an exchange of queens.",
            "Four moves after that, he avoided an exchange of queens.",
            "He was Four moves after that.",
        ),
        (
            "Minors get their card for nothing, and so do students.",
            "Minors get their card for nothing, and so do students.",
            "Do students.",
        ),
        (
            "Her very first catch, fashioned from a gramophone spring and not, as a newspaper made up, from a corset, "
            "is kept in the museum.",
            None,
            "A newspaper made up.",
        ),
        (
            "It was Enid Sparrow, a bookkeeper sacked after asking for a rise, who in 1941 exposed the deceit.",
            "Enid Sparrow was a bookkeeper sacked after asking for a rise.",
            "A rise in 1941 exposed the deceit.",
        ),
        (
            "While Corley and Esk Bridge joined the network, Thornaby Street shut in September, its lease not having "
            "been extended.",
            "Corley and Esk Bridge joined the network.",
            "The network was Thornaby Street.",
        ),
        (
            "Were Brena to devote all its days to grain, it would bring in 25 sacks; Alta, doing nothing but fishing, "
            "would land 100 baskets.",
            "Were Brena to devote all its days to grain, it would bring in 25 sacks.",
            "Were Brena to devote all its days to grain.",
        ),
        (
            'Jonas Feld\'s staging of "The Salt Year", a family drama from 1962, has three tonnes of salt.',
            "The Salt Year is a family drama from 1962.",
            None,
        ),
        (
            "Ludmila Fern has died. A quarryman's daughter, she could use a chisel. She had put her name to a figure.",
            "Ludmila Fern had put her name to a figure.",
            None,
        ),
        (
            "- **Vikøy Bridge:** It was this structure of 1928 that made her reputation.",
            "Vikøy Bridge: It was this structure of 1928 that made her reputation.",
            None,
        ),
        (
            "## Fernhollow Zoo: what to know\n\n- It stays shut only on Christmas Eve.",
            "Fernhollow Zoo stays shut only on Christmas Eve.",
            None,
        ),
        (
            "Charcoal was found in trench C. Charcoal is old.",
            "Charcoal was found in trench C.",
            None,
        ),
        (
            "She was stripped of her licence and got by as a private tutor.",
            "She got by as a private tutor.",
            None,
        ),
        (
            "Food is out for the six hours before you arrive.",
            "Food is out for the six hours before you arrive.",
            "You arrive.",
        ),
        (
            "It was Paula who suggested Yuki, on the grounds that she had done the work.",
            "Paula suggested Yuki, on the grounds that she had done the work.",
            "It suggested Yuki, on the grounds that she had done the work.",
        ),
        (
            "It was the main investor, Eugénie Rochat, who demanded a line that could be lengthened.",
            "Eugénie Rochat demanded a line that could be lengthened.",
            "It was the main investor, Eugénie Rochat.",
        ),
        (
            "In the stroke seat was a stand-in, the 19-year-old Khoza, who had taken over from the suspended Bea "
            "Hallam.",
            "The 19-year-old Khoza had taken over from the suspended Bea Hallam.",
            None,
        ),
        (
            "Going round the Cape makes the journey between Asia and Europe eleven days longer on average, and the "
            "company does not count on a return to Suez in the first half of next year.",
            None,
            "Eleven days longer on average, and the company does not count on a return to Suez in the first half of "
            "next year.",
        ),
        (
            "For the year as a whole, both ends of the EBITDA forecast have moved inwards: 540 million dollars is now "
            "the least, 600 million the most.",
            None,
            "Both ends of the EBITDA forecast is now the least, 600 million the most.",
        ),
        (
            "His ally is the organist, Mathilde Crane, whose late father took part in the smuggling.",
            "Mathilde Crane's late father took part in the smuggling.",
            None,
        ),
        (
            "Results now include huts closed for the season, which are marked by a grey colour.",
            "Huts closed for the season are marked by a grey colour.",
            None,
        ),
        (
            "Nor were the winners favoured by the draw: Tidewell had one of the two lanes protected from the wind.",
            "Tidewell had one of the two lanes protected from the wind.",
            "Were the winners favoured by the draw.",
        ),
        (
            "- **Famous names:** The botanist Ida Wessel, who was born there, and Per Lund, a skier who won silver.",
            None,
            "Famous names was born there.",
        ),
        (
            "The blaze spared eleven houses, along with St Olaf's, which is built of stone.",
            None,
            "St Olaf is built of stone.",
        ),
        (
            "Tyres, though, you'd have to take to the depot on Lime Road yourself.",
            "Tyres, though, you'd have to take to the depot on Lime Road yourself.",
            "You are a tyres.",
        ),
        (
            "Our production will be a comedy, put forward by Ottilie, which beat Jerome's suggestion by three votes.",
            None,
            "Ottilie beat Jerome's suggestion by three votes.",
        ),
        (
            "Our owners will end up with the larger part of the new company, 58 per cent.",
            "Our owners will end up with the larger part of the new company, 58 per cent.",
            "The new company is 58 per cent.",
        ),
        ("The syrup was uncle Theo's addition.", "Theo was an uncle.", "Theo was a uncle."),
        (
            "Sure, here's the gist of the recipe. The loaf bakes for an hour.",
            "The loaf bakes for an hour.",
            "Sure, here's the gist of the recipe.",
        ),
        (
            "Customers may fetch an entire country in one go, where they used to be limited to squares.",
            None,
            "Customers used to be limited to squares in one go.",
        ),
        (
            "She removed Magnus Flett's appendix in the schoolroom, guided by a surgeon over the radio.",
            None,
            "Magnus Flett's appendix in the schoolroom was guided by a surgeon over the radio.",
        ),
        (
            "Next door just over half say no. Maud Sellick would like to exchange flats.",
            "Maud Sellick would like to exchange flats.",
            None,
        ),
        (
            "A foundation paid for the work but had no say in how it was planned.",
            "A foundation paid for the work.",
            "A foundation is paid for the work.",
        ),
        (
            "The reviewer calls Sos, who plays her, a discovery.",
            "The reviewer calls Sos a discovery.",
            "The reviewer calls Sos.",
        ),
        (
            "The idea came from parents at St Oswin's Primary School, who gathered more than 600 signatures.",
            "Parents gathered more than 600 signatures.",
            "St Oswin's Primary School gathered more than 600 signatures.",
        ),
        (
            "Nadezhda Corvin grew up in Oslo. Anders Corvin, her father, hoped to leave.",
            "Anders Corvin hoped to leave.",
            "Anders Nadezhda Corvin hoped to leave.",
        ),
        ("Prahl, a botanist, spent his final years in Oslo.", "Prahl was a botanist.", "Prahl were a botanist."),
        ("The name stays, and so, for another three years, does Ann Lee.", None, "The name stays, and so."),
        ("We look forward to your visit, but please don't come on a Monday.", None, "We don't come on a Monday."),
        (
            "The tank is full. Once the lamp stays on, empty the bowl.",
            "The tank is full.",
            "Once the lamp stays on, empty the bowl.",
        ),
        (
            "**Bingo:** This ended a year before the fire.",
            "Bingo: This ended a year before the fire.",
            "This ended a year before the fire.",
        ),
        (
            "Grace Lee worked in Oslo. Others had offered her better terms before 1990.",
            "Others had offered Grace Lee better terms before 1990.",
            "Others had offered Grace Lee's better terms before 1990.",
        ),
        (
            "The fridge is new. What is left will be good for three days in the fridge, though it gets thicker.",
            None,
            "The fridge gets thicker.",
        ),
        (
            "The command `git commit --amend` replaces the last commit.",
            "The command git commit --amend replaces the last commit.",
            None,
        ),
    ],
)
def test_each_clause_is_said_of_its_own_noun(text, expected, unsaid):
    """A clause beside another one is told with the noun that it speaks of, or only with its sentence."""
    said = said_of(text)
    assert expected is None or expected in said
    assert said
    assert unsaid not in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Cut the flowers often, because the display is over once pods develop.",
            ["The display is over once pods develop."],
        ),
        (
            "Draw money on the mainland, as the one machine on the island has not worked since 2022 and the bus "
            "drivers won't take cards.",
            ["The one machine on the island has not worked since 2022.", "The bus drivers won't take cards."],
        ),
        ("Plug it into the wall, since extension leads are ruled out.", ["Extension leads are ruled out."]),
        (
            "You can choose among three levels; for non-stop running, keep the button pressed.",
            ["You can choose among three levels."],
        ),
        (
            "Please fetch your bike within a fortnight: a text message comes first, and a week later the bike ends up "
            "at the depot.",
            ["A text message comes first."],
        ),
        ("- **Towels:** Bring two; flip-flops are lent for nothing.", ["Towels: Flip-flops are lent for nothing."]),
        ("Never chew it.", []),
        ("Go, since fish swim.", []),
    ],
)
def test_an_instruction_states_its_reasons(text, expected):
    """What an instruction asks for is no claim; its reason and what a colon parts from it are."""
    assert expected == said_of(text)


def test_what_comes_of_an_order_is_no_fact():
    """ "And" after an instruction says what follows from doing it."""
    text = "Half of your mark comes from an essay; hand it in late and you lose fifteen marks."
    assert "Half of your mark comes from an essay." in said_of(text)
    assert "You lose fifteen marks." not in said_of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "**How did the lake come about?** Through a blast of steam. Lava did not come out.",
            ["How did the lake come about? Through a blast of steam.", "Lava did not come out."],
        ),
        ("## Who pays?\n\nThe tenant, within four weeks.", ["Who pays? The tenant, within four weeks."]),
        ("Is it allowed to smoke? No, except on the balcony.", ["Is it allowed to smoke? No, except on the balcony."]),
        ("**May I keep hens?** No. Cockerels are not allowed.", ["May I keep hens? No.", "Cockerels are not allowed."]),
        (
            "**I am a student. Do I pay less?**\nNo. You get it at once.",
            ["I am a student. Do I pay less? No.", "You get it at once."],
        ),
        (
            "Some people may drive there:\n\n- People who live on the street.\n- Drivers with a blue badge.",
            [
                "Some people may drive there.",
                "Some people may drive there: People who live on the street.",
                "Some people may drive there: Drivers with a blue badge.",
            ],
        ),
        (
            "**Should I shave the leg?** No; if hair has to go, the staff will clip it.",
            ["Should I shave the leg? No; if hair has to go, the staff will clip it."],
        ),
        ("Who pays? The tenant pays.", ["The tenant pays."]),
    ],
)
def test_an_answer_without_a_verb_is_told_with_its_question(text, expected):
    """A sentence with a verb, and one word alone, are not."""
    assert expected == said_of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "- **Singing:** Put off, since Mr Bright is ill; there is no new date.",
            "Singing: Put off, since Mr Bright is ill; there is no new date.",
        ),
        (
            "- **Steam room:** Closed at the moment, since it is being repaired.",
            "Steam room: Closed at the moment, since it is being repaired.",
        ),
        (
            "- **Plug-ins:** Those written for the first interface no longer work.",
            "Plug-ins: Those written for the first interface no longer work.",
        ),
        (
            "Here is the gist of the letter about the trip:\n\n- **When:** Thursday 6 February.",
            "When: Thursday 6 February.",
        ),
    ],
)
def test_a_label_says_of_what(text, expected):
    """A statement that leaves its subject out, or has "those", begins with its label; a lead that only announces a list
    is not said with its items."""
    assert expected in said_of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Dev:** The plumber came. He left at two.", ["**Dev:** The plumber came.", "He left at two."]),
        (
            "**May children come?** From the age of eight. Under-16s pay half.",
            ["May children come?** From the age of eight.", "Under-16s pay half."],
        ),
        ("## Who pays?\n\nThe tenant, within four weeks.", ["Who pays?\n\nThe tenant, within four weeks."]),
        ("## Who pays?\n\nThe tenant pays.", ["Who pays?", "The tenant pays."]),
        (
            "- *Steam room.* 45 degrees, closed until May for repairs. It is old.",
            ["Steam room.* 45 degrees, closed until May for repairs.", "It is old."],
        ),
        (
            "1. *Lighthouse (1874).* 212 steps. Tuesday to Sunday. In clear weather you see the mainland.",
            ["*Lighthouse (1874).* 212 steps. Tuesday to Sunday.", "In clear weather you see the mainland."],
        ),
        (
            "**Prices:**\n\n| what | euros |\n|---|---|\n| child | 4 |\n\nDogs are free.",
            ["**Prices:**", "child | 4", "Dogs are free."],
        ),
    ],
)
def test_what_stands_together_is_one_sentence(text, expected):
    """A label or question and the sentence after it, and sentences without a verb, are quoted together; rows of a table
    are not."""
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    cut = [text[span.start : span.end] for span in found.sentences]
    assert [one.strip("*") for one in expected] == [one.strip("*") for one in cut]


def test_a_silent_sentence_is_so_with_its_label():
    """What states nothing has the span of its sentence, with the label before it; a label with a claim is none."""
    text = "- **Care:** Wash it by hand.\n- **Size:** The jug holds two litres."
    [found] = RuleExtractor().extract([document_from_text(text, 1, "the text")])
    assert [(text[one.span.start : one.span.end], one.why.value) for one in found.silent] == [
        ("Care:** Wash it by hand.", "instruction")
    ]
    assert found.silent[0].span == found.sentences[0]
