"""Find the entities that a question names, also in lower case and without punctuation.

One full-text query with the question's content words gives a pool; the names of its members are aligned with the
question word by word, longest and rarest first. Named-entity taggers were rejected: they need capitals, which users do
not type, and one query for each n-gram costs twenty times as much. A feature for a relation similar to the question's
words was tried and ranked no better.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from claimgraph.kgstore.model import Embedder, Entity, Span
from claimgraph.kgstore.naming import search_words
from claimgraph.kgstore.store import EntityIndex
from claimgraph.retrieval.linking.candidates import Named
from claimgraph.retrieval.linking.features import FeatureTable, logistic, nearness
from claimgraph.retrieval.linking.link import Candidate
from claimgraph.retrieval.linking.name_similarity import Words, likeness, name_words, nearly

POOL = 200
"""Full-text candidates whose names are aligned with the question."""

CLOSEST = 24
"""Those that cover most of the question, whose other features are computed."""

LEAST_LIKE = 0.45
"""Least likeness of a candidate's name to the words it covers."""

FEATURES = ("one", "like", "exact", "rarity", "common", "inside", "context", "prior")
"""Columns: a constant; likeness of the covered words to the name; equal to it; their share of the question's rarity; a
name in lower case, as of common nouns; whether a longer name covers the same words; cosine of the question and the
description; log(1 + facts).
"""

WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "name": {"one": -9.23, "like": 4.99, "exact": 2.41, "rarity": 5.2, "common": -0.96, "inside": -3.65},
    "context": {
        "one": -12.45,
        "like": 2.52,
        "exact": 2.42,
        "rarity": 1.52,
        "common": -1.19,
        "inside": -3.53,
        "context": 9.41,
        "prior": 0.52,
    },
}
"""Weights of the features by preset."""

DEFAULT = "context"

_STOP = """
a about after all also am an and any are as at be been before being but by called can could did do does doing during
each else ever for from gave get give had has have he her here him his how i if in into is it its kind kinds list
located made make many me more most much my name named names of off on one or other our out over part s say sort sorts
she so some tell than that the their them then there these they this those to type types under up us use used was we
went were what whats when where which while who whom whos whose why will with would you your
"""
STOP = frozenset(_STOP.split())
"""Words that name nothing alone."""

_WHOLE = 0.9
"""Least likeness at which a longer name hides the names inside it."""

