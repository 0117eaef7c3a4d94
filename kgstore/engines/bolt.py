"""Implement the store on Neo4j through the official driver.

One driver a process: a driver used after a fork mixes two processes' answers on one socket, so it is refused. All steps
of one `write` are one managed transaction, which the driver repeats after a deadlock or a change of leader; so rows and
steps must be idempotent, and a call's rows must fit the server's transaction memory (about 1 KB a fact: callers with
more than some 50,000 rows split them, as ingest does). Sessions share a bookmark manager, so on a cluster a process
reads its own writes, and all writes before them: a worker, whose first act on a task is a write that takes it, sees
everything that the task depends on. Autocommit and `execute_query` were rejected: neither bounds retries as we do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from claimgraph import cypher
from claimgraph.kgstore.engines.bolt_query import UserQueries
from claimgraph.kgstore.errors import (
    InputError,
    QueryLimit,
    QueryRefused,
    StoreConflict,
    StoreDenied,
    StoreError,
    StoreStopped,
    StoreUnreachable,
)
from claimgraph.kgstore.store import DEFAULT_LIMITS, QueryLimits, Row, Step, StoreInfo, Table, batches

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction, Session

_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_INDEX_SECONDS = 300
_LIMITS = ("Terminated", "TransactionTimedOut", "MemoryPoolOutOfMemory", "OutOfMemory", "StackOverFlow")
_STOPPED = {
    "Neo.DatabaseError.Transaction": "has stopped its database, as on a full disk: make room and restart it",
    "Neo.TransientError.General.DatabaseUnavailable": "has no database that runs: see its logs",
    "Neo.TransientError.Database.DatabaseUnavailable": "has no database that runs: see its logs",
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase": "has its database read-only",
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase": "has its database read-only",
}
"""Beginnings of codes, and what a server that sends them has done."""
_SAME_SCHEMA = "EquivalentSchemaRuleAlreadyExists"


def connect(
    uri: str,
    user: str,
    password: str,
    database: str = "neo4j",
    *,
    reader: tuple[str, str] | None = None,
    retry_seconds: float = 10.0,
    connect_seconds: float = 5.0,
) -> BoltStore:
    """Open the database at `uri`: bolt:// or neo4j://, with +s for TLS and +ssc for TLS with one's own certificate.

    `reader` is the user and password by which users' queries are asked: one that may only read, where the server has
    such users. `retry_seconds` bounds how long a write is repeated after a conflict or a lost connection,
    `connect_seconds` how long an address may stay silent. Raises StoreUnreachable, StoreDenied, or InputError for an
    address that is none.
    """
    from neo4j import GraphDatabase

    address = _address(uri)
    with _border(address):
        driver = GraphDatabase.driver(
            uri,
            auth=(user, password),
            connection_timeout=connect_seconds,
            connection_acquisition_timeout=connect_seconds + retry_seconds,
            max_transaction_retry_time=retry_seconds,
            notifications_min_severity="OFF",
        )
        try:
            driver.verify_connectivity()
        except BaseException:
            driver.close()
            raise
    return BoltStore(driver, address, database, UserQueries(uri, reader or (user, password), database, connect_seconds))


class BoltStore:
    """A GraphStore on Neo4j. Threads may share it, processes may not."""

    def __init__(self, driver: Driver, address: str, database: str, queries: UserQueries) -> None:
        self._driver = driver
        self._queries = queries
        self._address = address
        self._database = database
        self._pid = os.getpid()

    def info(self) -> StoreInfo:
        """Return the server's version and address."""
        with self._use():
            agent = self._driver.get_server_info().agent
        return StoreInfo("neo4j", agent.removeprefix("Neo4j/"), self._address)

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Return rows of the named read query."""
        with self._session("READ") as session:
            return session.execute_read(_rows, cypher.load(name), params)

    def write(self, *steps: Step) -> list[Row]:
        """Run the steps in one transaction, and again from the start where the server says so."""

        def work(transaction: ManagedTransaction) -> list[Row]:
            rows: list[Row] = []
            for name, members in steps:
                rows = []
                for batch in batches(members):
                    rows += _rows(transaction, cypher.load(name), {"rows": batch})
            return rows

        with self._session("WRITE") as session:
            return session.execute_write(work)

    def schema(self, statement: str) -> None:
        """Run one schema statement. A concurrent creation of the same object by another process is no error."""
        from neo4j.exceptions import ClientError

        with self._session("WRITE") as session:
            try:
                session.execute_write(_rows, statement, {})
            except ClientError as error:
                if not str(error.code).endswith(_SAME_SCHEMA):
                    raise

    def settle(self) -> None:
        """Wait until all indexes are built. The full-text index follows each commit, so nothing else lags behind."""
        with self._session("READ") as session:
            session.execute_read(_rows, "CALL db.awaitIndexes($seconds)", {"seconds": _INDEX_SECONDS})

    def moment(self) -> object:
        """Return what stays the same until something is committed to the database, by whomever: the bookmark of now."""
        with self._use(), self._driver.session(database=self._database, default_access_mode="READ") as session:
            session.execute_read(_rows, "RETURN 1 AS now", {})
            return session.last_bookmarks().raw_values

    def server_settings(self, names: list[str]) -> dict[str, str]:
        """Return the server's settings of these names, those it has and shows, and its `edition`."""
        with self._session("READ") as session:
            shown = session.execute_read(_rows, "SHOW SETTINGS $names YIELD name, value", {"names": names})
            edition = session.execute_read(_rows, "CALL dbms.components() YIELD edition RETURN edition", {})
        return {row["name"]: str(row["value"]) for row in shown} | edition[0]

    def query(self, text: str, params: Mapping[str, Any], limits: QueryLimits = DEFAULT_LIMITS) -> Table:
        """Run a user's Cypher once, never repeated: running out of memory arrives as an error that asks for that.

        The memory limit is the server's (`db.memory.transaction.max`) for its work and ours for the result. The server
        ends the transaction after the time limit; should it not, the connection is given up a few seconds later, and
        what it could not end is refused beforehand.
        """
        from claimgraph.kgstore.query.bounded_lists import bound_lists
        from claimgraph.kgstore.query.guard import admit
        from claimgraph.kgstore.query.stoppable import check_stoppable

        statement = admit(text)
        check_stoppable(statement, params)
        bounded = bound_lists(statement, params)
        with self._use(_user_error):
            bookmarks = self._driver.execute_query_bookmark_manager.get_bookmarks()
            table = self._queries.run(bounded.text, params, limits, bookmarks)
        return replace(table, columns=tuple(bounded.column(name) for name in table.columns))

    def close(self) -> None:
        """Close the connections; in a forked child this does nothing."""
        if os.getpid() == self._pid:
            self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _session(self, mode: str, explain: Callable[[Exception], Exception | None] | None = None) -> Iterator[Session]:
        with (
            self._use(explain),
            self._driver.session(
                database=self._database,
                default_access_mode=mode,
                bookmark_manager=self._driver.execute_query_bookmark_manager,
            ) as session,
        ):
            yield session

    @contextmanager
    def _use(self, explain: Callable[[Exception], Exception | None] | None = None) -> Iterator[None]:
        if os.getpid() != self._pid:
            raise StoreError(
                f"the connection to {self._address} belongs to process {self._pid}; connect again after a fork"
            )
        with _border(self._address, explain):
            yield


