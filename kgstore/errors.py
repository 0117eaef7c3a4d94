"""The error tree: every error claimgraph raises on purpose, one line each, built from the ids involved.

    ClaimgraphError
    ├── InputError             exit 2   the user's text, file, query or setting is at fault
    │   ├── UsageError                  an invalid combination of arguments
    │   ├── QueryRefused                the guard does not let this Cypher run
    │   └── NotFound                    a claim, document, run or graph that the store does not hold
    └── ServiceError           exit 3   something claimgraph depends on failed
        ├── StoreError                  the graph database
        │   ├── StoreUnreachable        no answer at the address
        │   ├── StoreStopped            the server answers and its database takes nothing: a full disk, read-only
        │   ├── StoreDenied             wrong user or password
        │   ├── StoreLocked             another process writes this embedded store
        │   ├── StoreDamaged            a file of the embedded store is cut off or altered
        │   ├── StoreConflict           two writers at once; the same call may succeed when tried again
        │   └── QueryLimit              a query passed its time, row or memory limit
        ├── QueueUnreachable            the workers' broker; what it was not told, workers find by themselves
        ├── Offline                     the network is needed and refused
        ├── BudgetSpent                 the run has used the tokens it may use
        ├── ModelError                  a model file is missing, altered or failed
        └── MissingExtra                an optional part of claimgraph is not installed

Foreign exceptions are translated at one border per dependency (bolt.py, embedded.py, detect/models/embedder.py), so
callers catch this tree and nothing else. `exit_code` is what the command line returns.
"""

from __future__ import annotations

from collections.abc import Sequence


class ClaimgraphError(Exception):
    """Base of all errors; `str(error)` is one line fit for a user."""

    exit_code = 3


class InputError(ClaimgraphError):
    """The input cannot be used; the line says why and what to give instead."""

    exit_code = 2


class UsageError(InputError):
    """The arguments contradict each other or leave out what is needed."""


class QueryRefused(InputError):
    """User Cypher that is not a single allowed read statement."""


class NotFound(InputError):
    """An id or name that the store does not hold."""

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"no {kind} {key!r} in the store")
        self.kind = kind
        self.key = key


class ServiceError(ClaimgraphError):
    """Something outside failed; the input may be fine."""


class StoreError(ServiceError):
    """The graph database failed."""


class StoreUnreachable(StoreError):
    """Nothing answers at the store's address."""


class StoreStopped(StoreError):
    """The server answers and its database takes nothing until somebody mends it: a full disk, or it is read-only."""


class StoreDenied(StoreError):
    """The store refused the user name or password."""


class StoreLocked(StoreError):
    """Another process holds the embedded store for writing: `pid`, where that is known."""

    def __init__(self, message: str, pid: int | None = None) -> None:
        super().__init__(message)
        self.pid = pid


class StoreDamaged(StoreError):
    """A file of the embedded store is not what was written."""


class StoreConflict(StoreError):
    """Two writers met; nothing was written and the call may be repeated."""


class QueryLimit(StoreError):
    """A user query passed its time, row or memory limit."""


class QueueUnreachable(ServiceError):
    """The workers' broker does not answer. `unsent` tasks are queued in the store, but no worker was told of them."""

    def __init__(self, address: str, unsent: int) -> None:
        super().__init__(f"nothing answers at {address}: {unsent} tasks wait until workers find them")
        self.unsent = unsent


class Offline(ServiceError):
    """The network is needed, and --offline or the setting refuses it."""


class BudgetSpent(ServiceError):
    """The language model's budget of this run is spent.

    `answers` are those to the last requests, in order: answers, errors, and BudgetSpent for those not asked.
    """

    def __init__(self, message: str, answers: Sequence[str | ServiceError] = ()) -> None:
        super().__init__(message)
        self.answers = tuple(answers)


class ModelError(ServiceError):
    """A model could not be loaded or did not answer."""


class MissingExtra(ServiceError):
    """An optional part of claimgraph is not installed."""

    def __init__(self, extra: str, use: str) -> None:
        super().__init__(f"{use}: pip install 'claimgraph[{extra}]'")
        self.extra = extra
