"""The embedded store of several processes: the first one holds it, the others ask the first, and when it ends or dies
the next takes it over.

So `claimgraph serve`, a long run and the command line work on one store at once, and nobody is told to close the other.
A daemon of its own was rejected: it would have to be started, found and stopped. A request whose holder dies is made
again: writes are idempotent (GraphStore.write), and what was acknowledged is on disk.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from claimgraph import cypher
from claimgraph.kgstore.engines.embedded import EmbeddedStore, open_embedded
from claimgraph.kgstore.engines.store_server import FILE, StoreServer
from claimgraph.kgstore.engines.store_wire import raised, receive, send, version
from claimgraph.kgstore.errors import StoreError, StoreLocked
from claimgraph.kgstore.store import DEFAULT_LIMITS, QueryLimits, Row, Step, StoreInfo, Table

_Found = TypeVar("_Found")
_PATIENCE = 10.0
"""Seconds in which a holder that starts, ends or was killed makes room."""
_PAUSE = 0.05


class HolderGone(Exception):
    """The process that holds the store has ended."""


class SharedStore:
    """A GraphStore on the embedded store in a folder, held here or by another process. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._pid, self._closed = folder, os.getpid(), False
        self._changing = threading.Lock()
        self._server: StoreServer | None = None
        self._store = self._opened()

    def info(self) -> StoreInfo:
        """Return the engine, its version and the folder."""
        return self._ask(lambda store: store.info())

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Return rows of the named read query."""
        return self._ask(lambda store: store.read(name, **params))

    def write(self, *steps: Step) -> list[Row]:
        """Run the steps, all or nothing, and again where the holder died before it answered."""
        return self._ask(lambda store: store.write(*steps))

    def schema(self, statement: str) -> None:
        """Run one schema statement."""
        self._ask(lambda store: store.schema(statement))

    def settle(self) -> None:
        """Bring the full-text index up to date."""
        self._ask(lambda store: store.settle())

    def query(self, text: str, params: Mapping[str, Any], limits: QueryLimits = DEFAULT_LIMITS) -> Table:
        """Run a user's Cypher that the guard has let through, within limits."""
        return self._ask(lambda store: store.query(text, params, limits))

    def close(self) -> None:
        """Let the next process have the store; in a forked child this does nothing."""
        if self._closed or os.getpid() != self._pid:
            return
        self._closed = True
        if self._server:
            self._server.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if (server := getattr(self, "_server", None)) and not self._closed and os.getpid() == self._pid:
            server.stop()  # its threads would keep the store open, which warns that it was not closed

    def _ask(self, work: Callable[[EmbeddedStore | _Client], _Found]) -> _Found:
        if os.getpid() != self._pid:
            raise StoreError(f"{self._folder} was opened by process {self._pid}; open it again after a fork")
        if self._closed:
            raise StoreError(f"{self._folder} is closed")
        while True:
            store = self._store
            try:
                return work(store)
            except HolderGone:
                with self._changing:
                    if self._store is store:
                        store.close()
                        self._store = self._opened()

    def _opened(self) -> EmbeddedStore | _Client:
        """Hold the store, or connect to who does. Raises StoreLocked where that process does not answer in time."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                store = open_embedded(self._folder)
                with suppress(OSError):  # where nothing may listen, the others are refused as a store alone refuses
                    self._server = StoreServer(store, self._folder)
                return store
            except StoreLocked as locked:
                if found := _connected(self._folder, locked):
                    return found
                if time.monotonic() > end:
                    raise
            time.sleep(_PAUSE)


class _Client:
    """The store as the process that holds it answers for it: one connection for each thread that asks at once."""

    def __init__(self, folder: Path, told: Mapping[str, Any]) -> None:
        self._folder, self._told = folder, told
        self._idle: list[socket.socket] = []
        self._idle.append(self._connection())

    def info(self) -> StoreInfo:
        """Return the engine, its version and the folder; another process writes it too."""
        import kglite

        return StoreInfo("embedded", kglite.__version__, str(self._folder))

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """See GraphStore."""
        cypher.load(name)  # one that is not there is refused here, as an engine refuses it
        rows: list[Row] = self._ask("read", [name, params])
        return rows

    def write(self, *steps: Step) -> list[Row]:
        """See GraphStore."""
        for name, _ in steps:
            cypher.load(name)
        rows: list[Row] = self._ask("write", [[name, list(rows)] for name, rows in steps])
        return rows

    def schema(self, statement: str) -> None:
        """See GraphStore."""
        self._ask("schema", [statement])

    def settle(self) -> None:
        """See GraphStore."""
        self._ask("settle", [])

    def query(self, text: str, params: Mapping[str, Any], limits: QueryLimits) -> Table:
        """See GraphStore."""
        columns, rows, truncated = self._ask("query", [text, dict(params), astuple(limits)])
        return Table(tuple(columns), tuple(map(tuple, rows)), truncated)

    def close(self) -> None:
        """Close the connections."""
        while self._idle:
            self._idle.pop().close()

    def _ask(self, do: str, given: list[Any]) -> Any:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connection()
        try:
            send(connection, {"do": do, "with": given})
            answer = receive(connection)
        except OSError as error:
            connection.close()
            raise HolderGone from error
        except BaseException:
            connection.close()
            raise
        if answer is None:
            connection.close()
            raise HolderGone
        self._idle.append(connection)
        if "error" in answer:
            raise raised(answer)
        return answer["found"]

    def _connection(self) -> socket.socket:
        connection = socket.socket()
        try:
            connection.connect(("127.0.0.1", self._told["port"]))
            send(connection, {"secret": self._told["secret"]})
        except OSError as error:
            connection.close()
            raise HolderGone from error
        return connection


def _connected(folder: Path, locked: StoreLocked) -> _Client | None:
    """Connect to the process that has the lock; None where it has not said how, or has just ended.

    Its id must be the one in the file: what a killed holder left there is another process's port by now.
    """
    try:
        told = json.loads((folder / FILE).read_text())
    except (OSError, ValueError):
        return None
    if told["pid"] != locked.pid:
        return None
    if told["version"] != version():
        raise StoreLocked(f"{locked}: it runs claimgraph {told['version']}", locked.pid)
    with suppress(HolderGone):
        return _Client(folder, told)
    return None
