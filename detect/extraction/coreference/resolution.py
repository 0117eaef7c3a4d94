"""Parsed texts to what their pronouns, short names and definite nouns are read as: the one way in for extractors.

With a model each text is read in pieces of up to 10,000 words: a model has something to do at once, and memory stays
bounded. Without one, and for texts without anything to resolve, no window is made. Mentions are compared in windows:
blocks of sentences, each with the sentences before it. A block is long enough to make the context cheap and a window
short enough for one pass of the encoder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from claimgraph.detect.extraction.coreference.candidates import Antecedents, CoreferenceLink, Key, kind, pairs
from claimgraph.detect.extraction.coreference.discourse import Discourse
from claimgraph.detect.extraction.coreference.mentions import Mention, mentions
from claimgraph.detect.extraction.coreference.rules import Referent
from claimgraph.detect.models.coreference import CoreferenceModel, Window
from claimgraph.detect.text.parse import Paragraph
from claimgraph.kgstore.model import Span

if TYPE_CHECKING:
    from spacy.tokens import Token


BLOCK = 1_200
"""Characters of the sentences that are read anew, unless one is longer."""
TAIL = 400
"""Characters at a text's end that are read with the block before them."""
CONTEXT = 600
"""Characters before them, in whole sentences; the first of these may begin earlier, by so much at most."""
_WORDS = 10_000
"""Of a piece of a text, and of the pieces whose windows go to the model together."""
_BEFORE = 4 * BLOCK
"""Characters before a piece whose mentions are remembered."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A paragraph of the text of that number. `names`: words to put in place of tokens, by token number; "" for tokens
    that their neighbour speaks for. `links`: the antecedents behind them, and those that change no word. `topic`: what
    the text up to there is about, "" where that is not clear."""

    number: int
    paragraph: Paragraph
    names: Mapping[int, str]
    links: tuple[CoreferenceLink, ...]
    topic: str = ""


def resolved(parsed: Iterable[tuple[int, Paragraph]], model: CoreferenceModel | None) -> Iterator[Resolved]:
    """The paragraphs, which are in order of their texts, with what is meant in them. Raises ModelError.

    A text is read alike whatever stands beside it.
    """
    texts: dict[int, _Text] = {}
    for batch in _batches(_pieces(parsed)):
        read = [piece for number, parts in batch for piece in [texts.setdefault(number, _Text(model)).read(parts)]]
        _score(model, read)
        for (number, parts), piece in zip(batch, read, strict=True):
            yield from texts[number].resolve(number, parts, piece)
        texts = {number: text for number, text in texts.items() if number >= batch[-1][0]}


def _pieces(parsed: Iterable[tuple[int, Paragraph]]) -> Iterator[tuple[int, list[Paragraph]]]:
    """Neighbouring paragraphs of one text, of at most 10,000 words or one."""
    for number, parts in groupby(parsed, key=lambda one: one[0]):
        piece: list[Paragraph] = []
        words = 0
        for _, part in parts:
            if piece and words + len(part.doc) > _WORDS:
                yield number, piece
                piece, words = [], 0
            piece.append(part)
            words += len(part.doc)
        yield number, piece


def _batches(pieces: Iterable[tuple[int, list[Paragraph]]]) -> Iterator[list[tuple[int, list[Paragraph]]]]:
    batch: list[tuple[int, list[Paragraph]]] = []
    words = 0
    for number, piece in pieces:
        more = sum(len(part.doc) for part in piece)
        if batch and words + more > _WORDS:
            yield batch
            batch, words = [], 0
        batch.append((number, piece))
        words += more
    if batch:
        yield batch


@dataclass(slots=True)
class _Piece:
    """The mentions of each paragraph, and the windows over them with each window's mentions."""

    spoken: list[list[tuple[Token, Mention]]]
    start: int
    windows: list[tuple[Window, list[Mention]]]
    chances: dict[Key, dict[Key, float]] = field(default_factory=dict)


