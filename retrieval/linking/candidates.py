"""Define mentions and their candidate entities, which linking compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.kgstore.model import Entity
from claimgraph.kgstore.naming import search_words
from claimgraph.kgstore.store import EntityIndex
from claimgraph.retrieval.linking.name_similarity import best_likeness, name_words

POOL = 60
"""Full-text candidates whose names are compared with a mention."""

CANDIDATES = 10
"""Those of them, most alike first, whose other features are computed."""

LEAST_LIKE = 0.3
"""Least likeness of a candidate to the mention."""

RIVAL = 0.6
"""Least likeness at which candidates of a mention are rivals."""

_SHORT = 16
"""Most words of a sentence that is kept whole."""

_WINDOW = 5
"""Words kept on either side of a mention in a longer sentence: the rest is about other things."""

_CONTEXTS = 5
"""Most sentences read for a mention that a document names often."""


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name as a text writes it, its sentences, and the predicate of the first claim about it."""

    text: str
    sentences: tuple[str, ...]
    role: str = ""
    predicate: str = ""

    @property
    def surroundings(self) -> list[str]:
        """Each sentence, a long one cut to the words around the mention if it contains the mention verbatim."""
        return [_window(sentence, self.text) for sentence in self.sentences[:_CONTEXTS]]


@dataclass(frozen=True, slots=True)
class Named:
    """A candidate entity, its best name's likeness to the mention in [0, 1], and whether that name is an alias."""

    entity: Entity
    like: float
    alias: bool


def against_rivals(group: Sequence[Named], values: Sequence[float | None]) -> list[float]:
    """Return each rival's value less the mean of the rivals with a known value; 0 for others, and for a single one.

    So the graph's facts decide between entities of one name, and never whether a link is made.
    """
    known = [value for one, value in zip(group, values, strict=True) if one.like >= RIVAL and value is not None]
    mean = sum(known) / len(known) if known else 0.0
    return [
        0.0 if value is None or one.like < RIVAL else value - mean for one, value in zip(group, values, strict=True)
    ]


def named(text: str, index: EntityIndex) -> list[Named]:
    """Return at most CANDIDATES entities with a name like the text, most alike first, names before aliases,
    ties by id.
    """
    words = name_words(text)
    queries = [" ".join(words)] if set(words) <= set(search_words(text)) else [" ".join(words), text]
    entities = {e.id: e for query in queries for e in index.candidates(query, POOL)}
    found = [Named(entity, *best_likeness(words, entity)) for entity in entities.values()]
    kept = [one for one in found if one.like >= LEAST_LIKE]
    return sorted(kept, key=lambda n: (-n.like, n.alias, n.entity.id))[:CANDIDATES]


def _window(sentence: str, mention: str) -> str:
    before, found, after = sentence.partition(mention)
    if not found or len(sentence.split()) <= _SHORT:
        return sentence
    return " ".join([*before.split()[-_WINDOW:], mention, *after.split()[:_WINDOW]])