_APART = frozenset({"and", "or", "than", "versus", "vs"})
"""Words between two names: "Marie Curie or Pierre Curie" has no name "Curie or Pierre"."""

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True, slots=True, eq=False)
class QuestionTable(FeatureTable):
    """A Table with the span of the question that each candidate's name covers."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Match:
    entity: Entity
    alias: bool
    like: float
    rarity: float
    span: Span

    @property
    def cover(self) -> float:
        return self.like * self.rarity


def question_entities(
    question: str, index: EntityIndex, embedder: Embedder, limit: int = 10, preset: str = DEFAULT
) -> list[Candidate]:
    """Return at most `limit` entities the question names, best first, ties by id; each with the span that names it.

    The score in [0, 1] estimates how likely the question is about that entity; a question about two divides it.
    """
    return ranked(table(question, index, embedder), preset)[:limit]


def ranked(found: QuestionTable, preset: str = DEFAULT) -> list[Candidate]:
    """Return the candidates of a table with their scores and spans, best first, ties by id."""
    scores = logistic(found.features, WEIGHTS[preset], FEATURES)
    scored = [
        Candidate(one.entity, float(score), span)
        for one, score, span in zip(found.named, scores, found.spans, strict=True)
    ]
    return sorted(scored, key=lambda candidate: (-candidate.score, candidate.entity.id))


def table(question: str, index: EntityIndex, embedder: Embedder) -> QuestionTable:
    """Return the candidates of a question, those that cover most of it first, with their features."""
    matches = _matches(question, index)
    named = tuple(Named(match.entity, match.like, match.alias) for match in matches)
    features = _features(question, matches, index, embedder)
    return QuestionTable(named, features, tuple(match.span for match in matches))


def _matches(question: str, index: EntityIndex) -> list[_Match]:
    tokens = _tokens(question)
    content = list(dict.fromkeys(token.word for token in tokens if token.word not in STOP))
    if not content:
        return []
    singular = [word[:-1] for word in content if len(word) > 3 and word.endswith("s")]
    pool = index.candidates(" ".join(dict.fromkeys(content + singular)), POOL)
    names = {entity.id: [name_words(name) for name in (entity.name, *entity.aliases)] for entity in pool}
    rarity = _rarity([set().union(*known) for known in names.values()], content)
    found = [match for entity in pool if (match := _laid(entity, names[entity.id], tokens, rarity))]
    return sorted(found, key=lambda match: (-match.cover, match.entity.id))[:CLOSEST]


def _features(
    question: str, matches: Sequence[_Match], index: EntityIndex, embedder: Embedder
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    degrees = index.degrees([match.entity.id for match in matches])
    near = nearness([(question, match.entity) for match in matches], embedder)
    rows = [
        (
            1.0,
            match.like,
            match.like == 1,
            match.rarity,
            match.entity.name[:1].islower(),
            any(_inside(match.span, other.span) and other.like >= _WHOLE for other in matches),
            near[question, match.entity.id],
            math.log1p(degrees.get(match.entity.id, 0)),
        )
        for match in matches
    ]
    return np.array(rows, np.float64).reshape(-1, len(FEATURES))


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end and inner != outer


def _tokens(question: str) -> list[_Token]:
    """Return the words of the question without possessive endings."""
    found = []
    for match in _TOKEN.finditer(question):
        text = re.sub(r"['’]s?$", "", match[0])
        if word := "".join(search_words(text)):
            found.append(_Token(word, Span(match.start(), match.start() + len(text))))
    return found


def _rarity(pool: Sequence[set[str]], words: Sequence[str]) -> Mapping[str, float]:
    """Return the weight of each word of the question: the fewer of the pool have it, the more. Sums to 1."""
    told = {word: 1 / math.sqrt(1 + sum(word in names for names in pool)) for word in words}
    total = sum(told.values())
    return {word: value / total for word, value in told.items()}


def _laid(
    entity: Entity, names: Sequence[Words], tokens: Sequence[_Token], rarity: Mapping[str, float]
) -> _Match | None:
    """Return the best match of one of the entity's names with a stretch of the question, or None."""
    best: _Match | None = None
    for number, name in enumerate(names):
        for like, told, span in _stretches(name, tokens, rarity):
            if best is None or like * told > best.cover:
                best = _Match(entity, number > 0, like, told, span)
    return best


def _stretches(name: Words, tokens: Sequence[_Token], rarity: Mapping[str, float]) -> list[tuple[float, float, Span]]:
    """Return likeness, rarity and span of each stretch of the question that may hold the name."""
    hits = [i for i, token in enumerate(tokens) if token.word in name]
    if len(hits) < len(name):
        slips = [part for part in name if not any(tokens[i].word == part for i in hits)]
        hits += [i for i, t in enumerate(tokens) if i not in hits and any(nearly(t.word, part) for part in slips)]
    found = []
    apart = {i for i, token in enumerate(tokens) if token.word in _APART and token.word not in name}
    for run in _runs(sorted(hits), len(name), apart):
        words = dict.fromkeys(tokens[i].word for i in range(run[0], run[-1] + 1))
        told = sum(rarity.get(word, 0.0) for word in words)
        like = likeness(tuple(words), name) if told else 0.0
        if like >= LEAST_LIKE:
            found.append((like, told, Span(tokens[run[0]].span.start, tokens[run[-1]].span.end)))
    return found


def _runs(hits: Sequence[int], length: int, apart: Set[int]) -> list[list[int]]:
    """Return stretches of hits with at most one word between neighbours, none of `apart`, no longer than the name and
    one word.
    """
    runs: list[list[int]] = []
    for hit in hits:
        if runs and hit - runs[-1][-1] <= 2 and hit - runs[-1][0] <= length and hit - 1 not in apart:
            runs[-1].append(hit)
        else:
            runs.append([hit])
    return runs
