"""Mentions and the entities named like them: the two sides that linking compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.kgstore.index_words import search_words
from claimgraph.kgstore.model import Entity
from claimgraph.kgstore.store import EntityIndex
from claimgraph.retrieval.linking.name_similarity import best_likeness, name_words

POOL = 60
"""Full-text candidates whose names are compared with a mention."""

CANDIDATES = 10
"""Those of them, likest first, whose other features are looked at."""

LEAST_LIKE = 0.3
"""What is less like the mention is no candidate."""

RIVAL = 0.6
"""Likeness from which on candidates of a mention compete."""

_SHORT = 16
"""Words of a sentence that is taken whole."""

_WINDOW = 5
"""Words on either side of a mention that are its surroundings in a longer one: the rest tells of other things."""

_CONTEXTS = 5
"""Surroundings of a mention that are looked at, where a document names it often."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as a text writes it, the sentences it stands in, and what the first claim about it says.

    `role` is "subject" or "object" of `predicate`, or "" where no claim is known.
    """

    text: str
    sentences: tuple[str, ...]
    role: str = ""
    predicate: str = ""

    @property
    def surroundings(self) -> list[str]:
        """Each sentence, a long one cut to the words next to the mention if it stands there as written."""
        return [_window(sentence, self.text) for sentence in self.sentences[:_CONTEXTS]]


@dataclass(frozen=True, slots=True)
class Named:
    """A candidate, how like the mention its best name is in [0, 1], and whether that name is an alias."""

    entity: Entity
    like: float
    alias: bool


def against_rivals(group: Sequence[Named], values: Sequence[float | None]) -> list[float]:
    """Each rival's value less the mean of the rivals whose value is known; 0 for the others, and for one alone.

    So what the graph knows decides between things of one name, and never whether there is one.
    """
    known = [value for one, value in zip(group, values, strict=True) if one.like >= RIVAL and value is not None]
    mean = sum(known) / len(known) if known else 0.0
    return [
        0.0 if value is None or one.like < RIVAL else value - mean for one, value in zip(group, values, strict=True)
    ]


def named(text: str, index: EntityIndex) -> list[Named]:
    """At most CANDIDATES entities named like the text, likest first, names before aliases, ties by id."""
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
