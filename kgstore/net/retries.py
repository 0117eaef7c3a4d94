"""Retry calls of servers while that may help: after Retry-After, or exponential back-off with jitter.

A call that may succeed later raises Again; the pause then holds for all who share the limiter. The caller makes the
call and bounds its cost: public servers (http_budget.py) and language models share this loop. A retry library was
rejected: the pauses must be seen by other processes, through the limiter.
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
    """A rate limit: rate_limit.StoreTurns, file_rate_limit.Limiter, or file_rate_limit.OwnTurns."""

    def wait(self, host: str, longest: float) -> bool:
        """Sleep until a turn at the host comes; False, at once, where it comes later than in `longest` seconds."""
        ...

    def hold(self, host: str, seconds: float) -> None:
        """Block all requests to the host for that long."""
        ...


class Again(Exception):
    """Raised by a call that may succeed when repeated: after `after` seconds where the server said so.

    `heavy` says that a smaller request may succeed sooner.
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
    """A limit in wall seconds from now on."""

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
        """Return the result of `once`, given its seconds; it raises Again to be called again.

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
    """Return the error for an HTTP code, with the first of the server's message: Again where a retry may help, else a
    ServiceError.
    """
    told = "" if text.lstrip().startswith("<") else " ".join(text.split("\n\n")[0].split())[:200]
    said = f"HTTP {code}" + (f": {told}" if told else "")
    return Again(said, seconds_until(retry_after), heavy=code in _HEAVY) if code in BUSY else ServiceError(said)


def seconds_until(retry_after: str | None) -> float | None:
    """Return the pause of a Retry-After header: seconds, or an HTTP date; None where it is not readable."""
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
