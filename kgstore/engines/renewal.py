"""What version 0.1.0 stored, made what this version stores: the data of migration 0006, and of dumps from before it.

Page by page through all of each label rather than one statement for all, since a transaction must fit the server's
memory. Every page may be written twice, so a process killed in between begins again, and two at once agree.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from claimgraph.kgstore.model import Predicate
from claimgraph.kgstore.naming import LABELS, LONGEST_NAME, named, quoted, relation_name
from claimgraph.kgstore.records import against_rows, predicate_row
from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.kgstore.upkeep.transfer import pages

_PAGE = 1_000


def renew(store: GraphStore) -> None:
    """Name what had no name, join what was named by an id, and make verdicts' Signal nodes their properties."""
    _shorten_names(store)
    for page in pages(store, "Document"):
        store.write(("put_documents", [row | {"caption": quoted(row["text"])} for row in page]))
    for label in LABELS:
        for page in pages(store, label):
            store.write(("load_nodes", [_naming(label, row) for row in page]))
    for page in pages(store, "Verdict"):
        store.write(("put_renewed", _renewed(store, [row["id"] for row in page])))
    _join(store)


def _shorten_names(store: GraphStore) -> None:
    """Neo4j indexes no very long value."""
    while rows := store.read("long_names", longest=LONGEST_NAME, limit=_PAGE):
        cut = [{"id": row["id"], "name": row["name"][:LONGEST_NAME]} for row in rows]
        store.write(("load_nodes", [{"id": row["id"], "label": "Entity", "properties": row} for row in cut]))


def _naming(label: str, row: Row) -> Row:
    return {"id": row["id"], "label": label, "properties": {"name": named(label, row)["name"]}}


def _renewed(store: GraphStore, ids: list[str]) -> list[Row]:
    signals: dict[str, dict[str, Any]] = defaultdict(dict)
    for row in store.read("old_verdicts", ids=ids):
        signals[row["id"]] |= {f"{row['method']}_{row['name']}": row["value"]} if row["value"] is not None else {}
    return [{"id": key, "signals": found} for key, found in signals.items()]


def _join(store: GraphStore) -> None:
    """Evidence, graphs and fetches to what they are of, runs to what they were given, predicates to their graphs."""
    for page in pages(store, "Evidence"):
        store.write(("put_evidence", page))
    for page in pages(store, "Graph"):
        store.write(("put_graphs", [row | {"document": f"d1:{row['name'].partition(':')[2]}"} for row in page]))
        for name in (row["name"] for row in page if row["kind"] == "world"):
            used = [row["predicate"] for row in store.read("functionality", graphs=[name])]
            rows = [predicate_row(Predicate(key, relation_name(key)), graph=name, named=False) for key in used]
            store.write(("put_predicates", rows))
    for page in pages(store, "Fetch"):
        store.write(("put_fetched", page))
    for page in pages(store, "Run"):
        store.write(("put_against", [one for row in page for one in against_rows(row["id"], row["config"])]))
    for page in pages(store, "Predicate"):
        store.write(("delete_unused_predicates", [{"id": row["id"]} for row in page]))
