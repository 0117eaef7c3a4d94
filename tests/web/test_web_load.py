"""A server that slow, many or curious clients do not stop, and that tells them nothing of its inside."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_server import serving

from claimgraph.kgstore.engines.shared import SharedStore
from claimgraph.kgstore.errors import QueryLimit, StoreUnreachable
from claimgraph.settings import load_settings
from claimgraph.web import access, service
from claimgraph.web.connections import BoundedConnection
from claimgraph.web.problems import said

CHECK = {"text": "Marie Curie was born in Paris.", "context": "Marie Curie was born in Warsaw.", "method": "rules"}
HEAD = b"POST /api/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """A client of a server on a store of its own."""
    made = load_settings({}, Path("/nonexistent"))
    with serving(replace(made, store=tmp_path / "s", cache=tmp_path / "c", keys=tmp_path / "k")) as http:
        yield http


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has servers wait less than half a second for their clients."""
    monkeypatch.setattr(BoundedConnection, "head_seconds", 0.4)
    monkeypatch.setattr(BoundedConnection, "unread_seconds", 0.4)
    monkeypatch.setattr(access, "PART_SECONDS", 0.4)


def _connected(client: httpx.Client) -> socket.socket:
    return socket.create_connection((client.base_url.host, client.base_url.port or 0), timeout=20)


def _ended(connection: socket.socket) -> float:
    """Seconds until the server closes the connection."""
    begun = time.monotonic()
    with suppress(ConnectionResetError):
        while connection.recv(65536):
            pass
    return time.monotonic() - begun


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("sent", [b"", b"GET / HT", HEAD, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT"])
def test_who_does_not_finish_a_request_is_cut(client: httpx.Client, sent: bytes) -> None:
    """A connection without a request, with half of one, or with half of a second one, is closed."""
    with _connected(client) as slow:
        slow.sendall(sent)
        assert _ended(slow) < 10


@pytest.mark.usefixtures("hasty")
def test_a_body_that_comes_slowly_is_refused(client: httpx.Client) -> None:
    """Of a request whose body does not come the client is told so, and the connection ends."""
    with _connected(client) as slow:
        slow.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
        answer = b"".join(iter(lambda: slow.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"did not come in time" in answer


@pytest.mark.usefixtures("hasty")
def test_who_reads_no_answer_is_cut(client: httpx.Client) -> None:
    """A client that asks for much and takes nothing loses its connection before it has all."""
    whole = len(client.get("/static/swagger/swagger-ui-bundle.js").content)
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(20)
        slow.connect((client.base_url.host, client.base_url.port or 0))
        for _ in range(8):
            slow.sendall(b"GET /static/swagger/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(2)
        got = 0
        with suppress(ConnectionResetError):
            while read := slow.recv(65536):
                got += len(read)
    assert got < 8 * whole


def test_waiting_connections_give_way(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all places taken by connections that ask for nothing, the oldest of them goes and a request is answered."""
    monkeypatch.setattr(BoundedConnection, "most", 10)
    with ExitStack() as held:
        idle = [held.enter_context(_connected(client)) for _ in range(30)]
        assert 200 == httpx.get(f"{client.base_url}/healthz").status_code
        assert _ended(idle[0]) < 5


def test_checks_side_by_side_are_answered_or_told_to_wait(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 20 checks at once each is done, or refused with the time to wait; meanwhile other pages are answered."""
    monkeypatch.setattr(service, "_PATIENCE", 0.5)
    with ThreadPoolExecutor(21) as pool:
        asked = [pool.submit(httpx.post, f"{client.base_url}/api/check", json=CHECK, timeout=120) for _ in range(20)]
        assert 200 == pool.submit(httpx.get, f"{client.base_url}/healthz", timeout=120).result().status_code
        answers = [one.result() for one in asked]
    assert {200, 503} >= {answer.status_code for answer in answers}
    assert 200 in {answer.status_code for answer in answers}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers if answer.status_code == 503)


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (StoreUnreachable("nothing answers at bolt://10.0.0.7:7687"), 503, "the graph store does not work"),
        (RuntimeError("/home/ann/secret"), 500, "an error of the server (RuntimeError)"),
    ],
)
def test_errors_tell_nothing_of_the_inside(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, told: str
) -> None:
    """What fails behind the server is named without addresses, paths or a traceback, as problem details."""

    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(SharedStore, "read", fail)
    monkeypatch.setattr(SharedStore, "info", fail)
    answer = client.get("/api/documents")
    assert (status, "application/problem+json") == (answer.status_code, answer.headers["content-type"])
    assert told in answer.json()["detail"]
    for found in (answer, *(httpx.get(f"{client.base_url}{path}") for path in ("/documents", "/healthz"))):
        assert not any(word in found.text for word in ("10.0.0.7", "/home/ann", "Traceback", "site-packages"))


def test_what_lies_at_the_request_is_told() -> None:
    """A query's limit is the asker's concern and said in full."""
    assert "took longer than 3 s" in said(QueryLimit("the query took longer than 3 s"))
