"""Limit the rate of requests to a host for all who share a graph store: workers on any number of machines.

A node a host holds the time of the next free turn, and a turn is taken in one write under the node's lock, so a hundred
workers ask as often as one. The time is the store's own: workers whose clocks differ wait alike, and a clock that goes
back costs at most the hour that a turn may lie ahead. A queue's per-worker rate limit was rejected, since it multiplies
with the workers, and so was a lock held while asking, which dies with its holder.
"""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

from claimgraph.kgstore.store import GraphStore

_LONGEST = 3600.0
_NEVER = -1


class StoreTurns:
    """A rate limit per host: at most one turn every `interval` seconds for all users of the store. Implements
    retries.Turns.

    A turn costs one write to the store, and raises what that raises. `sleep` waits for a turn.
    """

    def __init__(self, store: GraphStore, interval: float, sleep: Callable[[float], object] = sleep) -> None:
        self._store, self._interval, self._sleep = store, _milliseconds(interval), sleep

    def wait(self, host: str, longest: float) -> bool:
        """Sleep until a turn at the host comes; False, at once, where it comes later than in `longest` seconds."""
        limit = _milliseconds(min(longest, _LONGEST))
        delay = self._put(host, longest=limit, interval=self._interval, pause=0)
        if delay > limit:
            return False
        self._sleep(delay / 1000)
        return True

    def hold(self, host: str, seconds: float) -> None:
        """Block all requests to the host for that long, an hour at most."""
        self._put(host, longest=_NEVER, interval=0, pause=_milliseconds(min(seconds, _LONGEST)))

    def _put(self, host: str, **asked: int) -> int:
        [row] = self._store.write(("put_turns", [{"id": host, **asked}]))
        return int(row["delay"])


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
