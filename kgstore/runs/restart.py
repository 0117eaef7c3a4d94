"""Let runs of version 0.1.0 go on: the data of migration 0007, and of dumps from before it.

Its jobs were done by several tasks, each a node with a state of its own. What they had stored stays; a job that is not
over begins again as one task, which finds in the caches what was expensive. Every page may be written twice.
"""

from __future__ import annotations

from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.transfer import pages


def restart(store: GraphStore) -> None:
    """Give jobs a state of their own instead of their tasks'."""
    for page in pages(store, "Job"):
        store.write(("put_restarted", [{"id": row["id"], "task": row["kind"], "queue": "cpu"} for row in page]))
