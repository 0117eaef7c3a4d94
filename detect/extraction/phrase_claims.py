"""Claims read from where known phrases stand in a sentence, for texts held against graphs.

A dependency parser that takes "stars" for a noun, or "of Sweden" for a place, loses a claim whose words are plain.
Where a sentence is nothing but names and phrases that say relations of graphs (surface_forms.py), it is read by these
alone; any other is left to the extractor, whose values lose what a sentence hangs them on ("held a passport of |
Japan", "had a population of | 580,000"). Who a pronoun or "the actor" is, is the centre of the sentence before: what
that was about (Grosz, Joshi and Weinstein 1995, continuing). Without a graph's names this would read too much: "Paris
in 1950 with his aunt" is no place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from claimgraph.detect.compare import relation_phrases
from claimgraph.detect.extraction.extraction_cache import config_of
from claimgraph.detect.extraction.sentence_forms import SentenceForm, by_nouns, by_verbs
from claimgraph.detect.text.words import is_name, negated, tokens
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document, Extraction, Extractor, Span
from claimgraph.kgstore.values.literals import parse
from claimgraph.kgstore.values.quantities import Quantity

VERSION = 3
"""Raise with any change to what is read so."""

Known = Callable[[str], bool]
"""Whether anything is called exactly so, an article aside."""

_PRONOUN = re.compile(r"(?:he|she|it|they|him|her|them|his|its|their)", re.IGNORECASE)
_DEFINITE = re.compile(r"[Tt](?:he|his) [a-z][a-z -]*")
_ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_SMALL = frozenset("of the and for in on at de la le del da di du van von der den bin al y".split())  # noqa: SIM905
_JOINT = re.compile(r",? and |, ")
_HELD = re.compile(r"(?P<held>(?:the|an?|his|her|its|their) [a-z][a-z -]* of )(?:the )?(?=[A-Z0-9])")
_END = re.compile(r"[.!?:;][\"'”’)]*$")


class SurfaceExtractor:
    """Implements Extractor: another's claims, and in sentences that known phrases read, theirs instead."""

    def __init__(self, extractor: Extractor, known: Known) -> None:
        self._extractor, self.name = extractor, extractor.name
        self._known = cache(known)
        self.config = json.dumps(json.loads(config_of(extractor) or "{}") | {"surface": VERSION}, sort_keys=True)

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order. Raises what the other raises."""
        return [_read(extraction, self._known) for extraction in self._extractor.extract(documents)]


def _read(extraction: Extraction, known: Known) -> Extraction:
    reader, sentences = _Reader(extraction, known), _sentences(extraction)
    found = {sentence: reader.read(sentence) for sentence in sentences}
    left = (c for c in extraction.claims if not any(found[span] and _inside(c, span) for span in sentences))
    kept = [_narrowed(claim, known, extraction.document) for claim in left]
    every = {claim.id: claim for claim in (*kept, *(claim for claims in found.values() for claim in claims))}
    ordered = sorted(every.values(), key=lambda c: (c.span.start, c.span.end, c.subject, c.predicate, c.object))
    return replace(extraction, claims=tuple(ordered))


def _narrowed(claim: Claim, known: Known, document: Document) -> Claim:
    """Return a claim whose object is no name, but ends in one or in an amount after "of", as one about that: "had a
    population of | 580,000".
    """
    held, at, before = _HELD.match(claim.object), claim.object_span, claim.predicate_span
    if not held or not at or not before or _cut(document.text, at) != claim.object:
        return claim
    value, after = claim.object[held.end("held") :], at.start + held.end("held")
    named = _is_name(_ARTICLE.sub("", value)) and known(value)
    if known(claim.object) or not (named or isinstance(parse(value), Quantity)):
        return claim
    said, span = f"{claim.predicate} {held['held'].rstrip()}", claim.span
    phrase = Span(before.start, after - 1) if before.end < at.start else before
    key = identity.claim_id(document.id, span.start, span.end, claim.subject, said, value)
    return replace(claim, id=key, predicate=said, object=value, predicate_span=phrase, object_span=Span(after, at.end))


def _sentences(extraction: Extraction) -> list[Span]:
    """The sentences, those that a parser cut before their end, as at "1st Baron", put together again; never over the
    end of a line."""
    text, whole = extraction.document.text, list[Span]()
    for span in extraction.sentences:
        joined = whole and "\n" not in text[whole[-1].end : span.start]
        if joined and not _END.search(text, whole[-1].start, whole[-1].end):
            whole[-1] = Span(whole[-1].start, span.end)
        else:
            whole.append(span)
    return whole


def _inside(claim: Claim, sentence: Span) -> bool:
    return sentence.start <= claim.span.start and claim.span.end <= sentence.end


class _Reader:
    """One document's sentences in order; `centre` is what the last one was about."""

    def __init__(self, extraction: Extraction, known: Known) -> None:
        self._document, self._extracted, self._known = extraction.document, extraction.claims, known
        self._centre: str | None = None

    def read(self, sentence: Span) -> list[Claim]:
        """The claims of a sentence; none where it is not of the forms."""
        said = self._said(self._document.text[sentence.start : sentence.end])
        if not said:
            self._centre = self._about(sentence)
        return [claim for one in said for claim in self._claims(one, sentence.start)]

    def _about(self, sentence: Span) -> str | None:
        """The subject of the extractor's first claim of a sentence, if it has one with a name."""
        first = next((claim for claim in self._extracted if _inside(claim, sentence)), None)
        return first.subject if first and self._known(first.subject) else None

    def _said(self, sentence: str) -> list[SentenceForm]:
        text = sentence.rstrip(".!")
        noun = next((one for one in by_nouns(text) if self._reads(one, text)), None)
        if noun or text.endswith("?"):
            return [noun] if noun else []
        said = by_verbs(text) or []
        return said if all(self._reads(one, text) for one in said) else []

    def _reads(self, one: SentenceForm, text: str) -> bool:
        return self._names(_cut(text, one.subject)) and self._means(_cut(text, one.object))

    def _names(self, subject: str) -> bool:
        """Whether a subject is a name, or a pronoun or description with something to stand for."""
        return self._centre is not None if _is_anaphor(subject) else _is_name(subject) or self._known(subject)

    def _means(self, object: str) -> bool:
        """Whether an object is nothing but names."""
        if negated(object):
            return False
        whole = _is_name(_ARTICLE.sub("", object))
        return (
            whole or bool(_is_anaphor(object) and self._centre) or len(self._parts(object)) > 1 or self._known(object)
        )

    def _parts(self, object: str) -> list[Span]:
        """What "and" and commas join, where the whole is called nothing and each part is called something."""
        cuts = list(_JOINT.finditer(object))
        if not cuts or self._known(object):
            return [Span(0, len(object))]
        ends = [0, *(end for cut in cuts for end in cut.span()), len(object)]
        parts = [Span(a, b) for a, b in zip(ends[::2], ends[1::2], strict=True)]
        return parts if all(self._known(_cut(object, part)) for part in parts) else [Span(0, len(object))]

    def _claims(self, one: SentenceForm, base: int) -> Iterator[Claim]:
        text, before = self._document.text, self._centre
        subject, phrase, whole = (_moved(span, base) for span in (one.subject, one.phrase, one.object))
        written = _cut(text, subject)
        named = before if _is_anaphor(written) and before else written
        objects = [_moved(part, whole.start) for part in self._parts(_cut(text, whole))]
        self._centre = _cut(text, objects[0]) if one.turned else named
        for object in objects:
            said = _cut(text, object)
            if before and self._stands(said, one.predicate):
                said = self._centre = before
            span = Span(min(subject.start, object.start), max(subject.end, phrase.end, object.end))
            yield Claim(
                id=identity.claim_id(self._document.id, span.start, span.end, named, one.predicate, said),
                document=self._document.id,
                subject=named,
                predicate=one.predicate,
                object=said,
                text=_cut(text, span),
                span=span,
                subject_span=subject,
                predicate_span=phrase,
                object_span=object,
            )

    def _stands(self, object: str, predicate: str) -> bool:
        """Whether an object stands for the centre: "the violin" does not, "the country" at the other end of what holds
        both ways round does."""
        described = _DEFINITE.fullmatch(object) and (all(relation_phrases.says(predicate)) or not self._known(object))
        return bool(_PRONOUN.fullmatch(object) or described)


def _is_name(words: str) -> bool:
    """Whether all words are written as in one name, those inside it that are small aside."""
    return is_name(words) and "," not in words and all(w[0][0].isupper() or w[0] in _SMALL for w in tokens(words))


def _is_anaphor(words: str) -> bool:
    return bool(_PRONOUN.fullmatch(words) or _DEFINITE.fullmatch(words))


def _cut(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
