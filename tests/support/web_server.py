"""A claimgraph server of its own, on a free loopback port."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from claimgraph.settings import Settings
from claimgraph.web.app import make_app
from claimgraph.web.connections import server


@contextmanager
def serving(settings: Settings) -> Iterator[httpx.Client]:
    """Yield a client of the server while it runs."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        running = server(make_app(settings))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        while not running.started and thread.is_alive():
            time.sleep(0.02)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
            yield http
        running.should_exit = True
        thread.join()
