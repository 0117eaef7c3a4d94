"""A stored graph and a document's verdicts as py2neo's Subgraph, and back, without a loss."""

from __future__ import annotations

import os
from pathlib import Path

import py2neo
import pytest
from filled import WORLD, fill

from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.export.py2neo import document_to_py2neo, graph_to_py2neo, py2neo_to_store
from claimgraph.kgstore.reads import current_verdicts, load_claims, load_documents, load_graph, load_verdicts
from claimgraph.kgstore.store import GraphStore


@pytest.fixture
def filled(store: GraphStore) -> GraphStore:
    """A store of either engine with a graph and a checked document."""
    fill(store)
    return store


@pytest.fixture
def empty(tmp_path: Path) -> GraphStore:
    """An embedded store with nothing in it."""
    with open_embedded(tmp_path / "empty") as store:
        migrate(store)
        yield store


def test_a_graph_there_and_back(filled: GraphStore, empty: GraphStore) -> None:
    """A graph's nodes and facts are the same after py2neo, and writing them again changes nothing."""
    subgraph = graph_to_py2neo(filled, WORLD)
    stored = load_graph(filled, WORLD)
    assert {node["id"] for node in subgraph.nodes} == set(stored.nodes)
    assert {"FACT"} == {type(edge).__name__ for edge in subgraph.relationships}
    assert {"nodes": len(stored.nodes), "relationships": len(stored.facts)} == py2neo_to_store(empty, subgraph)
    assert stored == load_graph(empty, WORLD)
    py2neo_to_store(empty, subgraph)
    assert stored == load_graph(empty, WORLD)


def test_verdicts_there_and_back(filled: GraphStore, empty: GraphStore) -> None:
    """A document's claims and the verdicts that hold, with citations and signals, are the same after py2neo."""
    document = next(iter(load_documents(filled, [_document(filled)])))
    py2neo_to_store(empty, document_to_py2neo(filled, document))
    claims = load_claims(filled, document)
    assert claims
    assert claims == load_claims(empty, document)
    verdicts = load_verdicts(filled, [claim.id for claim in claims])
    assert any(verdict.citations and verdict.signals for verdict in verdicts)
    assert verdicts == load_verdicts(empty, [claim.id for claim in claims])


def test_what_is_not_there(embedded: GraphStore) -> None:
    """A graph or document that is not there is an error, and not an empty Subgraph."""
    with pytest.raises(NotFound):
        graph_to_py2neo(embedded, "nowhere")
    with pytest.raises(NotFound):
        document_to_py2neo(embedded, "d1:nothing")


def test_foreign_nodes(embedded: GraphStore) -> None:
    """A node of another program's graph is refused by name."""
    with pytest.raises(InputError, match="Person"):
        py2neo_to_store(embedded, py2neo.Subgraph([py2neo.Node("Person", name="Ann")]))


def test_py2neo_writes_and_reads_it(neo4j_store: GraphStore, empty: GraphStore) -> None:
    """py2neo itself writes a Subgraph to Neo4j as we would: our reader finds the same graph and verdicts."""
    fill(empty)
    graph = py2neo.Graph(os.environ["NEO4J_URI"], auth=(os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]))
    document = _document(empty)
    for subgraph in (graph_to_py2neo(empty, WORLD), document_to_py2neo(empty, document)):
        graph.merge(subgraph)
    graph.service.connector.close()
    assert load_graph(empty, WORLD) == load_graph(neo4j_store, WORLD)
    claims = load_claims(empty, document)
    assert claims == load_claims(neo4j_store, document)
    ids = [claim.id for claim in claims]
    assert load_verdicts(empty, ids) == load_verdicts(neo4j_store, ids)


def _document(store: GraphStore) -> str:
    [row, *_] = current_verdicts(store)
    return str(row["document"])
