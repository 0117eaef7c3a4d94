"""Run one user query on Neo4j over a connection of its own, which is given up when its time is over.

The driver's connections wait for as long as the server gives signs of life, and Neo4j gives them for a query that it
could not end. So the query runs in an event loop of its own, where waiting can be cancelled; the loop has a thread of
its own, since the caller may be in another (a notebook is). A process of its own was rejected: half a second a query.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from claimgraph.kgstore.errors import QueryLimit
from claimgraph.kgstore.query.json_values import plain
from claimgraph.kgstore.store import QueryLimits, Table

GRACE = 5.0
"""Seconds after the time limit in which the server ends the transaction: it looks every two seconds."""


@dataclass(frozen=True, slots=True)
class UserQueries:
    """Runs users' queries on the database at `uri`; an address may stay silent for `connect_seconds`."""

    uri: str
    auth: tuple[str, str] = field(repr=False)
    database: str
    connect_seconds: float

    def run(
        self, statement: str, params: Mapping[str, Any], limits: QueryLimits, bookmarks: Iterable[str] = ()
    ) -> Table:
        """Return the rows of an admitted statement, which sees all up to `bookmarks`.

        Raises QueryLimit where a limit is passed, and what the driver raises.
        """
        found: list[Table | BaseException] = []

        def work() -> None:
            try:
                found.append(asyncio.run(self._bounded(statement, params, limits, bookmarks)))
            except BaseException as error:  # raised where the query was asked
                found.append(error)

        thread = threading.Thread(target=work, name="user query", daemon=True)
        thread.start()
        thread.join()
        [outcome] = found
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    async def _bounded(self, *asked: Any) -> Table:
        limits: QueryLimits = asked[2]
        try:
            async with asyncio.timeout(limits.seconds + GRACE):
                return await self._ask(*asked)
        except TimeoutError:
            reason = f"the query took longer than {limits.seconds:g} s, and the server did not end it"
            raise QueryLimit(reason) from None

    async def _ask(
        self, statement: str, params: Mapping[str, Any], limits: QueryLimits, bookmarks: Iterable[str]
    ) -> Table:
        from neo4j import AsyncGraphDatabase, Bookmarks

        seen, wait = Bookmarks.from_raw_values(bookmarks), self.connect_seconds
        async with (
            AsyncGraphDatabase.driver(
                self.uri, auth=self.auth, connection_timeout=wait, notifications_min_severity="OFF"
            ) as driver,
            driver.session(database=self.database, default_access_mode="READ", bookmarks=seen, fetch_size=100) as asked,
            await asked.begin_transaction(timeout=limits.seconds) as transaction,
        ):
            result = await transaction.run(statement, dict(params))
            rows, left = list[tuple[Any, ...]](), limits.memory_mib * 2**20
            async for record in result:
                rows.append(tuple(plain(value) for value in record.values()))
                left -= _size(rows[-1])
                if left < 0:
                    raise QueryLimit(f"the result is larger than {limits.memory_mib} MiB")
                if len(rows) > limits.rows:
                    break
            return Table(tuple(result.keys()), tuple(rows[: limits.rows]), truncated=len(rows) > limits.rows)


def _size(value: Any) -> int:
    """Return about how many bytes of memory a plain value takes."""
    if isinstance(value, list | tuple):
        return 56 + sum(8 + _size(item) for item in value)
    if isinstance(value, dict):
        return 64 + sum(100 + len(key) + _size(item) for key, item in value.items())
    return 50 + len(value) if isinstance(value, str) else 32
