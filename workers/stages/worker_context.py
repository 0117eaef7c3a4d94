"""Hold what a process performs tasks with: its store, its models, and their compositions, each made on first use.

One per process, made after the fork. Threads share the store and the weights of models; the language model's account is
each thread's own, since a task reports what it has spent. A pool of everything was rejected: a store is one connection
pool already, and a second copy of the weights is what threads are there to save.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from threading import RLock, local
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
"""Objects of each kind, with other graphs or extractors, that a thread keeps."""

_Made = TypeVar("_Made")


class WorkerContext:
    """Store, board and models of one process, for any number of tasks. A context manager; leaving it closes the store.

    A store that was given is shared and stays open. `attempts` is the most attempts at a task; `weights` makes the
    models that the threads of the process share.
    """

    def __init__(
        self,
        settings: Settings,
        store: GraphStore | None = None,
        attempts: int = ATTEMPTS,
        weights: Callable[[Settings, GraphStore], Models] = Models,
    ) -> None:
        self.settings, self.attempts = settings, attempts
        self.holder = f"{os.getpid()}-{uuid4().hex[:16]}"
        self._given, self._opened = store, store
        self._lock, self._mine = RLock(), local()
        self._make_weights = weights
        self._weights: Models | None = None

    @property
    def store(self) -> GraphStore:
        """The store of the settings, opened and migrated by the first thread that needs it. Raises StoreError."""
        with self._lock:
            if self._opened is None:
                self._opened = open_store(self.settings)
            return self._opened

    @property
    def board(self) -> Board:
        """The board of that store."""
        return self._kept("board", None, lambda: Board(self.store, self.attempts))

    @property
    def models(self) -> Models:
        """This thread's language model and account, over the shared weights."""
        with self._lock:
            if self._weights is None:
                self._weights = self._make_weights(self.settings, self.store)
        return self._kept("models", None, lambda: Models(self.settings, self.store, weights=self._weights))

    def checker(self, extractor: str | None = None) -> Checker:
        """Return the checker, with claims read by that extractor, or the settings' own."""
        from claimgraph.wiring.checker import Checker

        return self._kept(
            "checker",
            extractor,
            lambda: Checker(self.settings, extractor_name=extractor, store=self.store, models=self.models),
        )

    def asker(self, graphs: Mapping[str, str]) -> Asker:
        """Return the asker of graphs in those versions, by name: another version is exported anew."""
        from claimgraph.wiring.asker import Asker

        return self._kept(
            "asker",
            tuple(sorted(graphs.items())),
            lambda: Asker(self.settings, sorted(graphs), exported=True, store=self.store, models=self.models),
        )

    def allow(self, tokens: int | None) -> None:
        """Allow this thread's language model that many more tokens; None is no limit."""
        spending = self.models.spending
        spending.limit = None if tokens is None else spending.tokens + tokens

    def _kept(self, kind: str, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Return this thread's object of that kind and key; the least recently used one is dropped."""
        kept: dict[Hashable, Any] = self._mine.__dict__.setdefault(kind, {})
        found: _Made = kept.pop(key) if key in kept else make()
        kept[key] = found
        while len(kept) > _KEPT:
            del kept[next(iter(kept))]
        return found

    def close(self) -> None:
        """Close the store that was opened here. Calling it twice is fine."""
        with self._lock:
            if self._opened is not None and self._given is None:
                self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
