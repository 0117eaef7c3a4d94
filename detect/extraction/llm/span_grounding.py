"""A language model's triples put where the text says them; one that it says nowhere is rejected, with the reason.

An extractor hallucinates too, and follows orders that stand in texts: what it gives counts only as far as the text's
own words bear it out. A second model as judge was rejected: it would need the same check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimgraph.detect.extraction.llm.mention_finder import Anchor, Anchors, gap, is_pronoun
from claimgraph.detect.extraction.llm.predicate_grounding import joined, said
from claimgraph.detect.text.words import content, folded, negated
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document, Rejection, Span, Triple

_APART = 3
"""What it costs that subject and object stand in neighbouring sentences."""
_LONGEST = 40
"""Words of an element: more is a passage."""
_TRIED = 100
"""Places that are looked at for one triple."""


@dataclass(frozen=True, slots=True)
class Unsaid(Exception):
    """Why a triple cannot be placed, in words."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Pair:
    """Subject and object at one place."""

    subject: Anchor
    object: Anchor
    within: Span
    """The sentence, or the two sentences."""
    cost: int

    @property
    def cover(self) -> Span:
        a, b = self.subject.span, self.object.span
        return Span(min(a.start, b.start), max(a.end, b.end))


class Placing:
    """Triples of one document, whose sentences and references `anchors` reads."""

    def __init__(self, document: Document, anchors: Anchors) -> None:
        self._document, self._anchors = document, anchors

    def place(self, row: Sequence[str], sentences: Sequence[Span]) -> Claim | Rejection:
        """The claim, where some of the sentences says it; else why it is none."""
        try:
            return self._claim(_triple(row), sentences)
        except Unsaid as why:
            return Rejection(tuple(row), why.reason, Span(sentences[0].start, sentences[-1].end))

    def _claim(self, triple: Triple, sentences: Sequence[Span]) -> Claim:
        best, words = self._said(triple, sorted(self._pairs(triple, sentences), key=_order))
        _check_denial(triple, self._cut(best.cover), self._cut(best.within))
        predicate = _nearest(words, best.cover)
        written = (best.cover, *filter(None, (predicate,)))
        span = Span(min(s.start for s in written), max(s.end for s in written))
        return Claim(
            id=identity.claim_id(self._document.id, span.start, span.end, *_elements(triple)),
            document=self._document.id,
            subject=triple.subject,
            predicate=triple.predicate,
            object=triple.object,
            text=self._cut(span),
            span=span,
            subject_span=best.subject.span,
            predicate_span=predicate,
            object_span=best.object.span,
        )

    def _said(self, triple: Triple, pairs: Sequence[_Pair]) -> tuple[_Pair, Sequence[Span]]:
        """The first place where the predicate's own words stand, with these; else the first where it is said at all."""
        found = [(pair, self._words(triple, pair)) for pair in pairs[:_TRIED]]
        heard = [(pair, words) for pair, words in found if words is not None]
        if not heard:
            raise Unsaid(f"nothing around its subject and object says {triple.predicate!r}")
        return next((one for one in heard if one[1]), heard[0])

    def _words(self, triple: Triple, pair: _Pair) -> Sequence[Span] | None:
        """The predicate as it stands between subject and object, or near them if it has words of its own; else said."""
        exact = self._anchors.folded.find(triple.predicate, pair.within)
        between = gap(pair.subject.span, pair.object.span)
        inside = [one for one in exact if between and between.start <= one.start and one.end <= between.end]
        if inside or (exact and content(triple.predicate)):
            return inside[:1] or exact[:1]
        if not content(triple.predicate) and between and not joined(triple.predicate, self._cut(between)):
            return None
        return said(triple, self._document.text, pair.within, pair.object.span)

    def _pairs(self, triple: Triple, sentences: Sequence[Span]) -> list[_Pair]:
        """Every place of subject with object; there is one."""
        subjects = [self._anchors.find(triple.subject, sentence) for sentence in sentences]
        objects = [self._anchors.find(triple.object, sentence) for sentence in sentences]
        for role, element, found in (("subject", triple.subject, subjects), ("object", triple.object, objects)):
            if not any(found):
                raise Unsaid(f"the {role} {element!r} does not stand in the text")
        pairs = list(_together(subjects, objects, sentences)) or list(_apart(subjects, objects, sentences))
        if not pairs:
            raise Unsaid("no sentence speaks of both its subject and its object")
        return pairs

    def _cut(self, span: Span) -> str:
        return self._document.text[span.start : span.end]


def _triple(row: Sequence[str]) -> Triple:
    if len(row) != 3:
        raise Unsaid(f"it has {len(row)} element{'s' * (len(row) != 1)} instead of 3")
    elements = [" ".join(element.split()) for element in row]
    for role, element in zip(("subject", "predicate", "object"), elements, strict=True):
        if not any(char.isalnum() for char in element):
            raise Unsaid(f"its {role} is empty")
        if len(element.split()) > _LONGEST:
            raise Unsaid(f"its {role} has more than {_LONGEST} words")
    triple = Triple(*elements)
    if is_pronoun(triple.subject) or is_pronoun(triple.object):
        raise Unsaid("a pronoun names nothing by itself")
    if folded(triple.subject) == folded(triple.object):
        raise Unsaid("its subject and its object are the same")
    return triple


def _elements(triple: Triple) -> tuple[str, str, str]:
    return triple.subject, triple.predicate, triple.object


def _together(
    subjects: Sequence[list[Anchor]], objects: Sequence[list[Anchor]], sentences: Sequence[Span]
) -> Iterator[_Pair]:
    for ours, theirs, sentence in zip(subjects, objects, sentences, strict=True):
        yield from (_Pair(s, o, sentence, s.cost + o.cost) for s in ours for o in theirs if s.span != o.span)


def _apart(
    subjects: Sequence[list[Anchor]], objects: Sequence[list[Anchor]], sentences: Sequence[Span]
) -> Iterator[_Pair]:
    """In neighbouring sentences, where neither is but a pronoun."""
    for at in range(len(sentences) - 1):
        within = Span(sentences[at].start, sentences[at + 1].end)
        for ours, theirs in ((subjects[at], objects[at + 1]), (subjects[at + 1], objects[at])):
            named = ((s, o) for s in ours for o in theirs if max(s.cost, o.cost) < _APART)
            yield from (_Pair(s, o, within, s.cost + o.cost + _APART) for s, o in named)


def _nearest(words: Sequence[Span], cover: Span) -> Span | None:
    """The stretch of the words inside the cover; else the one word nearest to it; None for none."""
    inside = [word for word in words if cover.start <= word.start and word.end <= cover.end]
    if inside:
        return Span(inside[0].start, inside[-1].end)
    return min(words, key=lambda word: max(cover.start - word.end, word.start - cover.end), default=None)


def _order(pair: _Pair) -> tuple[int, bool, int, int]:
    """Least cost first, then without overlap, then the shortest, then the first."""
    cover = pair.cover
    return pair.cost, gap(pair.subject.span, pair.object.span) is None, cover.end - cover.start, cover.start


def _check_denial(triple: Triple, cover: str, within: str) -> None:
    """A negation is neither lost nor made up."""
    if negated(triple.text) and not negated(within):
        raise Unsaid("it denies what the text does not deny")
    if negated(cover) and not negated(triple.text):
        raise Unsaid("the text denies it")
