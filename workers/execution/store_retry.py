"""Wait for a store that does not answer: its outage is no task's fault, and passes.

Every retried call must be repeatable, as all of the board's are. Waiting ends after a while, since a worker that looks
hung is worse than a task that another resumes later.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from claimgraph.kgstore.errors import StoreConflict, StoreDenied, StoreStopped, StoreUnreachable

OUTAGE = (StoreUnreachable, StoreStopped, StoreConflict, StoreDenied)
"""Errors of a restarting store, which refuses connections, then users, and breaks off running queries; and of one whose
disk is full.
"""


class Overdue(BaseException):
    """Raised in work that takes longer than `seconds`. No Exception, so that no work catches it as its own."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"took longer than {seconds:g} seconds")


_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class StoreRetry:
    """Pauses in seconds: the first, twice as long each time up to `most`, `longest` in all."""

    first: float = 0.25
    most: float = 10.0
    longest: float = 900.0
    sleep: Callable[[float], None] = time.sleep

    def through(self, call: Callable[[], _Answer]) -> _Answer:
        """Return the result of the call as soon as the store answers. Raises its last error after `longest` seconds of
        pauses.
        """
        pause, waited = self.first, 0.0
        while True:
            try:
                return call()
            except OUTAGE:
                if waited >= self.longest:
                    raise
            self.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, self.most)
