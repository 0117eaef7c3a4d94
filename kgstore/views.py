"""The narrow read views that linking and retrieval take, over some graphs of a store."""

from __future__ import annotations

from collections.abc import Sequence

from kgstore.model import Entity, Subgraph
from kgstore.reads import as_subgraph, entity
from kgstore.store import GraphStore
from kgstore.words import same_name, search_query

_POOL = 200
"""Full-text hits ranked here: scores punish entities with many aliases, so exact matches need not come first."""


class StoreView:
    """An EntityIndex and Neighbours that see only the named graphs."""

    def __init__(self, store: GraphStore, graphs: tuple[str, ...]) -> None:
        self._store = store
        self._graphs = list(graphs)

    def candidates(self, mention: str, limit: int) -> list[Entity]:
        """At most `limit` entities that share words with the mention.

        Those named so first (case, accents and punctuation aside), then those with such an alias, then by full-text
        score; ties by id.
        """
        words = search_query(mention)
        if not words:
            return []
        rows = self._store.read("entity_candidates", words=words, graphs=self._graphs, limit=max(_POOL, limit))
        return sorted(map(entity, rows), key=lambda found: _rank(found, same_name(mention)))[:limit]

    def degrees(self, entities: Sequence[str]) -> dict[str, int]:
        """In how many facts, of any graph, each entity of these ids stands."""
        rows = self._store.read("entity_degrees", ids=sorted(set(entities)))
        return {row["id"]: row["degree"] for row in rows}

    def joined(self, entities: Sequence[str]) -> list[tuple[str, str]]:
        """Subject and object of the facts that join two of the entities; each pair once, in order."""
        ids = sorted(set(entities))
        rows = self._store.read("entities_joined", ids=ids, others=ids, graphs=self._graphs)
        return [(row["subject"], row["object"]) for row in rows]

    def facts_around(self, entities: Sequence[str], limit: int) -> Subgraph:
        """Facts with one of the ids as subject or object: at most `limit` an entity and direction, ordered by id."""
        wanted = {"ids": sorted(set(entities)), "graphs": self._graphs, "limit": limit}
        rows = self._store.read("facts_from", **wanted) + self._store.read("facts_into", **wanted)
        return as_subgraph(self._store, rows)


def _rank(found: Entity, mention: str) -> int:
    if same_name(found.name) == mention:
        return 0
    return 1 if any(same_name(alias) == mention for alias in found.aliases) else 2
