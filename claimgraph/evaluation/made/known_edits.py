"""Make texts wrong in one known place, so that explanations and corrections can be judged without people.

Each edit changes one element of one claim: a name, number or date for another of its type, a verb for its opposite, or
a negation added or removed. A language model that rewrites texts was rejected: its changes are unknown. Other places of
the same text that the edit makes wrong as well (a pronoun's antecedent) keep their words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from claimgraph.evaluation.made.swaps import Change, date_swaps, entity_swaps, number_swaps
from claimgraph.evaluation.made.verb_edits import verb_edits
from claimgraph.kgstore.model import Claim, Extraction, Span


@dataclass(frozen=True, slots=True)
class KnownEdit:
    """`original` and `edited` differ in one place only: `after` stands in `edited` at [start, end) for `before`.

    `kind` is entity, number, date, negation or relation; `element` (subject, predicate or object) is where the place
    lies in a claim of the original.
    """

    original: str
    edited: str
    start: int
    end: int
    before: str
    after: str
    kind: str
    element: str


def known_edits(extraction: Extraction, seed: int) -> list[KnownEdit]:
    """Return all edits of a document, by place and kind; one copy of the text each. The same for the same input and
    seed.

    A place that lies in several elements takes the shortest of them, of equals object before subject before predicate.
    Verbs are edited in predicates only. Raises ModelError where the language model is missing.
    """
    text = extraction.document.text
    places = list(dict.fromkeys(place for claim in extraction.claims for place in _places(claim)))
    made = _changes(text, Random(f"{seed}:{extraction.document.id}"))
    edits = [_edit(text, change, element) for change in made if (element := _element(change, places))]
    return sorted(edits, key=lambda edit: (edit.start, edit.kind, edit.after))


def _changes(text: str, random: Random) -> Iterator[Change]:
    from claimgraph.detect.text.parse import paragraphs

    parsed = [paragraph for _, paragraph in paragraphs([text])]
    yield from entity_swaps(parsed, random)
    yield from number_swaps(text, random)
    yield from date_swaps(text, random)
    for paragraph in parsed:
        yield from verb_edits(paragraph, random)


_ELEMENTS = ("object", "subject", "predicate")


def _places(claim: Claim) -> Iterator[tuple[Span, str]]:
    for name, span in zip(_ELEMENTS, (claim.object_span, claim.subject_span, claim.predicate_span), strict=True):
        if span:
            yield span, name


def _element(change: Change, places: Sequence[tuple[Span, str]]) -> str | None:
    """Return the element that the change lies in; None where it lies in none."""
    around = [
        (span.end - span.start, _ELEMENTS.index(name), name)
        for span, name in places
        if span.start <= change.span.start
        and change.span.end <= span.end
        and (name == "predicate" or change.kind not in ("negation", "relation"))
    ]
    return min(around)[2] if around else None


def _edit(text: str, change: Change, element: str) -> KnownEdit:
    start, before = change.span.start, text[change.span.start : change.span.end]
    edited = text[:start] + change.words + text[change.span.end :]
    return KnownEdit(text, edited, start, start + len(change.words), before, change.words, change.kind, element)
