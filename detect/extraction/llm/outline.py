"""A text's sentences, and what its pronouns and shortened names stand for, by the rules' own reading.

Extractors that do not parse share these with the rules, so that claims of any extractor fall into the same sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from claimgraph.detect.extraction.coreference.resolution import resolved
from claimgraph.detect.models.coreference import CoreferenceModel
from claimgraph.detect.text.parse import Paragraph, paragraphs
from claimgraph.kgstore.model import Span


@dataclass(slots=True)
class Outline:
    """Of one text, in order: spans of its sentences, and spans of references with the name they stand for."""

    text: str
    sentences: list[Span] = field(default_factory=list)
    references: list[tuple[Span, str]] = field(default_factory=list)


def outlines(texts: Sequence[str], coreference: CoreferenceModel | None = None) -> list[Outline]:
    """One Outline a text, in order; `coreference` chooses antecedents, None: the rules do. Raises ModelError."""
    found = [Outline(text) for text in texts]
    for one in resolved(paragraphs(texts), coreference):
        found[one.number].sentences.extend(one.paragraph.sentences())
        found[one.number].references.extend(_references(one.paragraph, one.names))
    return found


def _references(paragraph: Paragraph, names: Mapping[int, str]) -> Iterator[tuple[Span, str]]:
    """The tokens that a name takes the place of, with those after them for which it speaks too."""
    for first, name in sorted(names.items()):
        if name:
            last = first
            while names.get(last + 1) == "":
                last += 1
            yield paragraph.span(first, last), name.removesuffix("'s").removesuffix("'")