class _Text:
    """One text as it is read piece by piece."""

    def __init__(self, model: CoreferenceModel | None) -> None:
        self._discourse = Discourse()
        self._antecedents: Antecedents[Referent] | None = Antecedents(model.thresholds) if model else None
        self._sentences = 0
        self._mentions: list[Mention] = []
        self._spans: list[Span] = []

    def read(self, parts: Sequence[Paragraph]) -> _Piece:
        """The mentions of further paragraphs, with the windows that a model has to score."""
        spoken: list[list[tuple[Token, Mention]]] = []
        for part in parts:
            spoken.append(list(mentions(part, self._sentences)))
            self._sentences += sum(1 for _ in part.doc.sents)
        piece = _Piece(spoken, parts[0].place.start, [])
        if self._antecedents is not None:
            spans = [span for part in parts for span in part.sentences()]
            found = [mention for some in spoken for _, mention in some]
            piece.windows = list(window_pairs(parts[0].text, self._mentions + found, spans, self._spans))
            after = parts[-1].place.end - _BEFORE
            self._mentions = [m for m in self._mentions + found if m.start >= after]
            self._spans = [s for s in self._spans + spans if s.start >= after]
        return piece

    def resolve(self, number: int, parts: Sequence[Paragraph], piece: _Piece) -> Iterator[Resolved]:
        """The paragraphs of a piece whose windows were scored."""
        if self._antecedents is not None:
            self._antecedents.add(piece.chances, piece.start - _BEFORE)
        for part, spoken in zip(parts, piece.spoken, strict=True):
            names = self._discourse.read(part, spoken, self._antecedents)
            yield Resolved(number, part, names, self._discourse.take_links(), self._discourse.topic)


def read_mentions(parts: Sequence[Paragraph]) -> tuple[list[Mention], list[Span]]:
    """The mentions and the sentences of a parsed text, in order."""
    found: list[Mention] = []
    number = 0
    for part in parts:
        found.extend(mention for _, mention in mentions(part, number))
        number += sum(1 for _ in part.doc.sents)
    return found, [span for part in parts for span in part.sentences()]


def window_pairs(
    text: str, found: Sequence[Mention], sentences: Sequence[Span], before: Sequence[Span] = ()
) -> Iterator[tuple[Window, list[Mention]]]:
    """The windows of the sentences with something to resolve, each with its mentions; `before` were read earlier."""
    for start, block in windows(sentences, before):
        inside = [m for m in found if m.start >= start and m.end <= block.end]
        asked = [at for at, m in enumerate(inside) if m.head >= block.start and kind(m) is not None]
        made = pairs(inside, asked)
        if len(made.anaphor):
            spans = np.array([(m.start - start, m.end - start, m.head - start) for m in inside], np.int64)
            yield Window(text[start : block.end], spans, made.anaphor, made.candidate, made.features), inside


def _score(model: CoreferenceModel | None, pieces: Sequence[_Piece]) -> None:
    """Let the model fill in the chances of each piece."""
    asked = [(piece, window, inside) for piece in pieces for window, inside in piece.windows]
    if model is None or not asked:
        return
    for (piece, window, inside), found in zip(asked, model.chances([one[1] for one in asked]), strict=True):
        for a, c, chance in zip(window.anaphor.tolist(), window.candidate.tolist(), found.tolist(), strict=True):
            if a != c:
                piece.chances.setdefault(inside[a].key, {})[inside[c].key] = chance


def windows(sentences: Sequence[Span], before: Sequence[Span] = ()) -> Iterator[tuple[int, Span]]:
    """Where each window of the sentences begins, and the span of what is new in it; `before` are those read earlier."""
    for block in _blocks(sentences):
        near = (s.start for part in (before, sentences) for s in part if _is_near(s, block.start))
        yield max(next(near, block.start), block.start - 2 * CONTEXT), block


def _is_near(sentence: Span, start: int) -> bool:
    return sentence.start < start and sentence.end > start - CONTEXT


def _blocks(sentences: Sequence[Span]) -> list[Span]:
    found: list[Span] = []
    for sentence in sentences:
        if found and sentence.end - found[-1].start <= BLOCK:
            found[-1] = Span(found[-1].start, sentence.end)
        else:
            found.append(sentence)
    if len(found) > 1 and found[-1].end - found[-1].start <= TAIL:
        found[-2:] = [Span(found[-2].start, found[-1].end)]
    return found
