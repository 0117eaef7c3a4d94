"""A text's sentences, and what its pronouns and shortened names stand for, by the rules' own reading.

Extractors that do not parse share these with the rules, so that claims of any extractor fall into the same sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from claimgraph.detect.extraction.coreference import Discourse
from claimgraph.detect.text.parse import Paragraph, paragraphs
from claimgraph.kgstore.model import Span


@dataclass(slots=True)
class Outline:
    """Of one text, in order: spans of its sentences, and spans of references with the name they stand for."""

    text: str
    sentences: list[Span] = field(default_factory=list)
    references: list[tuple[Span, str]] = field(default_factory=list)


def outlines(texts: Sequence[str]) -> list[Outline]:
    """One Outline a text, in order. Raises ModelError where the language model is missing or altered."""
    found = [Outline(text) for text in texts]
    discourses = [Discourse() for _ in texts]
    for number, paragraph in paragraphs(texts):
        found[number].sentences.extend(paragraph.sentences())
        found[number].references.extend(_references(paragraph, discourses[number].read(paragraph)))
    return found


def _references(paragraph: Paragraph, names: Mapping[int, str]) -> Iterator[tuple[Span, str]]:
    """The tokens that a name takes the place of, with those after them for which it speaks too."""
    for first, name in sorted(names.items()):
        if name:
            last = first
            while names.get(last + 1) == "":
                last += 1
            yield paragraph.span(first, last), name.removesuffix("'s").removesuffix("'")
