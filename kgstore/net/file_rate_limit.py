"""Limit the rate of requests to a host for all processes of this machine and user, by a file.

A file a host in the cache folder holds the time of the next free turn; a process takes the turn under a file lock and
sleeps until it comes. So ten workers ask as often as one. A token bucket in memory was rejected: every process would
have its own. A turn that lies more than an hour ahead is taken for a clock that was set back, and ignored. Machines
that share a graph store use rate_limit.py.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Callable
from pathlib import Path
from time import sleep, time

from claimgraph.kgstore.errors import InputError

_LONGEST = 3600.0


class Limiter:
    """Turns at hosts: at most one every `interval` seconds, whoever asks.

    `folder` is made when first needed. Raises InputError where it cannot be written.
    """

    def __init__(self, folder: Path, interval: float) -> None:
        self._folder, self._interval = folder, interval

    def wait(self, host: str, longest: float) -> bool:
        """Sleep until a turn at the host comes; False, at once, where it comes later than in `longest` seconds."""
        now = time()
        start = now

        def take(free: float) -> float:
            nonlocal start
            start = max(now, free)
            return free if start - now > longest else start + self._interval

        self._change(host, take)
        if start - now > longest:
            return False
        sleep(start - now)
        return True

    def hold(self, host: str, seconds: float) -> None:
        """Block all requests to the host for that long."""
        until = time() + min(seconds, _LONGEST)
        self._change(host, lambda free: max(free, until))

    def _change(self, host: str, change: Callable[[float], float]) -> None:
        path = self._folder / re.sub(r"[^\w.-]+", "_", host)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with path.open("a+", encoding="ascii") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.seek(0)
                free = change(_free(file.read()))
                file.truncate(0)
                file.write(repr(free))
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}; set CLAIMGRAPH_CACHE") from error


def _free(text: str) -> float:
    """Return the time in the file; 0, long past, where there is no valid one."""
    try:
        free = float(text)
    except ValueError:
        return 0.0
    return free if free - time() <= _LONGEST else 0.0


class OwnTurns:
    """A rate limit for this object's users alone, without a shared folder: only the pauses that hosts ask for
    are kept.
    """

    def __init__(self) -> None:
        self._free: dict[str, float] = {}

    def wait(self, host: str, longest: float) -> bool:
        """See Limiter."""
        pause = max(0.0, self._free.get(host, 0.0) - time())
        if pause > longest:
            return False
        sleep(pause)
        return True

    def hold(self, host: str, seconds: float) -> None:
        """See Limiter."""
        self._free[host] = max(self._free.get(host, 0.0), time() + min(seconds, _LONGEST))
