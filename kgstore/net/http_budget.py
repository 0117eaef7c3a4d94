"""Call public servers politely: with a contact, a rate limit and a time limit.

Every call waits for its turn, names its operator, ends within the budget, and is retried as in retries.py. The caller
makes the call itself: SPARQL and encyclopedias share this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from claimgraph.kgstore.errors import InputError, Offline, UsageError
from claimgraph.kgstore.net.retries import Deadline, Retries, Turns

_T = TypeVar("_T")

LONGEST_CALL = 65.0
"""Seconds one call may take: Wikidata's and DBpedia's servers give up after 60 and 120."""


class FetchBudget(Deadline):
    """Limits of a fetch: wall seconds from now on, and rows of answers."""

    def __init__(self, seconds: float, rows: int) -> None:
        super().__init__(seconds)
        self.rows = rows

    @property
    def spent(self) -> bool:
        """Whether one of the two is used up."""
        return self.seconds <= 0 or self.rows <= 0


class Polite:
    """Access to the network: one for all calls of a fetch, within its budget.

    `contact` is an e-mail or web address of the operator; None is an error as soon as the network is needed, and so is
    any call where `offline` is set.
    """

    def __init__(
        self, limiter: Turns, contact: str | None, budget: FetchBudget, *, offline: bool = False, pause: float = 1.0
    ) -> None:
        """`pause` is the first back-off in seconds; it doubles with every attempt."""
        self._retries, self._contact, self._offline = Retries(limiter, LONGEST_CALL, pause), contact, offline
        self.budget = budget
        self.requests = 0

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
        """Call as Retries.ask does, within the budget."""

        def counted(seconds: float) -> _T:
            self.requests += 1
            return once(seconds)

        return self._retries.ask(urlsplit(url).netloc, counted, self.budget, divisible=divisible)
