"""A real SPARQL server on loopback, pyoxigraph behind HTTP, that can be told to fail as public endpoints do.

It also answers as the API of an encyclopedia, at /w/api.php.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event
from time import time
from typing import Any
from urllib.parse import parse_qs

from loopback import on_loopback
from pyoxigraph import QueryResultsFormat, RdfFormat, Store


@dataclass(slots=True)
class Fault:
    """What happens instead of an answer, the next `times` times that `when` holds for the query.

    `kind`: status (with `code` and `retry_after`), partial (half of the rows, Virtuoso's headers), html, cut, reset,
    slow (no answer until the server is closed).
    """

    kind: str
    times: int = 1
    code: int = 500
    retry_after: str | None = None
    when: Callable[[str], bool] = bool


@dataclass(slots=True)
class Server:
    """Its address, its data, the faults to come, and what it was asked: (POSIX time, agent, query)."""

    store: Store
    url: str = ""
    articles: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    asked: list[tuple[float, str, str]] = field(default_factory=list)
    most_rows: int | None = None
    closed: Event = field(default_factory=Event)

    @property
    def encyclopedia(self) -> str:
        """Address of the encyclopedia's API."""
        return self.url.replace("/sparql", "/w/api.php")

    @property
    def queries(self) -> list[str]:
        return [query for _, _, query in self.asked]

    def fault(self, query: str) -> Fault | None:
        """The fault that now happens, taken off the list when it has happened often enough."""
        found = next((fault for fault in self.faults if fault.when(query)), None)
        if found:
            found.times -= 1
            if not found.times:
                self.faults.remove(found)
        return found


@contextmanager
def serving(*turtle: str) -> Iterator[Server]:
    """A server of this data until the block is left."""
    store = Store()
    for text in turtle:
        store.load(text.encode(), RdfFormat.TURTLE)
    server = Server(store)
    handler = type("Handler", (_Handler,), {"world": server})
    with on_loopback(handler) as address:
        server.url = f"{address}/sparql"
        try:
            yield server
        finally:
            server.closed.set()


class _Handler(BaseHTTPRequestHandler):
    world: Server

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        query = form.get("query", form.get("titles", [""]))[0]
        self.world.asked.append((time(), self.headers["User-Agent"], query))
        fault = self.world.fault(query)
        if self.path.startswith("/w/"):
            self._fault(fault) if fault else self._json(_pages(self.world.articles, form["titles"][0]), {})
        else:
            self._answer(query, fault)

    def _answer(self, query: str, fault: Fault | None) -> None:
        if fault and fault.kind not in ("partial", "cut"):
            self._fault(fault)
            return
        found = json.loads(self.world.store.query(query).serialize(format=QueryResultsFormat.JSON))
        rows = found["results"]["bindings"]
        if self.world.most_rows is not None:
            del rows[self.world.most_rows :]
        if fault and fault.kind == "partial":
            del rows[len(rows) // 2 :]
            self._json(found, {"X-SQL-State": "S1TAT", "X-SQL-Message": "RC...: Returning incomplete results"})
        else:
            self._json(found, {}, cut=fault is not None)

    def _fault(self, fault: Fault) -> None:
        if fault.kind == "slow":
            self.world.closed.wait(30)
        elif fault.kind == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        elif fault.kind == "html":
            self._send(200, b"<html><body>Virtuoso S1T00 Error</body></html>", {"Content-Type": "text/html"})
        else:
            headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
            self._send(fault.code, b"busy", headers)

    def _json(self, value: Any, headers: Mapping[str, str], *, cut: bool = False) -> None:
        body = json.dumps(value).encode()
        kind = {"Content-Type": "application/sparql-results+json", **headers}
        self._send(200, body[: len(body) // 2] if cut else body, kind)

    def _send(self, code: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(code)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        with suppress(OSError, ValueError):  # the asker went away, or was sent away
            super().handle()

    def finish(self) -> None:
        with suppress(OSError, ValueError):
            super().finish()

    def log_message(self, *_: Any) -> None: ...


def _pages(articles: Mapping[str, str], titles: str) -> dict[str, Any]:
    pages = [{"title": title, "extract": articles.get(title, "")} for title in titles.split("|")]
    return {"query": {"pages": pages}}
