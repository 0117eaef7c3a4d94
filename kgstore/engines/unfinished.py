"""Record in a store that work in many writes has begun, so that half of it is never taken for the whole.

A restore of a large store does not fit one transaction. Loading aside and renaming was rejected: Neo4j's Community
edition has one database. The record lies among the migrations, which are read when a store is opened.
"""

from __future__ import annotations

from datetime import UTC, datetime

from claimgraph.kgstore.errors import StoreError
from claimgraph.kgstore.store import GraphStore

UNFINISHED = "unfinished "
"""Beginning of the id of a record that is no migration: work in many writes that has begun, as a restore is."""


def begin(store: GraphStore, work: str) -> bool:
    """Record that `work` has begun, which refuse_unfinished refuses until it is finished; whether it had begun before.

    Raises StoreError where other work is unfinished.
    """
    begun = unfinished(store)
    if begun not in (None, work):
        raise StoreError(_half(str(begun)))
    store.write(("put_migrations", [{"id": UNFINISHED + work, "name": work, "appliedAt": datetime.now(UTC)}]))
    return begun is not None


def finish(store: GraphStore, work: str) -> None:
    """Record that `work` is finished."""
    store.write(("delete_migrations", [{"id": UNFINISHED + work}]))


def unfinished(store: GraphStore) -> str | None:
    """Return the work that has begun and not finished."""
    found = [str(row["id"]) for row in store.read("migrations") if str(row["id"]).startswith(UNFINISHED)]
    return found[0].removeprefix(UNFINISHED) if found else None


def refuse_unfinished(store: GraphStore) -> None:
    """Raise StoreError, with what to do, for a store that holds half of something."""
    if work := unfinished(store):
        raise StoreError(_half(work))


def _half(work: str) -> str:
    return f"the store holds half of what was to come into it: the {work} was stopped; run the same command again"
