"""A store that is read and not written: what a rehearsal of a command works on.

A copy to write into was rejected: it would cost a copy of the whole store to throw away.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from claimgraph.kgstore.store import DEFAULT_LIMITS, GraphStore, Limits, Row, Step, StoreInfo, Table


class Unwritten:
    """A GraphStore that passes reads on to another and drops what is written; closing it closes the other."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def info(self) -> StoreInfo:
        """What the other store is."""
        return self._store.info()

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Return rows of the named read query."""
        return self._store.read(name, **params)

    def write(self, *steps: Step) -> list[Row]:  # noqa: ARG002
        """Nothing: no rows, and no change."""
        return []

    def schema(self, statement: str) -> None:
        """Nothing."""

    def settle(self) -> None:
        """Nothing: what was not written needs no index."""

    def query(self, text: str, params: Mapping[str, Any], limits: Limits = DEFAULT_LIMITS) -> Table:
        """Return a user's query, as the other store answers it."""
        return self._store.query(text, params, limits)

    def close(self) -> None:
        """Close the other store."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
