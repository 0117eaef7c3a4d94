"""Calls of servers, made again while that may help: after Retry-After, or exponential back-off with jitter.

A call that may succeed later raises Again; the pause is then kept by all who share the limiter. How a call is made and
what it may cost are its caller's: public servers (polite.py) and language models share this loop. A retry library was
rejected: the pauses must be seen by other processes, which is the limiter's business.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Protocol, TypeVar

from claimgraph.kgstore.errors import ServiceError

_T = TypeVar("_T")

_ATTEMPTS = 5
BUSY = frozenset({429, 500, 502, 503, 504})
"""HTTP codes after which the same call may succeed."""
_HEAVY = frozenset({500, 502, 504})


class Turns(Protocol):
    """Who may ask when: turns.StoreTurns, ratelimit.Limiter, or ratelimit.OwnTurns."""

    def wait(self, host: str, longest: float) -> bool:
        """Sleep until a turn at the host comes; False, at once, where it comes later than in `longest` seconds."""
        ...

    def hold(self, host: str, seconds: float) -> None:
        """Give nobody a turn at the host for that long."""
        ...


class Again(Exception):
    """A call that may succeed when tried again: after `after` seconds where the server said so.

    `heavy` says that a smaller question may succeed sooner.
    """

    def __init__(self, reason: str, after: float | None = None, *, heavy: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.after, self.heavy = reason, after, heavy


class Unanswered(ServiceError):
    """A server gave no usable answer within attempts and time. `heavy` as in Again."""

    def __init__(self, host: str, reason: str, *, heavy: bool = False) -> None:
        super().__init__(f"{host}: {reason}")
        self.reason, self.heavy = reason, heavy


class Deadline:
    """Wall seconds that something may take from now on."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    @property
    def seconds(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self._end - monotonic())


class Retries:
    """The loop of attempts. A call gets at most `longest` seconds; `pause` is the first back-off, doubled each time."""

    def __init__(self, turns: Turns, longest: float, pause: float = 1.0) -> None:
        self._turns, self._longest, self._pause = turns, longest, pause
        self._random = random.Random()  # jitter must differ between processes: the only unseeded number here

    def ask(self, host: str, once: Callable[[float], _T], deadline: Deadline, *, divisible: bool = False) -> _T:
        """What `once`, given its seconds, returns; raising Again is its way to be called again.

        `divisible` gives up on heavy calls at the first failure, for the caller to ask for less. Raises Unanswered.
        """
        reason, heavy = "a pause it asked for is longer than the time left", False
        for attempt in range(_ATTEMPTS):
            if not self._turns.wait(host, deadline.seconds):
                raise Unanswered(host, reason)
            if deadline.seconds <= 0:
                raise Unanswered(host, reason if attempt else "the time budget is spent")
            try:
                return once(min(self._longest, deadline.seconds))
            except Again as again:
                reason, heavy = again.reason, again.heavy
                pause = again.after if again.after is not None else self._back_off(attempt)
                self._turns.hold(host, pause)
            if heavy and divisible:
                break
        raise Unanswered(host, reason, heavy=heavy)

    def _back_off(self, attempt: int) -> float:
        return self._pause * float(2**attempt) * self._random.uniform(0.5, 1.0)


def refused(code: int, retry_after: str | None, text: str = "") -> Exception:
    """The error for an HTTP code: Again where trying again may help, else a ServiceError with what the server says."""
    if code in BUSY:
        return Again(f"HTTP {code}", seconds_until(retry_after), heavy=code in _HEAVY)
    said = " ".join(text.split())[:200]
    return ServiceError(f"HTTP {code}" + (f": {said}" if said else ""))


def seconds_until(retry_after: str | None) -> float | None:
    """What a Retry-After header asks for: seconds, or an HTTP date; None where it says nothing readable."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
