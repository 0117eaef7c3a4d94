"""The engines found: the embedded one always, Neo4j where the environment says it runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from neo4j import Session

from claimgraph.kgstore.engines.bolt import BoltStore, connect
from claimgraph.kgstore.engines.embedded import EmbeddedStore, open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.errors import StoreError

NEO4J = {"neo4j": "NEO4J_URI", "neo4j-current": "CLAIMGRAPH_TEST_NEO4J_CURRENT_URI"}
"""Name of an engine to the variable that holds its address; the current line is tried only where it is set."""

ENGINES = ["embedded", "neo4j", *(["neo4j-current"] if os.environ.get(NEO4J["neo4j-current"]) else [])]

_WIPE = "MATCH (n) WHERE NOT n:Migration CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"


def open_neo4j(engine: str) -> BoltStore:
    """A connection to the engine of that name; without an address, a skip, or a failure under CI."""
    uri = os.environ.get(NEO4J[engine])
    if not uri:
        assert not os.environ.get("CI"), f"{NEO4J[engine]} is not set"
        pytest.skip(f"{NEO4J[engine]} is not set: start a Neo4j with scripts/services")
    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
    return connect(uri, user, password, os.environ.get("NEO4J_DATABASE", "neo4j"))


def wipe(store: BoltStore) -> None:
    """Delete all data but the record of migrations, since making indexes anew takes seconds a test."""
    with closing(store._driver.session(database=store._database)) as session:
        session.run(_WIPE).consume()


def open_clean(engine: str, folder: Path) -> BoltStore | EmbeddedStore:
    """A migrated store without data."""
    if engine == "embedded":
        store: BoltStore | EmbeddedStore = open_embedded(folder / "store")
    else:
        store = open_neo4j(engine)
        wipe(store)
    migrate(store)
    return store


@contextmanager
def bare_neo4j() -> Iterator[Session]:
    """A session of the driver on the suite's Neo4j, without data."""
    with open_neo4j("neo4j") as store, store._driver.session(database=store._database) as session:
        wipe(store)
        yield session
        wipe(store)


def describe() -> str:
    """The engines with their versions, for the report."""
    import kglite

    found = [f"kglite {kglite.__version__}"]
    for engine, variable in NEO4J.items():
        if os.environ.get(variable):
            try:
                with open_neo4j(engine) as store:
                    found.append(f"Neo4j {store.info().version}")
            except StoreError as error:
                found.append(f"no {engine} ({error})")
        else:
            found.append(f"no {engine} ({variable} is not set)")
    return ", ".join(found)
