"""Define the narrow read views that linking and retrieval take, over some graphs of a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from claimgraph.kgstore.model import Entity, Fact, Subgraph
from claimgraph.kgstore.naming import same_name, search_query
from claimgraph.kgstore.reads import as_subgraph, entity, fact, with_nodes
from claimgraph.kgstore.store import GraphStore, Relation

_POOL = 200
"""Full-text hits ranked here: scores punish entities with many aliases, so exact matches need not come first."""


class StoreView:
    """An EntityIndex and NeighbourIndex that sees only the named graphs."""

    def __init__(self, store: GraphStore, graphs: tuple[str, ...]) -> None:
        self._store = store
        self._graphs = list(graphs)

    def candidates(self, mention: str, limit: int) -> list[Entity]:
        """Return at most `limit` entities that share words with the mention.

        Entities of that name first (case, accents and punctuation aside), then those with such an alias, then by
        full-text score; ties by id.
        """
        words = search_query(mention)
        if not words:
            return []
        rows = self._store.read("entity_candidates", words=words, graphs=self._graphs, limit=max(_POOL, limit))
        return sorted(map(entity, rows), key=lambda found: _rank(found, same_name(mention)))[:limit]

    def degrees(self, entities: Sequence[str]) -> dict[str, int]:
        """Return the number of facts, of any graph, of each entity of these ids."""
        rows = self._store.read("entity_degrees", ids=sorted(set(entities)))
        return {row["id"]: row["degree"] for row in rows}

    def facts_around(self, entities: Sequence[str], limit: int) -> Subgraph:
        """Return facts with one of the ids as subject or object: at most `limit` an entity and direction, ordered by
        id.
        """
        wanted = {"ids": sorted(set(entities)), "graphs": self._graphs, "limit": limit}
        rows = self._store.read("facts_from", **wanted) + self._store.read("facts_into", **wanted)
        return as_subgraph(self._store, rows)

    def relations(self, entities: Sequence[str], *, away: bool) -> list[Relation]:
        """Return the relations of these entities in one direction, by entity and predicate."""
        query = "relation_counts_from" if away else "relation_counts_into"
        rows = self._store.read(query, ids=sorted(set(entities)), graphs=self._graphs)
        return [Relation(row["entity"], row["predicate"], row["name"], row["facts"]) for row in rows]

    def facts_along(self, wanted: Sequence[tuple[str, Sequence[str]]], *, away: bool, limit: int) -> list[Fact]:
        """Return facts of entities with some predicates in one direction: at most `limit` for each of `wanted`,
        by id.
        """
        query = "facts_from_by_relation" if away else "facts_into_by_relation"
        rows = [{"id": entity, "predicates": list(predicates)} for entity, predicates in wanted]
        return [fact(row) for row in self._store.read(query, wanted=rows, graphs=self._graphs, limit=limit)]

    def facts_joining(self, entities: Sequence[str], others: Sequence[str]) -> list[Fact]:
        """Return facts out of one of `entities` into one of `others`, by id."""
        wanted = {"ids": sorted(set(entities)), "others": sorted(set(others)), "graphs": self._graphs}
        return [fact(row) for row in self._store.read("facts_joining", **wanted)]

    def subgraph(self, facts: Iterable[Fact]) -> Subgraph:
        """Return the facts, each once and by id, with their nodes."""
        return with_nodes(self._store, facts)


def _rank(found: Entity, mention: str) -> int:
    if same_name(found.name) == mention:
        return 0
    return 1 if any(same_name(alias) == mention for alias in found.aliases) else 2
