"""Whether the words around two elements say a predicate, and where."""

from __future__ import annotations

from detect.words import content, stem, tokens
from kgstore.model import Span, Triple


def said(triple: Triple, text: str, within: Span, cover: Span) -> Span | None:
    """The span of the predicate's words; an empty one for a predicate that only joins; None where nothing says it."""
    wanted = set(content(triple.predicate))
    if not wanted:
        return Span(cover.start, cover.start)
    places = [
        Span(within.start + m.start(), within.start + m.end())
        for m in tokens(text[within.start : within.end])
        if stem(m[0]) in wanted
    ]
    if not places:
        return None
    return places[0]
