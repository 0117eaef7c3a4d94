"""Let other processes of this user use an embedded store that this process holds.

A listener on loopback, whose port and secret stand in a file beside the store that only its owner can read. Who knows
the secret may do what the holder may. A socket file was rejected: its path may have 107 bytes at most.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.engines.store_wire import error_message, receive, send, version
from claimgraph.kgstore.store import QueryLimits

FILE = "holder.json"
"""Name of the file with the holder's process, port, secret and version."""
_SECONDS = 5.0
"""Time that a new connection has to say the secret."""
_LAST = 60.0
"""Seconds that closing waits for a request that is being answered."""


class StoreServer:
    """Answers the requests of other processes on `store` until it is closed; each connection has its own thread."""

    def __init__(self, store: EmbeddedStore, folder: Path) -> None:
        self._store, self._file, self._secret = store, folder / FILE, secrets.token_hex(32)
        self._open: dict[threading.Thread, socket.socket] = {}
        self._closing = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._publish()
        threading.Thread(target=self._accept, daemon=True, name="claimgraph-store").start()

    def close(self) -> None:
        """Take no more requests, and wait for those that are being answered."""
        threads = list(self._open)
        self.stop()
        for thread in threads:
            thread.join(_LAST)

    def stop(self) -> None:
        """Take no more requests, and do not wait."""
        if self._closing:
            return
        self._closing = True
        with suppress(OSError):
            self._file.unlink()
        for one in (self._listener, *self._open.values()):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RD)
        self._listener.close()

    def _publish(self) -> None:
        told = {
            "pid": os.getpid(),
            "port": self._listener.getsockname()[1],
            "secret": self._secret,
            "version": version(),
        }
        made = self._file.with_suffix(f".{os.getpid()}")
        made.unlink(missing_ok=True)
        with open(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:  # noqa: PTH123
            json.dump(told, file)
        made.replace(self._file)

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._open[thread] = connection
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, suppress(OSError, ValueError):
                connection.settimeout(_SECONDS)
                hello = receive(connection, most=1024) or {}
                if not hmac.compare_digest(str(hello.get("secret")).encode(), self._secret.encode()):
                    return
                connection.settimeout(None)
                while not self._closing and (request := receive(connection)) is not None:
                    send(connection, self._answer(request))
        finally:
            self._open.pop(threading.current_thread(), None)

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"found": self._done(str(request["do"]), request["with"])}
        except Exception as error:  # whatever it is, the other process is told and this one goes on
            return error_message(error)

    def _done(self, name: str, given: list[Any]) -> Any:
        store = self._store
        match name:
            case "read":
                return store.read(given[0], **given[1])
            case "write":
                return store.write(*((step, rows) for step, rows in given))
            case "schema":
                return store.schema(given[0])
            case "settle":
                return store.settle()
            case "query":
                table = store.query(given[0], given[1], QueryLimits(*given[2]))
                return [table.columns, table.rows, table.truncated]
        raise ValueError(f"no request {name!r}")
