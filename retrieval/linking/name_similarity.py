"""Compare a mention with a name by their words, not their meanings.

Names differ from their mentions in case, accents, articles, possessives, dots of acronyms, plurals, initials and typing
errors; all of these are recognised. Edit distance over whole names was rejected: "Apollo 11" is one letter from "Apollo
17", and "Paris Hilton" shares most letters with "Paris Hilton Hotel".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from claimgraph.kgstore.model import Entity
from claimgraph.kgstore.naming import search_words

Words = tuple[str, ...]

ARTICLES = frozenset({"the", "a", "an"})
_POSSESSIVE = re.compile(r"['’]s?\b(?!\w)")
_DOTTED = re.compile(r"\b(?:[^\W\d_]\.\s?){2,}")
_BRACKETED = re.compile(r"(?<!\s)\s*\([^()]*\)")
_SLIP = 0.84
"""Least share of equal letters at which a longer word is misspelt: two letters in twelve, one in six."""
_SOFT = 0.9
"""Weight of a word that differs by a plural, an initial or a typing error; an equal one counts 1."""


@lru_cache(maxsize=65536)
def name_words(name: str) -> Words:
    """Return the distinct words of a name or mention as the index holds them: no articles, no possessives, acronyms
    undotted.
    """
    bare = _DOTTED.sub(lambda found: re.sub(r"[.\s]", "", found[0]) + " ", _POSSESSIVE.sub("", name))
    words = search_words(bare)
    return tuple(word for word in words if word not in ARTICLES) or tuple(words)


def likeness(mention: Words, name: Words) -> float:
    """Return the Jaccard similarity of the words, in [0, 1]: 1 for equal names; nearly equal words count _SOFT, in any
    order.
    """
    if mention == name:
        return 1.0 if name else 0.0
    shared = len(set(mention) & set(name))
    left, right = [w for w in mention if w not in name], [w for w in name if w not in mention]
    soft = _matched(left, right) if left and right else 0
    union = len(mention) + len(name) - shared - soft
    return (shared + _SOFT * soft) / union if union else 0.0


def best_likeness(mention: Words, entity: Entity) -> tuple[float, bool]:
    """Return the likeness to the entity's best name, and whether only an alias reaches it; words in brackets are
    optional.
    """
    named = max(likeness(mention, words) for words in _forms(entity.name))
    if named == 1.0:
        return named, False
    known = max((likeness(mention, words) for alias in entity.aliases for words in _forms(alias)), default=0.0)
    return max(named, known), known > named


@lru_cache(maxsize=65536)
def nearly(a: str, b: str) -> bool:
    """Return whether two words differ only by a plural, an initial or a typing error after the first letter; numbers
    never do.
    """
    if a[0] != b[0]:
        return False
    short, long = sorted((a, b), key=len)
    if len(short) == 1 or long in (short + "s", short + "es"):
        return not any(char.isdigit() for char in a + b)
    if len(short) < 4 or len(long) - len(short) > 2 or any(char.isdigit() for char in a + b):
        return False
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(a, b, score_cutoff=_SLIP) > 0


def _forms(name: str) -> list[Words]:
    bare = _BRACKETED.sub("", name)
    return [name_words(name), name_words(bare)] if bare and bare != name else [name_words(name)]


def _matched(left: Sequence[str], right: Sequence[str]) -> int:
    free, count = list(right), 0
    for word in left:
        found = next((other for other in free if nearly(word, other)), None)
        if found is not None:
            free.remove(found)
            count += 1
    return count
