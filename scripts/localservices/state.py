"""What outlives a command: ports, passwords, pids and data of one checkout, in one folder.

Two checkouts never collide, since the folder's name is a hash of the checkout's path; CLAIMGRAPH_SERVICES_STATE names
another folder. A file lock makes concurrent commands take turns.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from localservices.messages import say

CHECKOUT = Path(__file__).resolve().parents[2]

PORTS = range(20_000, 30_000)
"""Below Linux's ephemeral range, so no outgoing connection (nor a client's retry to itself) takes a stopped port."""
FREED = 5.0
"""Seconds that a service's own port is waited for before another is taken: clients know the first."""


def cache_folder() -> Path:
    """Downloads shared by all checkouts: XDG_CACHE_HOME or ~/.cache, then claimgraph."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "claimgraph"


def default_folder() -> Path:
    """The state folder of this checkout."""
    named = os.environ.get("CLAIMGRAPH_SERVICES_STATE")
    key = hashlib.sha256(str(CHECKOUT).encode()).hexdigest()[:12]
    return Path(named).resolve() if named else cache_folder() / "services" / key


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file `path`; waits for whoever holds it, and says so. Not inherited by services we start."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for the command that holds {path}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class State:
    """Ports, the password and the mode of every instance, in state.json (0600). Change it under the lock only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "state.json"

    def lock(self) -> AbstractContextManager[None]:
        """Commands on this folder take turns."""
        return locked(self.folder / "lock")

    def home(self, instance: str) -> Path:
        """Folder of an instance's data, configuration and log."""
        return self.folder / instance

    def instances(self) -> dict[str, str]:
        """Instance to "local" or "compose", for all that were ever started here, sorted by name."""
        return dict(sorted(self._read()["instances"].items()))

    def record(self, instance: str, mode: str) -> None:
        """Remember how the instance runs; its data lives there from now on."""
        self._set("instances", instance, mode)

    def password(self) -> str:
        """The one password of all services here; random, made at the first call."""
        return str(self._read()["password"] or self._write("password", secrets.token_hex(16)))

    def port(self, key: str) -> int | None:
        """The loopback port kept under `key`, or None before `choose_port`."""
        port = self._read()["ports"].get(key)
        return None if port is None else int(port)

    def choose_port(self, key: str) -> int:
        """The kept port if it can still be bound, or can within FREED seconds, else a free one, kept from now on. For a
        stopped service only.
        """
        kept, taken = self.port(key), set(self._read()["ports"].values())
        if kept is not None and _is_freed(kept):
            return kept
        candidates = (p for p in iter(lambda: secrets.choice(PORTS), None) if p not in taken and _can_bind(p))
        port = next(candidates)
        self._set("ports", key, port)
        return port

    def _read(self) -> dict[str, Any]:
        empty: dict[str, Any] = {"password": "", "ports": {}, "instances": {}}
        return empty | (json.loads(self._file.read_text()) if self._file.exists() else {})

    def _set(self, table: str, key: str, value: Any) -> None:
        self._write(table, self._read()[table] | {key: value})

    def _write(self, table: str, value: Any) -> Any:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        whole = self._file.with_suffix(".new")
        whole.touch(mode=0o600)
        whole.write_text(json.dumps(self._read() | {table: value}, indent=1))
        whole.replace(self._file)
        return value


def _is_freed(port: int) -> bool:
    """Whether a port can be bound soon: a child of a killed server may hold it a moment longer."""
    end = time.monotonic() + FREED
    while not _can_bind(port):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def _can_bind(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
