"""Write a batch of a load in a thread while the next one is read: reading takes a third of a load's time.

One write at a time, in their order. More at once were rejected: they would lock the same entities.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from claimgraph.kgstore.errors import StoreConflict
from claimgraph.kgstore.store import GraphStore, Step


class WriteBehind:
    """Writes to a store, of which each begins when the one before has ended. A context manager, which ends them."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self._pool = ThreadPoolExecutor(1, "ingest")
        self._last: Future[None] | None = None
        self.conflicts = 0
        """Writes that found something stored that was to be new, and merged all instead."""

    def put(self, steps: Sequence[Step]) -> None:
        """Begin a write. Raises what the one before raised."""
        self.wait()
        self._last = self._pool.submit(self._write, steps)

    def wait(self) -> None:
        """Return when nothing is being written. Raises what the last write raised, once."""
        last, self._last = self._last, None
        if last:
            last.result()

    def _write(self, steps: Sequence[Step]) -> None:
        try:
            self._store.write(*steps)
        except StoreConflict:  # the file has some of it twice, or another load wrote it meanwhile
            self.conflicts += 1
            self._store.write(*((name.replace("put_new_", "put_"), rows) for name, rows in steps))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()
