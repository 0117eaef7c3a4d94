"""Read which of two things comes first in a sentence, and compare a claim's order with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimgraph.detect.compare.typed.sentence import Sentence
from claimgraph.detect.compare.typed.word_relation import same

if TYPE_CHECKING:
    from spacy.tokens import Token

_EARLIER, _LATER = frozenset({"before", "prior", "preceding"}), frozenset({"after", "once", "following"})
_FOLLOWS, _PRECEDES = frozenset({"follow", "succeed", "replace"}), frozenset({"precede"})
Order = tuple[frozenset[str], frozenset[str]]
"""Stems of what comes first and of what comes second, each without what the other has too."""


def order(sentence: Sentence) -> Order | None:
    """Return what comes first and second; None where the sentence has no words of order."""
    inside = {at for value in sentence.values for at in range(value.at, value.end)}
    for token in sentence.doc:
        found = None if token.i in inside else _at(sentence, token)
        if found:
            first, second = found[0] - found[1], found[1] - found[0]
            if first and second:
                return frozenset(first), frozenset(second)
    return None


def _at(sentence: Sentence, token: Token) -> tuple[set[str], set[str]] | None:
    low, lemma = token.lower_, token.lemma_.lower()
    if low in _EARLIER | _LATER and token.dep_ in ("mark", "prep", "advmod", "npadvmod", "pcomp"):
        part = token.head if token.dep_ in ("mark", "advmod") and low != "prior" else token
        if low == "prior" and token.i + 1 < len(token.doc):
            part = token.nbor()
        later = {sub.i for sub in part.subtree} - {token.i}
        own, other = _split(sentence, later)
        return (other, own) if low in _EARLIER else (own, other)
    if low in ("earlier", "later") and (than := next((t for t in token.doc[token.i :] if t.lower_ == "than"), None)):
        own, other = _split(sentence, {sub.i for sub in than.subtree})
        return (other, own) if low == "earlier" else (own, other)
    if lemma in _FOLLOWS | _PRECEDES and token.tag_.startswith("VB"):
        return _of_verb(sentence, token, lemma in _PRECEDES)
    if low == "then" and token.i:
        return _split(sentence, set(range(token.i)))
    return None


def _of_verb(sentence: Sentence, verb: Token, precedes: bool) -> tuple[set[str], set[str]] | None:
    kinds = {child.dep_: {sub.i for sub in child.subtree} for child in verb.children}
    subject = kinds.get("nsubj") or kinds.get("nsubjpass")
    other = kinds.get("agent") if "nsubjpass" in kinds else kinds.get("dobj")
    if not subject or not other:
        return None
    acting, acted = (
        _stems(sentence, part) for part in ((other, subject) if "nsubjpass" in kinds else (subject, other))
    )
    return (acting, acted) if precedes else (acted, acting)


def _split(sentence: Sentence, inside: set[int]) -> tuple[set[str], set[str]]:
    every = {token.i for token in sentence.doc}
    return _stems(sentence, inside), _stems(sentence, every - inside)


_WORDS_OF_ORDER = frozenset(
    {"earli", "later", "first", "prior", "long", "follow", "succeed", "preced", "replac", "plac"}
)


def _stems(sentence: Sentence, inside: set[int]) -> set[str]:
    return {
        word.stem
        for word in sentence.words
        if word.at in inside and not word.light and word.stem not in _WORDS_OF_ORDER
    }


def compare(claimed: Order, known: Order) -> bool | None:
    """Return whether the claim has the order of the evidence; None where they are not about the same two things."""
    straight = [_covered(a, b) for a, b in zip(claimed, known, strict=True)]
    crossed = [_covered(a, b) for a, b in zip(claimed, known[::-1], strict=True)]
    if min(straight) == 1.0 and min(crossed) < 1.0:
        return True
    return False if min(crossed) == 1.0 and min(straight) < 1.0 else None


def _covered(words: frozenset[str], among: frozenset[str]) -> float:
    return sum(any(same(word, other) for other in among) for word in words) / len(words)
