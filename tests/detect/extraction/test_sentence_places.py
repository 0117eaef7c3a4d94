"""What stands under a label or lead that turns its meaning is read and quoted with it."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.extraction.sentence_places import as_premise
from claimgraph.evidence.evidence_set import of_context
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document

LAMP = """# Lumo wall lamp

In the box:

- Lamp with 2 m cable

Not included:

- Mounting bracket
- LED bulb. Its socket is an E14.

## Do not use the lamp if

- the cable is damaged.

**Planned for 2026:** A dimmer will be added. It costs 9 euros.

The lamp is made in Spain.
"""


def read(text: str) -> dict[str, str]:
    """The sentences of a context as a model reads them, by how they stand."""
    [extraction] = RuleExtractor().extract([Document(document_id(text), text)])
    return {" ".join(passage.text.split()): passage.read for passage in of_context(extraction, "rules").passages}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Lamp with 2 m cable", "Lamp with 2 m cable"),
        ("Mounting bracket", "Not included: Mounting bracket"),
        ("LED bulb.", "Not included: LED bulb."),
        ("Its socket is an E14.", "Its socket is an E14."),
        ("the cable is damaged.", "Do not use the lamp if: the cable is damaged."),
        ("Planned for 2026: A dimmer will be added.", "Planned for 2026: A dimmer will be added."),
        ("It costs 9 euros.", "It costs 9 euros."),
        ("The lamp is made in Spain.", "The lamp is made in Spain."),
    ],
)
def test_a_sentence_is_read_with_what_turns_it(sentence: str, expected: str) -> None:
    """A denial, a condition and a plan go with the first sentence under them; what only names a subject does not."""
    assert expected == read(LAMP)[sentence]


def test_a_line_over_a_list_turns_it() -> None:
    """A line of a few words without a sign at its end is the title of the list under it."""
    found = read("Fixed\n- A crash.\n\nRemoved\n- Plug-ins.\n- Support for Windows 8.\n\nAdded\n- A dark theme.\n")
    assert list(found.values()) == [
        "Fixed",
        "Fixed: A crash.",
        "Removed",
        "Removed: Plug-ins.",
        "Removed: Support for Windows 8.",
        "Added",
        "A dark theme.",
    ]


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (
            "Fixed: Sorting by date ignored the time zone.",
            "In earlier versions sorting by date ignored the time zone. This has been fixed and no longer happens.",
        ),
        (
            "Solved in 4.2: PDF exports lost their page numbers",
            "In earlier versions PDF exports lost their page numbers. This has been fixed and no longer happens.",
        ),
        (
            "Fixed: Sorting now heeds the time zone that was set.",
            "Fixed: Sorting now heeds the time zone that was set.",
        ),
        ("Fixed: a crash with large files", "Fixed: a crash with large files"),
        ("Planned: Sorting was asked for.", "Planned: Sorting was asked for."),
        ("Sorting by date ignored the time zone.", "Sorting by date ignored the time zone."),
    ],
)
def test_what_was_fixed_is_read_as_past(read: str, expected: str) -> None:
    """A fault told in the past under "Fixed" was so in earlier versions; what is so since is read as it stands."""
    assert expected == as_premise(read)
