"""Locate labelled sentences and annotated spans in a text.

Labels come with copies of the words rather than positions, or with positions that count from 1 or are a few characters
off; a copy may differ in white space or be an escaped form of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimgraph.kgstore.model import Span


def locate(text: str, sentences: Sequence[str]) -> list[Span]:
    """Return one span a sentence, in order and without overlap; white space may differ.

    A sentence that is not found takes the gap between its neighbours.
    """
    found: list[Span | None] = []
    cursor = 0
    for sentence in sentences:
        match = re.compile(r"\s+".join(map(re.escape, sentence.split()))).search(text, cursor)
        found.append(Span(*match.span()) if match and match[0] else None)
        cursor = match.end() if match else cursor
    return [span or _gap(found, at, len(text)) for at, span in enumerate(found)]


def _gap(found: Sequence[Span | None], at: int, length: int) -> Span:
    start = next((span.end for span in reversed(found[:at]) if span), 0)
    return Span(start, next((span.start for span in found[at:] if span), length))


def annotated(text: str, words: str, start: int) -> Span | None:
    """Return the occurrence of the words nearest to the stated start, None if they do not occur or are empty.

    Escaped line ends at the edges of the words are not part of them. Of two equally near occurrences the earlier.
    """
    words = re.sub(r"^(?:\\n)+|(?<!\\n)(?:\\n)+$", "", words).strip()
    places = [match.start() for match in re.finditer(re.escape(words), text)] if words else []
    if not places:
        return None
    best = min(places, key=lambda place: abs(place - start))
    return Span(best, best + len(words))


def joined(sentences: Sequence[str]) -> tuple[str, list[Span]]:
    """Return sentences as one text, joined by single spaces, with their spans."""
    spans, cursor = [], 0
    for sentence in sentences:
        spans.append(Span(cursor, cursor + len(sentence)))
        cursor += len(sentence) + 1
    return " ".join(sentences), spans
