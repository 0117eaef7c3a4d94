"""A graph of the store under another name, each fact as it was or changed on the way.

Page by page, so that memory does not grow with the graph. Until the last page is written the copy's version says that
it is unfinished. Nodes are shared: an entity stands in both graphs, with its names and descriptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from claimgraph.kgstore.errors import NotFound, UsageError
from claimgraph.kgstore.identity import fact_id
from claimgraph.kgstore.model import Entity, Predicate
from claimgraph.kgstore.reads import PAGE, graph_facts, load_entities
from claimgraph.kgstore.records import entity_row, graph_row, predicate_row
from claimgraph.kgstore.store import GraphStore, Row

RowChange = Callable[[Row], Row | None]
"""A fact's row to that of the copy (subject, predicate, name or object may differ), or None to leave it out."""


def copy_graph(store: GraphStore, graph: str, copy: str, version: str, change: RowChange) -> int:
    """Write the copy and return how many facts it has; changed facts that became equal are one.

    Raises NotFound for an unknown graph, UsageError where there is already a graph of the copy's name.
    """
    names = {row["name"] for row in store.read("graphs")}
    if graph not in names:
        raise NotFound("graph", graph)
    if copy in names:
        raise UsageError(
            f"there is a graph {copy!r} in the store; drop it first (claimgraph graphs drop) or name another"
        )
    store.write(("put_graphs", [graph_row(copy, "world", f"{version} unfinished", datetime.now(UTC))]))
    for page in graph_facts(store, graph):
        _write(store, copy, [row for row in map(change, page) if row])
    store.write(("put_graphs", [graph_row(copy, "world", version, datetime.now(UTC))]))
    return int(store.read("graph_size", graph=copy)[0]["facts"])


def _write(store: GraphStore, copy: str, rows: Iterable[Row]) -> None:
    facts = [row | {"graph": copy, "id": _id(copy, row)} for row in rows]
    ends = sorted({end for fact in facts for end in (fact["subject"], fact["object"])})
    entities = {key for start in range(0, len(ends), PAGE) for key in load_entities(store, ends[start : start + PAGE])}
    put = [entity_row(Entity(key, key, graphs=(copy,)), named=False) | {"searchText": ""} for key in sorted(entities)]
    used = {fact["predicate"]: Predicate(fact["predicate"], fact["name"]) for fact in facts}
    store.write(
        ("put_entities", put),
        ("put_predicates", [predicate_row(one, graph=copy, named=False) for one in used.values()]),
        ("put_facts", [fact for fact in facts if fact["object"] in entities]),
        ("put_literal_facts", [fact for fact in facts if fact["object"] not in entities]),
    )


def _id(graph: str, row: Row) -> str:
    said = (row[key] for key in ("subject", "predicate", "object", "validFrom", "validTo", "qualifiers"))
    return fact_id(graph, *said)
