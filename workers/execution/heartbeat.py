"""Send a task's heartbeat: a thread that records, every few seconds, that the task is being worked on."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from types import TracebackType
from typing import Self

from claimgraph.kgstore.errors import StoreError
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import TaskLease

_IN_A_LEASE = 6
"""Heartbeats in a lease: after this many missing ones a task counts as abandoned."""
_MOST = 5.0
_JOINED = 10.0


class Heartbeat:
    """A context manager that sends heartbeats, often enough for a lease of so many seconds.

    `lost` says that another process has taken the task. A store that does not answer is asked again at the next beat.
    """

    def __init__(self, board: Board, claimed: TaskLease, lease: float) -> None:
        self._board, self._claimed, self._every = board, claimed, min(_MOST, lease / _IN_A_LEASE)
        self._over, self._lost = Event(), Event()
        self._thread = Thread(target=self._beat, name=f"beat of {claimed.job.id}", daemon=True)

    @property
    def lost(self) -> bool:
        """Whether a heartbeat found that another process has taken the task."""
        return self._lost.is_set()

    def _beat(self) -> None:
        while not self._over.wait(self._every):
            with suppress(StoreError):
                if not self._board.beat(self._claimed):
                    self._lost.set()
                    return

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join(_JOINED)
