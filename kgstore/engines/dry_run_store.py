"""Read a store without writing it, for a dry run of a command.

A copy to write into was rejected: it would cost a copy of the whole store to throw away.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from claimgraph.kgstore.store import DEFAULT_LIMITS, GraphStore, QueryLimits, Row, Step, StoreInfo, Table


class DryRunStore:
    """A GraphStore that passes reads on to another and drops writes; closing it closes the other."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def info(self) -> StoreInfo:
        """Return the other store's engine, version and address."""
        return self._store.info()

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Return rows of the named read query."""
        return self._store.read(name, **params)

    def write(self, *steps: Step) -> list[Row]:  # noqa: ARG002
        """Do nothing; return no rows."""
        return []

    def schema(self, statement: str) -> None:
        """Do nothing."""

    def settle(self) -> None:
        """Do nothing: nothing was written that needs an index."""

    def query(self, text: str, params: Mapping[str, Any], limits: QueryLimits = DEFAULT_LIMITS) -> Table:
        """Return the other store's answer to a user's query."""
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
