"""Recover tasks that brokers lose and killed workers leave behind. Every worker has a sweeper; none coordinates.

A task that is running and unchanged for a lease is abandoned: it is queued again, or parked. One that is queued and
unchanged for half a lease, while nothing waited in its queue, has lost its message: it is sent again. Clock times are
never compared between processes; time in which the store was not seen counts as little, since heartbeats could not be
seen either. Several sweepers do the same twice at worst, which is harmless: only one expiry succeeds, and a surplus
message finds nothing to do. While messages wait in a queue none is added to it, so surplus ones do not pile up, and a
long queue costs a sweep nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import JobStatus, Seen, Task
from claimgraph.workers.tasks.task_table import QUEUES

Depth = Callable[[str], int | None]
"""Returns the number of messages that wait in a queue; None where the broker does not say."""

SHARES = 4
"""Least sweeps in a lease: a longer pause between two sweeps counts as a share of it."""


class Sweeper:
    """Watches the unfinished tasks of a store. `clock` returns seconds and never goes back; `lease` is in seconds."""

    def __init__(self, board: Board, depth: Depth, lease: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._board, self._depth, self._lease, self._clock = board, depth, lease, clock
        self._last = clock()
        self._watched = 0.0
        self._since: dict[Seen, float] = {}

    def sweep(self) -> list[Task]:
        """Expire abandoned tasks, and return the tasks to send. Raises StoreError; then sweep again later."""
        empty = [queue for queue in QUEUES if self._depth(queue) == 0]
        seen = self._board.unfinished(queued=empty)
        now = self._clock()
        self._watched += min(now - self._last, self._lease / SHARES)
        self._last = now
        self._since = {one: self._since.get(one, self._watched) for one in seen}
        lost = self._stale(seen, JobStatus.QUEUED, self._lease / 2)
        self._since |= dict.fromkeys(lost, self._watched)
        return [*self._expired(self._stale(seen, JobStatus.RUNNING, self._lease)), *(one.task for one in lost)]

    def _stale(self, seen: Sequence[Seen], status: JobStatus, seconds: float) -> list[Seen]:
        return [one for one in seen if one.status is status and self._watched - self._since[one] >= seconds]

    def _expired(self, stale: Sequence[Seen]) -> list[Task]:
        error = f"no sign of life from its worker for {self._lease:g} seconds"
        return [task for one in stale if (task := self._board.expire(one, error))]
