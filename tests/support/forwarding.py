"""A port that leads to a server as long as it is open: a service that comes late, or goes away, without ending one."""

from __future__ import annotations

import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address, daemon_threads = True, True


def free_port() -> int:
    """A port on which nothing listens now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def forwarding(port: int, url: str, silent: threading.Event | None = None, late: float = 0.0) -> Iterator[None]:
    """What is sent to the port goes to the server at that address, and back `late` seconds after it came.

    While `silent` is set it is swallowed, and a connection that has lost something stays open and dead.
    """
    parts, lossy = urlsplit(url), silent or threading.Event()

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection((parts.hostname or "", parts.port or 0)) as there:
                back = threading.Thread(target=_pump, args=(there, self.request, lossy, late), daemon=True)
                back.start()
                _pump(self.request, there, lossy)

    with _Server(("127.0.0.1", port), Handler) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.05,))
        serving.start()
        yield
        server.shutdown()
        serving.join()


def _pump(source: socket.socket, sink: socket.socket, silent: threading.Event, late: float = 0.0) -> None:
    dead = False
    with suppress(OSError):
        while read := source.recv(65536):
            time.sleep(late)
            dead = dead or silent.is_set()
            if not dead:
                sink.sendall(read)
        if not dead:
            sink.shutdown(socket.SHUT_WR)
