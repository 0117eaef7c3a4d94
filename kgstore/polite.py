"""Asking public servers politely: who asks, how often, how long, and what to do when they are busy.

Every call waits for its turn, names its operator, ends within the budget, and is tried again after Retry-After or
with exponential back-off and jitter. How a call is made is its caller's: SPARQL and encyclopedias share this loop. A
retry library was rejected: the pauses must be seen by other processes, which is the limiter's business.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import TypeVar
from urllib.parse import urlsplit

from kgstore.errors import InputError, Offline, ServiceError, UsageError
from kgstore.ratelimit import Limiter

_T = TypeVar("_T")

LONGEST_CALL = 65.0
"""Seconds one call may take: Wikidata's and DBpedia's servers give up after 60 and 120."""
_ATTEMPTS = 5
BUSY = frozenset({429, 500, 502, 503, 504})
"""HTTP codes after which the same call may succeed."""
_HEAVY = frozenset({500, 502, 504})


class Again(Exception):
    """A call that may succeed when tried again: after `after` seconds where the server said so.

    `heavy` says that a smaller question may succeed sooner.
    """

    def __init__(self, reason: str, after: float | None = None, *, heavy: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.after, self.heavy = reason, after, heavy


class Unanswered(ServiceError):
    """A server gave no usable answer within attempts and budget. `heavy` as in Again."""

    def __init__(self, host: str, reason: str, *, heavy: bool = False) -> None:
        super().__init__(f"{host}: {reason}")
        self.heavy = heavy


class Budget:
    """What a fetch may take: wall seconds from now on, and rows of answers."""

    def __init__(self, seconds: float, rows: int) -> None:
        self._end, self.rows = monotonic() + seconds, rows

    @property
    def seconds(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self._end - monotonic())

    @property
    def spent(self) -> bool:
        """Whether nothing is left of one of the two."""
        return self.seconds <= 0 or self.rows <= 0


class Polite:
    """The way to the network: one for all calls of a fetch, within its budget.

    `contact` is an e-mail or web address of who operates this; None is an error as soon as the network is needed, and
    so is any call where `offline` is set.
    """

    def __init__(
        self, limiter: Limiter, contact: str | None, budget: Budget, *, offline: bool = False, pause: float = 1.0
    ) -> None:
        """`pause` is the first back-off in seconds; it doubles with every attempt."""
        self._limiter, self._contact, self._offline, self._pause = limiter, contact, offline, pause
        self.budget = budget
        self.requests = 0
        self._random = random.Random()  # jitter must differ between processes: the only unseeded number here

    @property
    def offline(self) -> bool:
        """Whether the network is refused."""
        return self._offline

    @property
    def agent(self) -> str:
        """The User-Agent. Raises Offline, UsageError naming the setting where no operator is set, or InputError."""
        from importlib.metadata import version

        if self._offline:
            raise Offline("the network is refused (--offline or CLAIMGRAPH_OFFLINE)")
        if not self._contact:
            raise UsageError(
                "public servers want to know who asks: set CLAIMGRAPH_CONTACT to your e-mail or web address"
            )
        if not (self._contact.isascii() and self._contact.isprintable()):
            raise InputError("CLAIMGRAPH_CONTACT is sent as it is: plain letters, digits and signs in one line")
        return f"claimgraph/{version('claimgraph')} ({self._contact})"

    def ask(self, url: str, once: Callable[[float], _T], *, divisible: bool = False) -> _T:
        """What `once`, given its seconds, returns; raising Again is its way to be called again.

        `divisible` gives up on heavy calls at the first failure, for the caller to ask for less. Raises Unanswered.
        """
        host = urlsplit(url).netloc
        reason, heavy = "the time budget is spent", False
        for attempt in range(_ATTEMPTS):
            if not self._limiter.wait(host, self.budget.seconds) or self.budget.seconds <= 0:
                raise Unanswered(host, reason if attempt else "the time budget is spent")
            self.requests += 1
            try:
                return once(min(LONGEST_CALL, self.budget.seconds))
            except Again as again:
                reason, heavy = again.reason, again.heavy
                pause = again.after if again.after is not None else self._back_off(attempt)
                self._limiter.hold(host, pause)
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
