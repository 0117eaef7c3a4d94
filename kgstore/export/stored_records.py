"""Select what belongs together in a store, as the records of a dump: a graph, or a document with its verdicts.

A record has the label and properties that the store has, so whatever is made of it can be loaded again as it was
(upkeep/transfer.py). A dump of the whole store, cut down, was rejected: it reads everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from claimgraph.kgstore import reads
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.kgstore.upkeep.transfer import NODES, EdgeRecord, NodeRecord, Record, edge_record

_INVENTED = frozenset({"title", "type"})
"""Properties that kglite adds to every node."""


def of_graph(store: GraphStore, graph: str) -> list[Record]:
    """Return the nodes of a stored graph by id, then its facts by id. Raises NotFound for a graph without facts."""
    rows = list(chain.from_iterable(reads.graph_facts(store, graph)))
    if not rows:
        raise NotFound("graph", graph)
    nodes = {node.properties["id"]: node for node in _nodes(store, {row[end] for row in rows for end in _ENDS})}
    return [*nodes.values(), *(_fact(row, nodes) for row in rows)]


def of_document(store: GraphStore, document: str) -> list[Record]:
    """Return a document, its claims, the verdicts that hold, and all that these rest on: nodes by id, then edges.

    With them come the runs, the evidence with the texts it stands in, and the entities and values the claims speak of.
    Raises NotFound for an unknown document.
    """
    if reads.load_document(store, document) is None:
        raise NotFound("document", document)
    claims = [claim.id for claim in reads.load_claims(store, document)]
    verdicts = [verdict.id for verdict in reads.load_verdicts(store, claims)]
    edges = _edges(store, [*claims, *verdicts])
    edges += _edges(store, sorted({edge.target for edge in edges} - {*claims, *verdicts}))
    edges = [edge for edge in edges if edge.kind != "Verdict SUPERSEDES Verdict"]
    ids = {document, *claims, *verdicts, *(end for edge in edges for end in (edge.source, edge.target))}
    return [*_nodes(store, ids), *edges]


_ENDS = ("subject", "object")


def _nodes(store: GraphStore, ids: Iterable[str]) -> Iterator[NodeRecord]:
    for row in store.read("nodes_by_id", ids=sorted(ids)):
        label = next(label for label in row["labels"] if label in NODES)
        yield NodeRecord(label, {key: value for key, value in row["properties"] if key not in _INVENTED})


def _edges(store: GraphStore, ids: list[str]) -> list[EdgeRecord]:
    nodes = {node.properties["id"]: node.label for node in _nodes(store, ids)}
    rows = store.read("dump_edges", ids=[key for key in ids if nodes.get(key) in _LEAVING])
    return [edge_record(nodes[row["leaving"]], row) for row in rows]


_LEAVING = frozenset({"Claim", "Verdict", "Evidence", "Run"})
"""Labels whose edges are followed: a world graph's facts and a text's other graphs are not the document's."""


def _fact(row: Row, nodes: dict[str, NodeRecord]) -> EdgeRecord:
    source, target = row["subject"], row["object"]
    known = {key: value for key, value in row.items() if value is not None and key not in _ENDS}
    return EdgeRecord(f"{nodes[source].label} FACT {nodes[target].label}", source, target, known)
