"""Names without case on nodes that were stored without them: the data of migration 0008, and of dumps from before it.

Every page may be written twice, so a process killed in between begins again, and two at once agree.
"""

from __future__ import annotations

from claimgraph.kgstore.naming import FOLDED, folded_names
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.transfer import pages


def fold(store: GraphStore) -> None:
    """Give entities and claims the properties by which they are found whatever the case of a name."""
    for label in FOLDED:
        for page in pages(store, label):
            rows = [{"id": row["id"], "label": label, "properties": folded_names(label, row)} for row in page]
            store.write(("load_nodes", rows))
