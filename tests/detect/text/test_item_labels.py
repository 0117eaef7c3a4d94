"""A label before a sentence is a paragraph of its own; before anything else it is a part of what it labels."""

from __future__ import annotations

import pytest

from claimgraph.detect.text.item_labels import is_label
from claimgraph.detect.text.parse import paragraphs


def parts(text: str) -> list[str]:
    """The words of each paragraph of a text."""
    return [part.doc.text.strip().replace(" :", ":") for _, part in paragraphs([text])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **Battery:** It lasts nine hours.", ["Battery:", "It lasts nine hours."]),
        ("**Battery**: It lasts nine hours.", ["Battery:", "It lasts nine hours."]),
        ("- Battery: It lasts nine hours.", ["Battery:", "It lasts nine hours."]),
        ("- **Cost:** A boiler costs around 3,000 euros.", ["Cost:", "A boiler costs around 3,000 euros."]),
        ("- **First:** Open the box.", ["First:", "Open the box."]),
        ("- **Size:** 12 x 4 cm", ["Size: 12 x 4 cm"]),
        ("- **Battery:** Lasts nine hours.", ["Battery: Lasts nine hours."]),
        ("Lee: The bank failed.", ["Lee: The bank failed."]),
    ],
)
def test_a_label_before_a_sentence(text: str, expected: list[str]) -> None:
    """What is said after a label stands alone where it is a sentence; who speaks is no label."""
    assert expected == parts(text)


def test_what_is_a_label() -> None:
    """A label has nothing after it."""
    assert is_label("- **Battery:** ")
    assert not is_label("- **Battery:** It lasts.")
