"""The entities that a question names, in lower case and without punctuation too.

One full-text query with the question's content words gives a pool; the names of its members are laid over the
question word by word, longest and rarest first. Named-entity taggers were rejected: they need capitals, which people
who ask do not type, and one query for each n-gram costs twenty times as much.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgstore.model import Embedder, Entity, Span
from kgstore.store import EntityIndex
from kgstore.words import search_words
from retrieval.features import nearness
from retrieval.likeness import Words, likeness, name_words, nearly
from retrieval.link import Candidate

POOL = 200
"""Full-text candidates whose names are laid over the question."""

CLOSEST = 24
"""Those of them that cover most of the question, whose context is looked at."""

_STOP = """
a about after all also am an and any are as at be been before being but by called can could did do does doing during
each else ever for from gave get give had has have he her here him his how i if in into is it its kind kinds list
located made make many me more most much my name named names of off on one or other our out over part s say sort sorts
she so some tell than that the their them then there these they this those to type types under up us use used was we
went were what whats when where which while who whom whos whose why will with would you your
"""
STOP = frozenset(_STOP.split())
"""Words that never name anything alone."""

LEAST_LIKE = 0.45
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class _Match:
    entity: Entity
    like: float
    weight: float
    span: Span


def question_entities(question: str, index: EntityIndex, embedder: Embedder, limit: int = 10) -> list[Candidate]:
    """At most `limit` entities the question names, best first, each with the span of the question that names it."""
    tokens = _tokens(question)
    content = [word for word, _ in tokens if word not in STOP]
    if not content:
        return []
    pool = index.candidates(" ".join(dict.fromkeys(content)), POOL)
    rarity = _rarity(pool, content)
    matches = [m for entity in pool if (m := _laid(entity, tokens, rarity))]
    matches.sort(key=lambda m: (-m.weight * m.like, m.entity.id))
    kept = matches[:CLOSEST]
    degrees = index.degrees([m.entity.id for m in kept])
    near = nearness([(question, m.entity) for m in kept], embedder)
    found = [
        Candidate(m.entity, _score(m, near[question, m.entity.id], degrees.get(m.entity.id, 0)), m.span) for m in kept
    ]
    return sorted(found, key=lambda c: (-c.score, c.entity.id))[:limit]


def _score(match: _Match, near: float, degree: int) -> float:
    total = -8 + 6 * match.like + 3 * match.weight + 4 * near + 0.2 * math.log1p(degree)
    return 1 / (1 + math.exp(-total))


def _tokens(question: str) -> list[tuple[str, Span]]:
    """Words of the question, possessives left off, each with where it stands."""
    found = []
    for match in _TOKEN.finditer(question):
        text = re.sub(r"['’]s?$", "", match[0])
        word = "".join(search_words(text))
        if word:
            found.append((word, Span(match.start(), match.start() + len(text))))
    return found


def _rarity(pool: Sequence[Entity], words: Sequence[str]) -> Mapping[str, float]:
    """How telling each word of the question is: the fewer of the pool have it, the more. Sums to 1."""
    having = [set(search_words(entity.name, *entity.aliases)) for entity in pool]
    told = {word: 1 / (1 + sum(word in names for names in having)) ** 0.5 for word in words}
    total = sum(told.values())
    return {word: value / total for word, value in told.items()}


def _laid(entity: Entity, tokens: Sequence[tuple[str, Span]], rarity: Mapping[str, float]) -> _Match | None:
    """The best match of one of the entity's names with a stretch of the question."""
    found = [m for name in (entity.name, *entity.aliases) if (m := _stretch(entity, name_words(name), tokens, rarity))]
    return max(found, key=lambda m: (m.like * m.weight, m.like), default=None)


def _stretch(
    entity: Entity, name: Words, tokens: Sequence[tuple[str, Span]], rarity: Mapping[str, float]
) -> _Match | None:
    hits = [i for i, (word, _) in enumerate(tokens) if word in name or any(nearly(word, part) for part in name)]
    best: _Match | None = None
    for run in _runs(hits, len(name)):
        words = tuple(tokens[i][0] for i in range(run[0], run[-1] + 1))
        if all(word in STOP for word in words):
            continue
        like = likeness(tuple(dict.fromkeys(words)), name)
        weight = sum(rarity.get(word, 0.0) for word in words)
        if like >= LEAST_LIKE and (best is None or like * weight > best.like * best.weight):
            best = _Match(entity, like, weight, Span(tokens[run[0]][1].start, tokens[run[-1]][1].end))
    return best


def _runs(hits: Sequence[int], length: int) -> list[list[int]]:
    """Stretches of hits with at most one word between neighbours, no longer than the name and two words."""
    runs: list[list[int]] = []
    for hit in hits:
        if runs and hit - runs[-1][-1] <= 2 and hit - runs[-1][0] < length + 2:
            runs[-1].append(hit)
        else:
            runs.append([hit])
    return runs
