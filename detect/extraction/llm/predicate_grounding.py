"""Whether the words around two elements say a predicate, and where.

Models also name relations as graphs do: "author", "instance of", "country". So a word counts in any form that its stem
shares, as do the words of the relation's paraphrase, and what small words say: a comma or "in" of places, "a" of kinds,
brackets of the dates of a life. On WebNLG (train, 700 texts), whose predicates are all a graph's, 72 % of the right and
12 % of the wrong ones share a word with their text; taking the cosine of MiniLM for the rest was rejected: it tells
right from wrong there with an AUC of 0.70, so that 84 % would mean 30 %.
"""

from __future__ import annotations

import re
from itertools import takewhile

from claimgraph.detect.compare.relations import spoken
from claimgraph.detect.text.words import content, folded, stem, tokens
from claimgraph.kgstore.model import Span, Triple
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.dates import Date

_SHARED = 4
"""Letters that two forms of a word begin with, all but the last of the shorter one at least: "locat", "location"."""
_KINDS = re.compile(
    r"(?:is |are |was |has )?(?:an? |the |also )*"
    r"(?:instance|type|kind|subclass|occupation|profession|nationality|demonym|name|title|known|called)(?: of| as)?",
    re.IGNORECASE,
)
"""Relations that an apposition or "is a" says."""
_PLACES = re.compile(
    r"(?:is |are |was )?(?:an? |the |also )*(?:location|located|place|country|region|city|state|province|county|part)"
    r"(?: of| in| at)?",
    re.IGNORECASE,
)
"""Relations that a comma or preposition before the object says."""
_FORMS = {
    **dict.fromkeys(("is", "are", "was", "were", "been", "being", "s"), "be"),
    **dict.fromkeys(("has", "had", "having"), "have"),
}
_HARDLY = 1
"""Content words between two elements that are as good as none."""
_AT = re.compile(r"(?:\b(?:in|at|of|on|from|near|within)|[,(–-])\s*(?:the\s+)?$", re.IGNORECASE)

_LIVES = frozenset({"bear", "die", "birth", "date", "death"})
_DATED = re.compile(r"\([^()]*$")


def joined(predicate: str, between: str) -> bool:
    """Whether what stands between two elements says a predicate without words of its own, as "is" or "had in".

    One of its words does, in any form; or hardly anything stands there, as a comma and an article.
    """
    words, others = ({_FORMS.get(word, word) for word in folded(text).split()} for text in (predicate, between))
    return not words.isdisjoint(others) or len(content(between)) <= _HARDLY


def said(triple: Triple, text: str, within: Span, object: Span) -> list[Span] | None:
    """Where `within` says the predicate of words of its own, word by word; None where nothing says it.

    An empty list: it only joins ("is", "of"), or it is said by what stands before the object.
    """
    wanted = set(content(triple.predicate)) | set(content(spoken(triple.predicate)))
    if not wanted:
        return []
    found = [
        Span(within.start + word.start(), within.start + word.end())
        for word in tokens(text[within.start : within.end])
        if any(_kin(stem(word[0]), other) for other in wanted)
    ]
    return found or ([] if _formal(triple, text[within.start : object.start]) else None)


def _kin(a: str, b: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    return a == b or shared >= max(_SHARED, min(len(a), len(b)) - 1)


def _formal(triple: Triple, before: str) -> bool:
    value = literals.parse(triple.object)
    place = _PLACES.fullmatch(triple.predicate) and _AT.search(before) and value is None
    life = isinstance(value, Date) and _LIVES.issuperset(content(triple.predicate)) and _DATED.search(before)
    return bool(place or life or _KINDS.fullmatch(triple.predicate))
