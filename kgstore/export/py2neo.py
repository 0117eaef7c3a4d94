"""A stored graph, or a document with its verdicts, as a py2neo Subgraph, and such a Subgraph back into a store.

For scripts that are written in py2neo: nodes and relationships have the labels, types and properties that the store
has, and `id` as their key, so `py2neo.Graph.merge(subgraph)` writes what `claimgraph dump` and `restore` would. py2neo
is no longer kept (2021.2.4 is its last release): the store's own driver is not built on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.export.stored_records import of_document, of_graph
from claimgraph.kgstore.extras import require
from claimgraph.kgstore.naming import folded_names
from claimgraph.kgstore.upkeep.transfer import NODES, EdgeRecord, NodeRecord, Record, load

if TYPE_CHECKING:
    from py2neo import Node, Subgraph

    from claimgraph.kgstore.store import GraphStore


def graph_to_py2neo(store: GraphStore, graph: str) -> Subgraph:
    """Return a stored graph, by name, with all its facts. Raises NotFound, MissingExtra without py2neo."""
    return _subgraph(of_graph(store, graph))


def document_to_py2neo(store: GraphStore, document: str) -> Subgraph:
    """Return a document, by id, with its claims, the verdicts that hold, and their evidence.

    Raises NotFound, MissingExtra without py2neo.
    """
    return _subgraph(of_document(store, document))


def py2neo_to_store(store: GraphStore, subgraph: Subgraph) -> dict[str, int]:
    """Write nodes and relationships of these functions' kinds, and return how many; a second time changes nothing.

    Raises InputError for a node without an `id` or without a label of this store.
    """
    found = [(_label(node), dict(node)) for node in subgraph.nodes]
    nodes = [NodeRecord(label, known | folded_names(label, known)) for label, known in found]
    edges = [
        EdgeRecord(f"{_label(a)} {type(edge).__name__} {_label(b)}", a["id"], b["id"], dict(edge))
        for edge in subgraph.relationships
        for a, b in [(edge.start_node, edge.end_node)]
    ]
    return load(store, [*nodes, *edges])


def _subgraph(found: Iterable[Record]) -> Subgraph:
    require("py2neo")
    from py2neo import Node, Relationship, Subgraph

    nodes, edges = dict[str, Node](), list[Relationship]()
    for one in found:
        known = {key: _zoned(value) for key, value in one.properties.items() if value is not None}
        if isinstance(one, NodeRecord):
            node = nodes[known["id"]] = Node(*_labels(one), **known)
            node.__primarylabel__, node.__primarykey__ = one.label, "id"
        else:
            edges.append(Relationship(nodes[one.source], one.kind.split(" ")[1], nodes[one.target], **known))
    return Subgraph(nodes.values(), edges)


def _zoned(value: Any) -> Any:
    """py2neo writes the times of a zone with a name only, as pytz has them."""
    from pytz import utc

    return value.astimezone(utc) if isinstance(value, datetime) else value


def _labels(node: NodeRecord) -> list[str]:
    """The label, and a verdict's outcome as one, as the store has it."""
    outcome = node.properties.get("outcome") if node.label == "Verdict" else None
    return [node.label, *(["".join(word.capitalize() for word in outcome.split("_"))] if outcome else [])]


def _label(node: Node) -> str:
    found = next((label for label in NODES if label in node.labels), None)
    if found is None or "id" not in node:
        raise InputError(f"no node of a claimgraph store (label and id): {node!r}"[:200])
    return found
