"""Hold what a process performs tasks with: its store, its models, and their compositions, each made on first use.

One per process, made after the fork, and for one task at a time. A pool of threads over shared models was measured and
rejected: see ARCHITECTURE.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import uuid4

from claimgraph.kgstore.runs.board import ATTEMPTS, Board
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.wiring.models import Models
from claimgraph.wiring.stores import open_store

if TYPE_CHECKING:
    from claimgraph.wiring.asker import Asker
    from claimgraph.wiring.checker import Checker

_KEPT = 4
"""Checkers and askers, with other graphs or extractors, that are kept."""

_Made = TypeVar("_Made")


class WorkerContext:
    """Store, board and models of one process, for any number of tasks. A context manager; leaving it closes the store.

    A store that was given is shared and stays open. `attempts` is the most attempts at a task.
    """

    def __init__(self, settings: Settings, store: GraphStore | None = None, attempts: int = ATTEMPTS) -> None:
        self.settings, self.attempts, self._given = settings, attempts, store
        self.holder = f"{os.getpid()}-{uuid4().hex[:16]}"
        self._cached: dict[Hashable, Any] = {}

    @cached_property
    def store(self) -> GraphStore:
        """The store of the settings, opened and migrated when it is first needed. Raises StoreError."""
        return self._given or open_store(self.settings)

    @cached_property
    def board(self) -> Board:
        """The board of that store."""
        return Board(self.store, self.attempts)

    @cached_property
    def models(self) -> Models:
        """The models of the settings."""
        return Models(self.settings, self.store)

    def checker(self, extractor: str | None = None) -> Checker:
        """Return the checker, with claims read by that extractor, or the settings' own."""
        from claimgraph.wiring.checker import Checker

        return self._kept(
            ("checker", extractor),
            lambda: Checker(self.settings, extractor_name=extractor, store=self.store, models=self.models),
        )

    def asker(self, graphs: Mapping[str, str]) -> Asker:
        """Return the asker of graphs in those versions, by name: another version is exported anew."""
        from claimgraph.wiring.asker import Asker

        return self._kept(
            ("asker", *sorted(graphs.items())),
            lambda: Asker(self.settings, sorted(graphs), exported=True, store=self.store, models=self.models),
        )

    def allow(self, tokens: int | None) -> None:
        """Allow the language model that many more tokens; None is no limit."""
        spending = self.models.spending
        spending.limit = None if tokens is None else spending.tokens + tokens

    def _kept(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Return the object of that key; the least recently used one is dropped."""
        found: _Made = self._cached.pop(key) if key in self._cached else make()
        self._cached[key] = found
        while len(self._cached) > _KEPT:
            del self._cached[next(iter(self._cached))]
        return found

    def close(self) -> None:
        """Close the store that was opened here. Calling it twice is fine."""
        if self._given is None and (opened := self.__dict__.get("store")):
            opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
