"""Numbered migrations, recorded in the graph and safe to run from several processes at once.

A file holds schema statements, each IF NOT EXISTS and ended by `;` at the end of its line. It is recorded after it
ran, in a transaction of its own (Neo4j refuses schema and data in one): a process killed between the two runs it
again, and two processes at once both run it and leave one record. A lock node was rejected, since a killed process
would leave it behind. What migrations do to data runs before their statements, where there may be any (bring_along).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from claimgraph import cypher
from claimgraph.kgstore.engines.unfinished import UNFINISHED
from claimgraph.kgstore.errors import StoreError
from claimgraph.kgstore.store import GraphStore

RENEWED = "0006_schema_names"
"""The migration that has the data of renewal.py."""
RESTARTED = "0007_schema_jobs"
"""The migration that has the data of kgstore/runs/restart.py."""
FOLDED = "0008_schema_folded_names"
"""The migration that has the data of folding.py."""


def migrate(store: GraphStore) -> list[str]:
    """Apply what the store lacks, in order; the names of what was applied. Raises StoreError for a newer store."""
    waiting = pending(store)
    texts = dict(cypher.migrations())
    if is_older(store):
        bring_along(store, waiting)
    for name in waiting:
        _apply(store, name, texts[name])
    if waiting:
        store.settle()
    return waiting


def is_older(store: GraphStore) -> bool:
    """Return whether an older version migrated the store. Raises StoreError for a newer store."""
    return 0 < len(pending(store)) < len(cypher.migrations())


def bring_along(store: GraphStore, missing: Sequence[str]) -> None:
    """Make what an older version stored, without these migrations, what this version stores."""
    if RENEWED in missing:
        from claimgraph.kgstore.engines.renewal import renew

        renew(store)
    if RESTARTED in missing:
        from claimgraph.kgstore.runs.restart import restart

        restart(store)
    if FOLDED in missing:
        from claimgraph.kgstore.engines.folding import fold

        fold(store)


def pending(store: GraphStore) -> list[str]:
    """Return names of the migrations the store lacks, in order. Raises StoreError for a store newer than this
    program.
    """
    applied = {str(row["id"]) for row in store.read("migrations") if not str(row["id"]).startswith(UNFINISHED)}
    known = [name for name, _ in cypher.migrations()]
    if unknown := sorted(applied - set(known)):
        raise StoreError(f"the store was written by a newer claimgraph ({unknown[-1]}); update claimgraph to use it")
    return [name for name in known if name not in applied]


def statements(text: str) -> list[str]:
    """Return the statements of a schema file, without comments."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
    return [statement.strip() for statement in f"{lines}\n".split(";\n") if statement.strip()]


def _apply(store: GraphStore, name: str, text: str) -> None:
    for statement in statements(text):
        store.schema(statement)
    store.write(("put_migrations", [{"id": name, "name": name[5:], "appliedAt": datetime.now(UTC)}]))
