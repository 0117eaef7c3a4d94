"""Compare which way a claim and a sentence say that one number goes: "nine minutes shorter", "nine minutes longer"."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.compare.typed.differences import Judgement
from claimgraph.detect.compare.typed.sentence import Sentence, Value
from claimgraph.detect.compare.typed.value_conflicts import is_article
from claimgraph.detect.compare.typed.value_relation import Relation, relation
from claimgraph.detect.compare.typed.word_relation import converse, opposed, same
from claimgraph.detect.text.words import stem, words
from claimgraph.kgstore.values.dates import Date

if TYPE_CHECKING:
    from spacy.tokens import Token

_BESIDE = words("than above below ahead behind before after over under")
"""Words that set two things against each other: what holds of one of them holds the other way round of the other."""
_PARTING = frozenset({",", ";", ".", ":", "(", ")", "and", "but", "or"})
_AFTER = 2
"""Tokens after a value among which its direction stands: "nine minutes a day longer"."""
_GRADED = frozenset({"JJR", "RBR", "RB", "RP", "IN"})
_MOST = 0.5
"""Share of a claim's words that a sentence may lack and be about the same."""


def compare(claim: Sentence, known: Sentence, background: Collection[str]) -> Judgement | None:
    """Return the judgement that a sentence has an opposite direction for a number of the claim; None where it has none.

    Its kind is "direction" where the sentence lacks other words of the claim: it may be about something else.
    """
    if bool(claim.denied) != bool(known.denied) or _turned(claim, known):
        return None
    for value in (one for one in claim.values if not is_article(one)):
        there = [other for other in known.values if _equal(value, other)]
        theirs = [word for other in there for word in _directions(known, other)]
        for word in _directions(claim, value):
            other = next((one for one in theirs if _opposed(word, one)), None)
            if other is not None and not any(_alike(word, one) for one in theirs):
                return _judgement(claim, known, word, other, background)
    return None


def _judgement(
    claim: Sentence, known: Sentence, word: Token, other: Token, background: Collection[str]
) -> Judgement | None:
    """Return the judgement where the sentence has what the claim is about, and half of its words."""
    heavy = [one for one in claim.words if not one.light and one.at != word.i]
    having = {known_word.stem for known_word in known.words} | set(background)
    missing = [one for one in heavy if not any(same(one.stem, stem) for stem in having)]
    if any(one.role == "S" for one in missing) or len(missing) > _MOST * len(heavy):
        return None
    return Judgement(True, "direction" if missing else "opposite", word.text, other.text)


def _equal(one: Value, other: Value) -> bool:
    """Return whether two values are the same number or spell; a date has no direction."""
    dates = isinstance(one.parsed, Date) or isinstance(other.parsed, Date)
    return not dates and relation(one.parsed, other.parsed) is Relation.SUPPORTS


def _directions(sentence: Sentence, value: Value) -> Iterator[Token]:
    """Yield the words that may say which way a value goes: its verb, and what stands beside it."""
    doc = sentence.doc
    head = doc[value.end - 1]
    for above in head.ancestors:
        if above.tag_.startswith("VB"):
            yield above
            break
        if above.tag_ in _GRADED:
            yield above
    for token in doc[value.end : value.end + _AFTER]:
        if token.lower_ in _PARTING:
            break
        if token.tag_ in _GRADED:
            yield token
    yield from (token for token in doc[max(0, value.at - 1) : value.at] if token.tag_ in _GRADED)


def _stems(token: Token) -> set[str]:
    return {stem(token.text), stem(token.lemma_.lower())}


def _opposed(one: Token, other: Token) -> bool:
    pairs = [(a, b) for a in _stems(one) for b in _stems(other)]
    return any(opposed(a, b) for a, b in pairs) and not any(converse(a, b) for a, b in pairs)


def _alike(one: Token, other: Token) -> bool:
    return any(same(a, b) for a in _stems(one) for b in _stems(other))


def _turned(claim: Sentence, known: Sentence) -> bool:
    """Return whether both set two things against each other, and not the same one against the other: what is ten years
    older than another has one that is ten years younger."""
    if not all(any(token.lower_ in _BESIDE for token in one.doc) for one in (claim, known)):
        return False
    ours, theirs = ([word.stem for word in one.words if word.role == "S"] for one in (claim, known))
    return not any(same(a, b) for a in ours for b in theirs)
