"""Record what was fetched from a world: how completely, when, and in which state.

One record per entity and part distinguishes absence from ignorance: a missing fact is evidence against a claim only
where the part it would be in is complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from claimgraph.kgstore.identity import fetch_id, scope_version
from claimgraph.kgstore.ingest.ledger import COMPLETE, INCOMPLETE
from claimgraph.kgstore.naming import named
from claimgraph.kgstore.store import GraphStore, Row

SUBJECT, OBJECT, INTRODUCTION = "as subject", "as object", "introduction"
"""The parts of what is fetched of an entity."""
CAPPED = "capped"
"""Status of a hub: the cap of facts was fetched, and no more will be."""
_PARTS = (SUBJECT, OBJECT, INTRODUCTION)


@dataclass(frozen=True, slots=True)
class Fetched:
    """One part of an entity as fetched into a graph."""

    entity: str
    part: str
    status: str
    rows: int
    retrieved_at: datetime
    id: str


def record(graph: str, entity: str, part: str, status: str, members: Iterable[str]) -> Row:
    """Return a row for put_fetched; `members` are ids of the fetched facts, and determine its digest."""
    ids = list(members)
    source = f"{entity} {part}"
    row = {
        "id": fetch_id(source, graph),
        "source": source,
        "target": graph,
        "status": status,
        "rows": len(ids),
        "retrievedAt": datetime.now(UTC),
        "content": scope_version(ids),
    }
    return named("Fetch", row)


def fetched(store: GraphStore, graph: str, entities: Sequence[str], parts: Sequence[str] = _PARTS) -> list[Fetched]:
    """Return the existing records of these entities and parts, by id of the record."""
    ids = [fetch_id(f"{entity} {part}", graph) for entity in entities for part in parts]
    return _read(store.read("fetches_by_id", ids=ids))


def completeness(store: GraphStore, graph: str, entities: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return status by part (SUBJECT, OBJECT, INTRODUCTION) of those of the entities that were fetched, by entity id.

    COMPLETE: everything the world had when it was fetched is here. CAPPED: a hub, so not everything. INCOMPLETE: budget
    or server stopped it. An entity or part that was never fetched is missing.
    """
    found: dict[str, dict[str, str]] = {}
    for one in sorted(fetched(store, graph, entities), key=lambda one: _PARTS.index(one.part)):
        found.setdefault(one.entity, {})[one.part] = one.status
    return found


def any_fetched(store: GraphStore, graph: str) -> bool:
    """Return whether anything was fetched into a graph by entity, so that a missing fact may only be unknown."""
    return bool(store.read("fetched_graph", target=graph, parts=[f" {part}" for part in _PARTS]))


def all_fetched(store: GraphStore, graph: str) -> list[Fetched]:
    """Return all records of entities fetched into a graph, by id; files that were loaded into it are left out."""
    return _read(store.read("fetches_into", target=graph))


def summary(store: GraphStore) -> list[dict[str, Any]]:
    """Return for each world graph: `graph`, `facts`, `entities` fetched, `parts` by part and status, `oldest`,
    `newest`.
    """
    facts = {row["graph"]: row["facts"] for row in store.read("fact_counts")}
    graphs = [row["name"] for row in store.read("graphs") if row["kind"] == "world"]
    return [_about(graph, facts.get(graph, 0), all_fetched(store, graph)) for graph in graphs]


def _about(graph: str, facts: int, records: Sequence[Fetched]) -> dict[str, Any]:
    parts = {part: _counts(one.status for one in records if one.part == part) for part in _PARTS}
    times = sorted(one.retrieved_at for one in records)
    return {
        "graph": graph,
        "facts": facts,
        "entities": len({one.entity for one in records}),
        "parts": {part: counts for part, counts in parts.items() if counts},
        "oldest": times[0] if times else None,
        "newest": times[-1] if times else None,
    }


def _counts(statuses: Iterable[str]) -> Mapping[str, int]:
    found = Counter(statuses)
    return {status: found[status] for status in (COMPLETE, CAPPED, INCOMPLETE) if found[status]}


def _read(rows: Iterable[Row]) -> list[Fetched]:
    found = []
    for row in rows:
        part = next((part for part in _PARTS if row["source"].endswith(f" {part}")), None)
        if part and row["content"]:
            entity = row["source"].removesuffix(f" {part}")
            found.append(Fetched(entity, part, row["status"], row["rows"], row["retrievedAt"], row["id"]))
    return found
