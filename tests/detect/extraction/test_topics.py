"""What a text is about: list items, labels and pronouns speak of it."""

from __future__ import annotations

from functools import cache

import pytest
from fake_ranker import FakeRanker

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.models.coreference import SHIPPED, OnnxCoreference
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document

LAMP = """## Nordlight 4 bike lamp

- It is lighter than its predecessor.
- **Size:** 12 x 4 cm
- Weighs 90 grams.
- Made in Norway
"""
SALAMANDERS = """# Axolotls

Axolotls are salamanders.

- Wild axolotls eat worms.
- They can regrow legs.
"""
CITIES = """# Where to stay

Both cities are old.

## Kyoto

- It has 17 temples.

## Osaka

- It offers cheaper rooms.
"""
TABLE = """## Luma S desk lamp

The Luma S is a desk lamp.

| Property | Value |
| --- | --- |
| Power | 7 watts |

- USB-C port for charging a phone

The base is of oak.
"""
PHONES = """The phones of the Nordic series differ.

- **Aero:** It weighs 140 g. Its battery lasts a day.
- **Borea:** With 512 GB, it stores the most. The screen is bright, and it broke.
- **Price:** It starts at 300 euros.

The Aero is sold in May, the Borea in June.
"""
PACK = """## Fjellrev 22 hiking backpack

The Fjellrev 22 is a light day pack.

- Volume: 24 litres
"""


@cache
def _extractor() -> RuleExtractor:
    return RuleExtractor(OnnxCoreference(SHIPPED))


def statements(text: str) -> list[str]:
    """The statements of a text, each once, in order, with the model that comes along."""
    [extraction] = _extractor().extract([Document(document_id(text), text)])
    return list(dict.fromkeys(claim.statement for claim in extraction.claims))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LAMP, "The Nordlight 4 bike lamp is lighter than its predecessor."),
        (LAMP, "The Nordlight 4 bike lamp, size: 12 x 4 cm."),
        (LAMP, "The Nordlight 4 bike lamp weighs 90 grams."),
        (LAMP, "The Nordlight 4 bike lamp is made in Norway."),
        (CITIES, "Kyoto has 17 temples."),
        (CITIES, "Osaka offers cheaper rooms."),
        (PACK, "The Fjellrev 22, volume: 24 litres."),
        (PHONES, "Aero weighs 140 g."),
        (PHONES, "Aero's battery lasts a day."),
        (PHONES, "With 512 GB, Borea stores the most."),
        (TABLE, "The Luma S, power: 7 watts."),
        (TABLE, "The Luma S: USB-C port for charging a phone."),
    ],
)
def test_an_item_speaks_of_what_its_list_is_about(text: str, expected: str) -> None:
    """A pronoun that opens an item, a label and a verb without a subject are said of the heading's name, or of what the
    first sentence under it is about; never of the item before. Under a name as its label an item speaks of that."""
    assert expected in statements(text)
    assert "Borea broke." not in statements(text)


def test_without_a_model_an_item_speaks_of_the_topic() -> None:
    """By the rules alone a pronoun that opens an item is what the text is about, not what the item before is about."""
    [extraction] = RuleExtractor(None).extract([Document(document_id(SALAMANDERS), SALAMANDERS)])
    assert "Axolotls can regrow legs." in [claim.statement for claim in extraction.claims]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The vessel, the 1987-built Solvåg, left at noon. Its engine stopped.", "Solvåg's engine stopped."),
        (
            "Kelso & Sons reported a loss. Chief executive Mary Obi blamed the spring. She expects a profit.",
            "Mary Obi expects a profit.",
        ),
        (
            "A freighter ran aground. The captain of the freighter said the fog was thick. The captain was hurt.",
            "The captain of the freighter was hurt.",
        ),
        (
            "The houses belong to a housing association. Its director promised new homes.",
            "The housing association's director promised new homes.",
        ),
        ("The Velora 3 is a jacket. It is light.", "The Velora 3 is light."),
        ("Divers have raised 35,000 objects. They include 255 gold coins.", "35,000 objects include 255 gold coins."),
        (
            "Her main work, Lapplands mossor, appeared in 1909. It describes 412 mosses.",
            "Lapplands mossor describes 412 mosses.",
        ),
    ],
)
def test_what_is_no_person_may_be_it(text: str, expected: str) -> None:
    """A ship, a firm and a book are none of the persons that a small parser takes them for; "she" is the only person
    that is named, and "the captain" is that of the freighter."""
    assert expected == statements(text)[-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Forth Bridge is near Edinburgh. The Tay Bridge fell. The bridge is long.", "The Forth Bridge is long."),
        ("The Forth Bridge is near Edinburgh. The Tay Bridge fell. The river is long.", "The river is long."),
    ],
)
def test_the_bridge_is_what_the_text_is_about(text: str, expected: str) -> None:
    """A definite noun that nothing else explains is the topic whose name ends with it."""
    [extraction] = RuleExtractor(FakeRanker({})).extract([Document(document_id(text), text)])
    assert expected == extraction.claims[-1].statement
