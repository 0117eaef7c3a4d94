"""What speaks for a candidate: name, context, prior."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgstore.model import Embedder, Entity
from kgstore.store import EntityIndex
from kgstore.words import search_words
from retrieval.likeness import best_likeness, name_words

POOL = 60
"""Full-text candidates whose names are compared with a mention."""

CANDIDATES = 10
"""Those of them, likest first, whose other features are looked at."""

LEAST_LIKE = 0.3
"""Candidates less like the mention are no candidates."""

WEIGHTS = {"bias": -9.0, "name": 8.0, "exact": 2.0, "alias": -0.5, "context": 4.0, "prior": 0.2}


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as a text writes it, and the sentence it stands in."""

    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score in [0, 1]."""

    entity: Entity
    score: float


def score(mentions: Sequence[Mention], index: EntityIndex, embedder: Embedder) -> list[list[Scored]]:
    """The candidates of each mention, best first, ties by id."""
    named = {text: _named(text, index) for text in dict.fromkeys(m.text for m in mentions)}
    degrees = index.degrees([entity.id for found in named.values() for entity, _, _ in found])
    near = nearness([(m.sentence, e) for m in mentions for e, _, _ in named[m.text]], embedder)
    return [_scored(m, named[m.text], degrees, near) for m in mentions]


def described(entity: Entity) -> str:
    """Name and description: what a context is compared with."""
    return f"{entity.name}: {entity.description}" if entity.description else entity.name


def nearness(pairs: Sequence[tuple[str, Entity]], embedder: Embedder) -> dict[tuple[str, str], float]:
    """Cosine, at least 0, of each text with what describes the entity, by text and entity id."""
    if not pairs:
        return {}
    texts = list(dict.fromkeys([text for text, _ in pairs] + [described(entity) for _, entity in pairs]))
    row = {text: i for i, text in enumerate(texts)}
    vectors = embedder.embed(texts)
    a = vectors[[row[text] for text, _ in pairs]]
    b = vectors[[row[described(entity)] for _, entity in pairs]]
    cosines: NDArray[np.float32] = np.clip(np.einsum("ij,ij->i", a, b), 0, 1)
    return {(text, entity.id): float(c) for (text, entity), c in zip(pairs, cosines, strict=True)}


def _named(text: str, index: EntityIndex) -> list[tuple[Entity, float, bool]]:
    """Candidates with their likeness to the mention and whether by an alias only, likest first, ties by id."""
    words = name_words(text)
    queries = [" ".join(words)]
    if not set(words) <= set(search_words(text)):
        queries.append(text)
    entities = {e.id: e for query in queries for e in index.candidates(query, POOL)}
    found = [(entity, *best_likeness(words, entity)) for entity in entities.values()]
    kept = [entry for entry in found if entry[1] >= LEAST_LIKE]
    return sorted(kept, key=lambda entry: (-entry[1], entry[2], entry[0].id))[:CANDIDATES]


def _scored(
    mention: Mention,
    named: Sequence[tuple[Entity, float, bool]],
    degrees: Mapping[str, int],
    near: Mapping[tuple[str, str], float],
) -> list[Scored]:
    found = []
    for entity, like, alias in named:
        total = (
            WEIGHTS["bias"]
            + WEIGHTS["name"] * like
            + WEIGHTS["exact"] * (like == 1)
            + WEIGHTS["alias"] * alias
            + WEIGHTS["context"] * near[mention.sentence, entity.id]
            + WEIGHTS["prior"] * math.log1p(degrees.get(entity.id, 0))
        )
        found.append(Scored(entity, 1 / (1 + math.exp(-total))))
    return sorted(found, key=lambda s: (-s.score, s.entity.id))
