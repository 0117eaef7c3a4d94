"""The searches of SAFE over a store: full text finds entities, words and vectors their texts and facts.

The store's full-text index holds names, so a query finds the entities it names; what is told about these (summaries,
descriptions, facts) is ranked by shared words and by the vectors of the cache, the best of each in turn. One vector
index of all facts was rejected: a query that names an entity is answered by what is known of that entity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from pathlib import Path

import numpy as np

from claimgraph.detect.judges.passage_judges import TopicFact, shown
from claimgraph.detect.judges.safe import Search
from claimgraph.evidence.topics import text_files
from claimgraph.kgstore.model import Embedder, Entity, Passage
from claimgraph.kgstore.reads import load_summaries
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.views import StoreView

ENTITIES = 3
"""Entities a query is taken to name."""
FACTS = 100
"""Facts looked at around an entity, in each direction."""
FOUND = 6
"""Passages a search returns at most."""


def folder_search(folder: Path) -> Search:
    """Return the windows of .txt files that share most words with a query. Raises InputError where there are no
    files.
    """
    texts = tuple(Passage(path.read_text(encoding="utf-8", errors="replace"), path.name) for path in text_files(folder))
    return lambda query: shown(TopicFact(query, "", texts), FOUND)


class StoreSearch:
    """A claimgraph.detect.judges.safe.Search over some graphs of a store."""

    def __init__(self, store: GraphStore, graphs: Sequence[str], embedder: Embedder) -> None:
        self._store, self._embedder = store, embedder
        self._view = StoreView(store, tuple(graphs))

    def __call__(self, query: str) -> list[Passage]:
        """Return at most FOUND passages: windows of summaries, descriptions and facts; () where no entity is found."""
        entities = self._view.candidates(query, ENTITIES)
        known = [*self._summaries(query, entities), *_described(entities), *self._facts(entities)]
        if not known:
            return []
        worded = shown(TopicFact(query, "", tuple(known)), FOUND)
        near = [known[row] for row in self._nearest(query, [passage.text for passage in known])]
        in_turn = chain.from_iterable(zip_longest(worded, near))
        distinct: dict[str, Passage] = {}
        for passage in filter(None, in_turn):
            distinct.setdefault(passage.text, passage)
        return list(distinct.values())[:FOUND]

    def _summaries(self, query: str, entities: Sequence[Entity]) -> Iterable[Passage]:
        texts = load_summaries(self._store, [entity.id for entity in entities])
        for entity, text in texts:
            yield from shown(TopicFact(query, "", (Passage(text.text, text.source or entity, text.id),)))

    def _facts(self, entities: Sequence[Entity]) -> list[Passage]:
        around = self._view.facts_around([entity.id for entity in entities], FACTS)
        return [Passage(around.triple(fact).text, fact.source or fact.graph) for fact in around.facts]

    def _nearest(self, query: str, texts: Sequence[str]) -> list[int]:
        """Return rows of the greatest cosines, ties to the first."""
        vectors = self._embedder.embed([query, *texts])
        cosine = (vectors[1:] @ vectors[0]).round(6)
        return [int(row) for row in np.argsort(-cosine, kind="stable")[:FOUND]]


def _described(entities: Sequence[Entity]) -> list[Passage]:
    return [Passage(f"{e.name} is {e.description}.", e.source or e.id) for e in entities if e.description]
