"""Score entity pairs: open extractions against gold triples whose relations come from a schema.

WebNLG, CoNLL04 and Re-DocRED name relations ("Work_For", "leaderName") that no open extractor writes, so relations are
not compared, only whether the two entities of a gold triple are subject and object of a claim. Mapping predicates to
each schema by hand was rejected: it would measure the map.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_SAME = 0.5
_ARTICLES = frozenset({"a", "an", "the", "s"})

Names = Sequence[str]
"""All names of an annotated entity in its text."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text's annotated entities and the pairs of them, by number, that some gold triple joins."""

    entities: Sequence[Names]
    pairs: frozenset[frozenset[int]]


@dataclass(frozen=True, slots=True)
class PairScore:
    """Micro-averaged over texts; all in [0, 1]."""

    precision: float
    recall: float
    f1: float


def annotate(entities: Sequence[Names], triples: Iterable[Sequence[str]]) -> Annotated:
    """Return gold triples as entity pairs; a triple of an entity with itself is left out."""
    number = {name: i for i, names in reversed(list(enumerate(entities))) for name in names}
    pairs = {frozenset({number[s], number[o]}) for s, _, o in triples if s in number and o in number}
    return Annotated(entities, frozenset(pair for pair in pairs if len(pair) == 2))


def score_pairs(texts: Iterable[tuple[Annotated, Iterable[tuple[str, str]]]]) -> PairScore:
    """Score the (subject, object) pairs extracted from each text.

    Each end is taken for the entity whose name it matches best by token F1, from 0.5 on, ties to the first; the order
    of the two ends does not matter. Extractions with an end that names no annotated entity are not counted, since the
    gold does not cover them. A pair found twice counts once.
    """
    right = found = wanted = 0
    for gold, extracted in texts:
        pairs = {pair for subject, object in extracted if (pair := _pair(gold, subject, object))}
        right, found, wanted = right + len(pairs & gold.pairs), found + len(pairs), wanted + len(gold.pairs)
    precision, recall = right / found if found else 0.0, right / wanted if wanted else 0.0
    return PairScore(precision, recall, 2 * right / (found + wanted) if found + wanted else 0.0)


def _pair(gold: Annotated, subject: str, object: str) -> frozenset[int] | None:
    ends = {_entity(gold.entities, subject), _entity(gold.entities, object)}
    return frozenset(end for end in ends if end is not None) if None not in ends and len(ends) == 2 else None


def _entity(entities: Sequence[Names], said: str) -> int | None:
    words = _tokens(said)
    scores = [
        (max((_overlap(words, _tokens(name)) for name in names), default=0.0), -i) for i, names in enumerate(entities)
    ]
    best, negative = max(scores, default=(0.0, 0))
    return -negative if best >= _SAME else None


def _tokens(text: str) -> Counter[str]:
    """Return case-folded words and numbers without articles; underscores separate words."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    return Counter(word for word in re.findall(r"\w+", folded) if word not in _ARTICLES)


def _overlap(a: Counter[str], b: Counter[str]) -> float:
    """Return the token F1."""
    return 2 * (a & b).total() / (a.total() + b.total()) if a and b else 0.0
