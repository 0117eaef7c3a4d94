"""What several tests share of export."""

from __future__ import annotations

from typing import Any

from claimgraph.kgstore.store import GraphStore, Row


class Counted:
    """A store that remembers which queries were asked."""

    def __init__(self, store: GraphStore) -> None:
        self.store, self.asked = store, []

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Ask the store."""
        self.asked.append(name)
        return self.store.read(name, **params)
