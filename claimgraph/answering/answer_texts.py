"""Retrieve texts as evidence for an answer: descriptions and summaries of entities and their neighbours, nearest first.

The baseline that graphs are measured against (IRCoT over Wikipedia in OKGQA); here over descriptions and summaries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from claimgraph.kgstore.model import Embedder, Passage
from claimgraph.kgstore.reads import load_entities, load_summaries
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.views import StoreView

FACTS = 100
"""Facts fetched around an entity in each direction, whose far ends are its neighbours."""

PASSAGES = 10
"""Number of passages that an answer is written from."""

_LONGEST = 600
"""Characters of a passage: a summary's paragraphs are cut at full stops near it."""


@dataclass(frozen=True, slots=True)
class About:
    """A passage about an entity; `score` is its cosine with the question, 0 before it is known."""

    entity: str
    name: str
    passage: Passage
    score: float = 0.0


def texts_around(store: GraphStore, view: StoreView, entities: Sequence[str]) -> list[About]:
    """Return descriptions and summaries of the entities and their neighbours, by entity id; summaries in passages."""
    graph = view.facts_around(entities, FACTS)
    known = load_entities(store, sorted({*entities, *graph.nodes}))
    found = [
        About(key, one.name, Passage(f"{one.name}: {one.description}", one.source or key))
        for key, one in sorted(known.items())
        if one.description
    ]
    for key, document in load_summaries(store, sorted(known)):
        found += [
            About(key, known[key].name, Passage(text, document.source or key, document.id))
            for text in _pieces(document.text)
        ]
    return found


def nearest(question: str, texts: Sequence[About], embedder: Embedder, limit: int = PASSAGES) -> list[About]:
    """Return at most `limit` of the texts, by cosine with the question, ties in their order."""
    if not texts:
        return []
    vectors = embedder.embed([question, *(text.passage.text for text in texts)])
    cosines = (vectors[1:] @ vectors[0]).round(6)
    order = np.argsort(-cosines, kind="stable")[:limit]
    return [About(texts[i].entity, texts[i].name, texts[i].passage, float(cosines[i])) for i in order]


def _pieces(text: str) -> list[str]:
    pieces, rest = [], " ".join(text.split())
    while len(rest) > _LONGEST:
        end = rest.rfind(". ", 0, _LONGEST) + 1 or _LONGEST
        pieces.append(rest[:end].strip())
        rest = rest[end:].strip()
    return [*pieces, rest] if rest else pieces
