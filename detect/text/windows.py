"""Cut a context into overlapping windows that an entailment model can read.

Windows are made of whole sentences, since half a sentence can say the opposite; only a sentence longer than a window is
cut. A sliding window of words was rejected for that reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from claimgraph.kgstore.model import Passage, Span

WORDS = 90
"""Words in a window: about 120 tokens, which leaves room for the hypothesis where a model reads 160."""
OVERLAP = 1
"""Sentences that a window shares with the one before: a pronoun and its name are often in adjacent sentences."""


def windows(passages: Sequence[Passage], *, words: int = WORDS, overlap: int = OVERLAP) -> list[Passage]:
    """Return windows over the sentences of contexts, in order; each is a Passage with the half-open span it covers.

    Adjacent sentences of one document share windows; a text without a span is on its own. Every character of every
    sentence is in some window, and no window has more words than `words`. A window's text is as long as its span: the
    gap between two sentences is filled with spaces.
    """
    found: list[Passage] = []
    for _, run in groupby(enumerate(passages), key=_home):
        pieces = [piece for _, passage in run for piece in _pieces(passage, words)]
        found += [_joined(pieces[at.start : at.stop]) for at in pack([_size(p) for p in pieces], words, overlap)]
    return found


def pack(sizes: Sequence[int], most: int, overlap: int) -> list[range]:
    """Pack neighbours into the longest runs of at most `most` in sum (one alone may be larger), each with a new member.

    Each run begins with the last `overlap` members of the one before, or as many of them as leave room for the next.
    """
    found: list[range] = []
    start = end = 0
    while end < len(sizes):
        start = max(start, end - overlap)
        while start < end and sum(sizes[start : end + 1]) > most:
            start += 1
        end += 1
        while end < len(sizes) and sum(sizes[start : end + 1]) <= most:
            end += 1
        found.append(range(start, end))
    return found


def _home(item: tuple[int, Passage]) -> object:
    row, passage = item
    return (passage.document, passage.source) if passage.span else row


def _pieces(passage: Passage, words: int) -> Iterator[Passage]:
    """Yield the passage, or, where it is longer than a window, parts of half a window each."""
    starts = [word.start() for word in re.finditer(r"\S+", passage.text)]
    if len(starts) <= words:
        yield passage
        return
    cuts = [0, *starts[words // 2 :: words // 2], len(passage.text)]
    for start, end in pairwise(cuts):
        span = passage.span and Span(passage.span.start + start, passage.span.start + end)
        yield Passage(passage.text[start:end], passage.source, passage.document, span)


def _size(passage: Passage) -> int:
    return len(passage.text.split())


def _joined(pieces: Sequence[Passage]) -> Passage:
    first, text = pieces[0], pieces[0].text
    for before, after in pairwise(pieces):
        gap = after.span.start - before.span.end if before.span and after.span else 0
        text += " " * gap + after.text
    span = first.span and pieces[-1].span and Span(first.span.start, pieces[-1].span.end)
    return Passage(text, first.source, first.document, span)
