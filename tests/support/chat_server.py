"""A scripted OpenAI-compatible server on loopback: what a language model is in tests, with every fault a server has."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ChatServer:
    """Its address, and all that it was asked: each request's JSON with its headers under "headers".

    `most` requests were under way at once.
    """

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    most: int = 0

    @property
    def prompts(self) -> list[str]:
        """The text of each request's messages, in the order asked."""
        return [_prompt(request) for request in self.asked]


@dataclass(frozen=True)
class Fault:
    """What happens instead of an answer.

    `kind`: silence (until the server is closed), reset (of the connection, after `data`), cut (`data`, and less of it
    than was promised), trickle (a space now and then, until the server is closed).
    """

    kind: str
    data: bytes = b""


Raw = tuple[int, str | bytes, dict[str, str]]
Reply = str | Raw | Fault
"""The answer's text; or status, body and headers as they are sent; or a fault."""


def completion(content: object, *, usage: tuple[int, int] | None = None, **others: object) -> Raw:
    """A chat completion of that content, tokens in and out as the server counts them, and other keys of the choice."""
    said: dict[str, object] = {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, **others}]
    }
    if usage:
        said["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return 200, json.dumps(said), {"Content-Type": "application/json"}


@contextmanager
def serving(
    answer: Callable[[str], Reply], refuse: Callable[[dict[str, Any]], Reply | None] | None = None
) -> Iterator[ChatServer]:
    """A server that gives each prompt to `answer`, unless `refuse` replies to the request; both in its threads."""
    closed, lock = threading.Event(), threading.Lock()
    under_way = 0

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            nonlocal under_way
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                found.asked.append({**request, "path": self.path, "headers": dict(self.headers)})
                under_way += 1
                found.most = max(found.most, under_way)
            reply = (refuse(request) if refuse else None) or answer(_prompt(request))
            with lock:
                under_way -= 1
            with suppress(ConnectionError):
                self._fail(reply) if isinstance(reply, Fault) else self._send(reply)

        def _send(self, reply: str | Raw) -> None:
            status, text, headers = completion(reply) if isinstance(reply, str) else reply
            body = text.encode() if isinstance(text, str) else text
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def _fail(self, fault: Fault) -> None:
            self.close_connection = True
            if fault.kind == "silence":
                closed.wait(20)
                return
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(fault.data)
            if fault.kind == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
            while fault.kind == "trickle" and not closed.wait(0.02):
                self.wfile.write(b" ")

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A connection that a test breaks is no news."""

    server = Quiet(("127.0.0.1", 0), Handler)
    found = ChatServer(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield found
    finally:
        closed.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _prompt(request: dict[str, Any]) -> str:
    return "\n".join(message["content"] for message in request["messages"])
