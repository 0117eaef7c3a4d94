"""A scripted OpenAI-compatible server on loopback: what a language model is in tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ChatServer:
    """Its address, and all that it was asked: each request's JSON with its headers under "headers"."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)

    @property
    def prompts(self) -> list[str]:
        """The text of each request's messages, in the order asked."""
        return ["\n".join(message["content"] for message in request["messages"]) for request in self.asked]


Reply = str | tuple[int, str, dict[str, str]]
"""The answer's text; or status, body and headers as they are sent."""


@contextmanager
def serving(answer: Callable[[str], Reply]) -> Iterator[ChatServer]:
    """A server that gives each prompt to `answer`; it is called in the server's thread."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            found.asked.append({**request, "path": self.path, "headers": dict(self.headers)})
            reply = answer(found.prompts[-1])
            if isinstance(reply, str):
                message = {"role": "assistant", "content": reply}
                reply = (200, json.dumps({"choices": [{"index": 0, "message": message}]}), {})
            status, text, headers = reply
            body = text.encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = ChatServer(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
