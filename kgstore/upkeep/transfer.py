"""A whole store as a stream of records, and back: what backup, restore and copy between engines are made of.

Nodes come first, label by label in the order of their ids, then relationships by the ids of what they leave, so two
stores that hold the same give the same stream. Memory stays within a page. What the store holds and this table does
not name is an error rather than a gap in somebody's backup. `neo4j-admin dump` and kglite's own files were rejected:
neither engine reads the other's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from claimgraph.kgstore.engines.unfinished import begin, finish, unfinished
from claimgraph.kgstore.errors import StoreError, UsageError
from claimgraph.kgstore.store import GraphStore, Row

NODES = {
    "Document": "dump_documents",
    "Entity": "dump_entities",
    "Literal": "dump_literals",
    "Predicate": "dump_predicates",
    "Graph": "dump_graphs",
    "Fetch": "dump_fetches",
    "Run": "dump_runs",
    "Claim": "dump_claims",
    "Evidence": "dump_evidence",
    "Verdict": "dump_verdicts",
    "Correction": "dump_corrections",
    "Answer": "dump_answers",
    "Completion": "dump_completions",
    "Batch": "dump_batches",
    "Job": "dump_jobs",
}
"""Label to the query that pages through its nodes, in the order they are written."""

_LEAVING = ("Document", "Graph", "Fetch", "Run", "Claim", "Evidence", "Verdict", "Correction", "Answer", "Job")

EDGES = {"Entity": "dump_edges_of_entities"} | dict.fromkeys(_LEAVING, "dump_edges")
"""Label to the query that reads everything that leaves its nodes."""

_OF_THIS_STORE = frozenset({"Migration", "Turn"})
"""Labels of what says something about this store and this moment only."""

_PAGE = 1_000
_BATCH = 5_000
_ENDS = frozenset({"leaving", "kind", "label", "reached"})


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """A node: its label and all its properties, unknown ones as None."""

    label: str
    properties: Row

    @property
    def row(self) -> Row:
        """As load_nodes takes it."""
        return {"id": self.properties["id"], "label": self.label, "properties": self.properties}


@dataclass(frozen=True, slots=True)
class EdgeRecord:
    """A relationship: `kind` is "Claim IN Document", the ends are ids, properties are those that are known."""

    kind: str
    source: str
    target: str
    properties: Row

    @property
    def row(self) -> Row:
        """As load_relationships takes it; its id orders writers, as everywhere."""
        ends = {"source": self.source, "target": self.target, "kind": self.kind}
        return {"id": f"{self.source} {self.target}", "properties": self.properties, **ends}


Record = NodeRecord | EdgeRecord


def records(store: GraphStore) -> Iterator[Record]:
    """Yield everything in the store but what is of this store only. Raises StoreError for labels it does not know.

    Not a snapshot on Neo4j: what is written meanwhile may be half in it.
    """
    if unknown := counts(store).keys() - NODES.keys():
        raise StoreError(f"the store holds {', '.join(sorted(unknown))}, which this version cannot carry over")
    for label in NODES:
        for page in pages(store, label):
            yield from (NodeRecord(label, row) for row in page)
    for label, query in EDGES.items():
        for page in pages(store, label):
            rows = store.read(query, ids=[row["id"] for row in page])
            yield from sorted((edge_record(label, row) for row in rows), key=_order)


def load_whole(store: GraphStore, stream: Iterable[Record], work: str) -> dict[str, int]:
    """Load records, until the last of which the store is recorded as holding half of them, and is used for nothing but
    the same `work` again.
    """
    begin(store, work)
    loaded = load(store, stream)
    finish(store, work)
    return loaded


def load(store: GraphStore, stream: Iterable[Record]) -> dict[str, int]:
    """Write records, nodes before relationships, and return how many of each type; a second time changes nothing."""
    loaded = {"nodes": 0, "relationships": 0}
    for kind, members in groupby(stream, type):
        name = "nodes" if kind is NodeRecord else "relationships"
        while batch := [record.row for record in islice(members, _BATCH)]:
            store.write((f"load_{name}", batch))
            loaded[name] += len(batch)
    store.settle()
    return loaded


def copy(source: GraphStore, target: GraphStore) -> dict[str, int]:
    """Write all of `source` into the empty `target`, and return how much. Raises UsageError where it is not empty."""
    work = f"copy from {source.info().address}"
    if unfinished(target) != work:
        refuse_filled(target)
    return load_whole(target, records(source), work)


def counts(store: GraphStore) -> dict[str, int]:
    """Return nodes by label, in the order of the labels, without the record of migrations and the turns at public
    servers.
    """
    return {row["label"]: row["nodes"] for row in store.read("label_counts") if row["label"] not in _OF_THIS_STORE}


def refuse_filled(store: GraphStore) -> None:
    """Raises UsageError with what is there, unless the store is empty."""
    if found := counts(store):
        held = ", ".join(f"{count} {label}" for label, count in found.items())
        raise UsageError(f"{store.info().address} is not empty ({held}); give an empty store")


def pages(store: GraphStore, label: str) -> Iterator[list[Row]]:
    """Yield the properties of all nodes of a label, by id; a page at a time, and what is written meanwhile as it
    comes.
    """
    after = ""
    while page := store.read(NODES[label], after=after, limit=_PAGE):
        yield [row | dict(sorted(row.pop("signals", ()))) for row in page]
        after = page[-1]["id"]


def edge_record(label: str, row: Row) -> EdgeRecord:
    """Return the relationship of a row of EDGES' queries, which leaves a node of that label."""
    known = {key: value for key, value in row.items() if value is not None and key not in _ENDS}
    return EdgeRecord(f"{label} {row['kind']} {row['label']}", row["leaving"], row["reached"], known)


def _order(edge: EdgeRecord) -> tuple[Any, ...]:
    return edge.source, edge.kind, edge.target, edge.properties.get("id", ""), edge.properties.get("role", "")