def _rows(transaction: ManagedTransaction, statement: str, params: Mapping[str, Any]) -> list[Row]:
    result = transaction.run(statement, dict(params))
    keys = result.keys()
    return [dict(zip(keys, map(_native, record.values()), strict=True)) for record in result]


def _native(value: Any) -> Any:
    """Return Neo4j's zoned date-time, also one in a list, as an aware datetime in UTC; other values unchanged."""
    if isinstance(value, list):
        return [_native(item) for item in value]
    if hasattr(value, "to_native"):
        native = value.to_native()
        return native.astimezone(UTC) if isinstance(native, datetime) else native
    return value


def _address(uri: str) -> str:
    """Return scheme, host and port, without user and password."""
    parts = urlsplit(uri)
    if parts.scheme not in _SCHEMES:
        raise InputError(f"a Neo4j address begins with one of {', '.join(_SCHEMES)}, as bolt://localhost:7687 does")
    try:
        return f"{parts.scheme}://{parts.hostname or ''}:{parts.port or 7687}"
    except ValueError as error:
        raise InputError(f"no Neo4j address: {error}") from None


@contextmanager
def _border(address: str, explain: Callable[[Exception], Exception | None] | None = None) -> Iterator[None]:
    """Translate the driver's errors; `explain` sees them first."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        yield
    except (DriverError, Neo4jError, OSError) as error:
        raise (explain and explain(error)) or _translated(address, error) from error
    except UnicodeEncodeError as error:
        raise InputError("not Unicode text: half a surrogate pair") from error
    except OverflowError as error:
        raise InputError("a number beyond 64 bits") from error


def _translated(address: str, error: Exception) -> Exception:
    from neo4j.exceptions import ConfigurationError, Neo4jError, ServiceUnavailable, SessionExpired

    code = str(error.code) if isinstance(error, Neo4jError) else ""
    if code.startswith("Neo.ClientError.Security"):
        return StoreDenied(f"{address} refused the user name or password")
    if isinstance(error, ServiceUnavailable | SessionExpired | OSError):
        return StoreUnreachable(f"nothing answers at {address}; is Neo4j running there?")
    if isinstance(error, ConfigurationError):
        return InputError(f"{address}: {_line(error)}")
    if stopped := next((said for begin, said in _STOPPED.items() if code.startswith(begin)), None):
        return StoreStopped(f"{address} {stopped}; what was stored is there, and the same command goes on then")
    if code.startswith("Neo.TransientError") or code.endswith("ConstraintValidationFailed"):
        return StoreConflict(f"two writers met at {address} ({code}); try again")
    return StoreError(f"{address}: {_line(error)}")


def _user_error(error: Exception) -> Exception | None:
    """Return the error of a user's own query, or None for any other."""
    from neo4j.exceptions import Neo4jError

    from claimgraph.kgstore.query.bounded_lists import too_long

    code = str(error.code) if isinstance(error, Neo4jError) else ""
    if reason := too_long(str(error)):
        return QueryRefused(reason)
    if any(word in code for word in _LIMITS):
        return QueryLimit(f"the query passed its time or memory limit: {_line(error)}")
    if code.startswith(("Neo.ClientError.Statement", "Neo.ClientError.Procedure")):
        return QueryRefused(_line(error))
    return None


def _line(error: BaseException) -> str:
    message = getattr(error, "message", None) or str(error)
    return (str(message).splitlines() or [type(error).__name__])[0]
