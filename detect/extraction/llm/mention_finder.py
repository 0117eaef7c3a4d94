"""Where a sentence speaks of an element that a language model named: as written, as a value, by a part or a pronoun.

Embeddings were rejected: they hardly tell one name or number from another, which is just what is asked here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimgraph.detect.extraction.llm.outline import Outline
from claimgraph.detect.text.normalized_text import NormalizedText
from claimgraph.detect.text.words import content, folded, same_name, stem, tokens
from claimgraph.kgstore.model import Span
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison

_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:he|him|his|himself|she|hers?|herself|it|its|itself|they|them|their|theirs|themselves|who|whom|whose|which)\b",
    re.IGNORECASE,
)
_OWNER = re.compile(r"\s?['’]s?\s+")
_OWNING = re.compile(
    r"(?:\b(?P<pronoun>his|her|its|their)|(?P<name>\b[A-Z][\w.]{0,30}(?:\s[A-Z][\w.]{0,30}){0,3})\s?['’]s?)\s{1,9}$",
    re.IGNORECASE,
)
_REACH = 80
"""Characters before a thing in which its owner is looked for."""
_SPREAD = 4
"""Other words that may stand between the words of an element."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place that speaks of an element; `cost` from 0, as written, to 3, a pronoun that may mean something else."""

    span: Span
    cost: int


class Anchors:
    """Those of one text. `beside` are texts read together with it, whose full names may stand for parts of names."""

    def __init__(self, outline: Outline) -> None:
        self._text, self._references = outline.text, outline.references
        self._starts = [span.start for span, _ in outline.references]
        self.folded = NormalizedText(outline.text)
        self.beside: list[NormalizedText] = []

    def known(self, element: str, texts: Sequence[NormalizedText] = ()) -> bool:
        """Whether the whole element stands anywhere in the text, or in one of `texts`."""
        bare = _bare(element)
        return any(text.find(bare, Span(0, text.length)) for text in (self.folded, *texts))

    def find(self, element: str, sentence: Span) -> list[Anchor]:
        """The places of least cost in one sentence of the text, in order; none where it does not speak of it."""
        bare = _bare(element)
        ways = (
            (0, self.folded.find(bare, sentence)),
            (1, self._values(bare, sentence)),
            (1, self._referred(bare, sentence)),
            (2, self._parts(bare, sentence)),
            (2, self._owned(bare, sentence)),
            (2, self._scattered(bare, sentence)),
            (3, self._pronouns(bare, sentence)),
        )
        return next(([Anchor(span, cost) for span in found] for cost, way in ways if (found := list(way))), [])

    def _values(self, element: str, sentence: Span) -> Iterator[Span]:
        value = literals.parse(element)
        for span, written in literals.literals_in(self._cut(sentence)) if value else ():
            if value and literals.compare(value, written) is Comparison.EQUAL:
                yield Span(sentence.start + span.start, sentence.start + span.end)

    def _referred(self, element: str, sentence: Span) -> Iterator[Span]:
        first = bisect_left(self._starts, sentence.start)
        for span, name in self._references[first : bisect_left(self._starts, sentence.end)]:
            if same_name(element, name) and self.known(element):
                yield span

    def _parts(self, element: str, sentence: Span) -> Iterator[Span]:
        """A name without some of its first or last words, if it is not in the midst of another name."""
        words = element.split()
        cuts = (cut for left in range(1, len(words)) for cut in (words[left:], words[:-left]))
        for part in (" ".join(cut) for cut in cuts if cut[0][0].isupper() and content(" ".join(cut))):
            found = [span for span in self.folded.find(part, sentence) if self._same(element, span, sentence)]
            if found and self.known(element, self.beside):
                yield from found
                return

    def _owned(self, element: str, sentence: Span) -> Iterator[Span]:
        """ "Ada Reed's brother" where the sentence has "her brother" or "Reed's brother"."""
        owner, _, thing = _OWNER.sub("\0", element, count=1).partition("\0")
        if thing and self.known(owner, self.beside):
            for span in self.folded.find(thing, sentence):
                before = _OWNING.search(self._text, max(sentence.start, span.start - _REACH), span.start)
                if before and (before["pronoun"] or same_name(owner, before["name"])):
                    yield Span(before.start(), span.end)

    def _same(self, element: str, span: Span, sentence: Span) -> bool:
        """Whether the whole name around a part can mean the element: "Curie", but not in "Pierre Curie"."""
        start, end = span.start, span.end
        for word in reversed(list(tokens(self._text[sentence.start : span.start]))):
            at = sentence.start + word.start()
            if not _named(word[0]) or self._text[at + len(word[0]) : start].strip():
                break
            start = at
        for word in tokens(self._text[span.end : sentence.end]):
            at = span.end + word.start()
            if not _named(word[0]) or self._text[end:at].strip():
                break
            end = at + len(word[0])
        return same_name(element, self._text[start:end])

    def _scattered(self, element: str, sentence: Span) -> Iterator[Span]:
        """The shortest stretch with all content words of the element, in any order and form."""
        wanted = set(content(element.replace("-", " ")))
        here = [(m, stem(m[0])) for m in tokens(self._cut(sentence).replace("-", " "))]
        places = [at for at, (_, word) in enumerate(here) if word in wanted]
        best: tuple[int, int] | None = None
        for row, first in enumerate(places):
            missing = set(wanted)
            for last in places[row:]:
                missing.discard(here[last][1])
                if not missing:
                    best = min(best or (first, last), (first, last), key=lambda pair: pair[1] - pair[0])
                    break
        if best and best[1] - best[0] < len(wanted) + _SPREAD and not self._foreign(element, here, best):
            yield Span(sentence.start + here[best[0]][0].start(), sentence.start + here[best[1]][0].end())

    def _foreign(self, element: str, here: Sequence[tuple[re.Match[str], str]], ends: tuple[int, int]) -> bool:
        """Whether a name that the element does not have stands among its words: "University of Paris, then Rome"."""
        own = set(content(element.replace("-", " ")))
        return any(_named(word[0]) and key not in own for word, key in here[ends[0] : ends[1] + 1])

    def _pronouns(self, element: str, sentence: Span) -> Iterator[Span]:
        if not literals.parse(element) and self.known(element):
            yield from (Span(*found.span()) for found in _PRONOUN.finditer(self._text, sentence.start, sentence.end))

    def _cut(self, span: Span) -> str:
        return self._text[span.start : span.end]


def is_pronoun(element: str) -> bool:
    """Whether an element names nothing by itself."""
    return bool(_PRONOUN.fullmatch(element)) or folded(element) in {"i", "we", "you", "this", "that", "these", "those"}


def gap(a: Span, b: Span) -> Span | None:
    """What lies between two spans; None where they overlap."""
    (_, end), (start, _) = sorted(((a.start, a.end), (b.start, b.end)))
    return Span(end, start) if end <= start else None


def _bare(element: str) -> str:
    return _ARTICLE.sub("", element.strip())


def _named(word: str) -> bool:
    return word[0].isupper() and bool(content(word))
