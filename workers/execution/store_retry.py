"""Waiting for a store that does not answer: its outage is no task's fault, and passes.

Every call that is waited for may be made again, as all of the board's may. Waiting ends after a while, since a worker
that nobody can tell from a hung one is worse than a task that another takes up later.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from claimgraph.kgstore.errors import StoreConflict, StoreDenied, StoreUnreachable

OUTAGE = (StoreUnreachable, StoreConflict, StoreDenied)
"""A store that restarts refuses connections, then users, and breaks off what it was doing."""


class Overdue(BaseException):
    """Raised into a stage that takes longer than `seconds`. No Exception, so that no stage takes it for its own."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"took longer than {seconds:g} seconds")


_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Patience:
    """Pauses in seconds: the first, twice as long each time up to `most`, `longest` in all."""

    first: float = 0.25
    most: float = 10.0
    longest: float = 900.0
    sleep: Callable[[float], None] = time.sleep

    def through(self, call: Callable[[], _Answer]) -> _Answer:
        """What the call returns as soon as the store answers. Raises its last error when patience has run out."""
        pause, waited = self.first, 0.0
        while True:
            try:
                return call()
            except OUTAGE:
                if waited >= self.longest:
                    raise
            self.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, self.most)
