"""An embedded store that several processes use at once: through its holder, and after its holder was killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from claimgraph.kgstore import records
from claimgraph.kgstore.engines import shared
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.engines.shared import SharedStore
from claimgraph.kgstore.engines.store_server import FILE
from claimgraph.kgstore.engines.store_wire import send
from claimgraph.kgstore.errors import QueryRefused, StoreError, StoreLocked
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.reads import load_document
from claimgraph.kgstore.store import GraphStore

_HOLDER = """
import sys
from pathlib import Path
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.engines.shared import SharedStore
with SharedStore(Path(sys.argv[1])) as store:
    migrate(store)
    print("holds" if store.info().alone else "asks", flush=True)
    sys.stdin.read()
"""


@contextmanager
def other_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has opened the store; it ends when its standard input does."""
    command = [sys.executable, "-c", _HOLDER, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        try:
            assert process.stdout.readline().strip() in ("holds", "asks")
            yield process
        finally:
            if process.poll() is None:
                process.stdin.close()


def write(store: GraphStore, number: int) -> None:
    """Write the document of that number."""
    store.write(*records.document_steps([Document(f"d{number}", f"Text {number}.", created_at=datetime.now(UTC))]))


def documents(store: GraphStore) -> int:
    """The number of documents, by a user's query."""
    found: int = store.query("MATCH (d:Document) RETURN count(d) AS n", {}).rows[0][0]
    return found


def test_two_processes_write_one_store(tmp_path: Path) -> None:
    """The second goes through the first, sees its writes, and errors arrive as what they are; `alone` tells which."""
    with other_process(tmp_path), SharedStore(tmp_path) as here:
        write(here, 1)
        assert (1, False) == (documents(here), here.info().alone)
        with pytest.raises(QueryRefused, match="changes nothing"):
            here.query("CREATE (n) RETURN n", {})
        with SharedStore(tmp_path) as third:
            assert load_document(third, "d1").text == "Text 1."
    with SharedStore(tmp_path) as after:
        assert (1, True) == (documents(after), after.info().alone)


def test_a_killed_holder_loses_nothing_and_stops_nobody(tmp_path: Path) -> None:
    """Its holder is killed while two threads write through it: every write returns and is there, and this process
    holds the store from then on. What the killed one left beside the store misleads no later process."""
    with other_process(tmp_path) as holder, SharedStore(tmp_path) as here:
        threads = [
            threading.Thread(target=lambda start=start: [write(here, start + n) for n in range(150)])
            for start in (0, 1000)
        ]
        for thread in threads:
            thread.start()
        while documents(here) < 20:
            pass
        os.kill(holder.pid, signal.SIGKILL)
        for thread in threads:
            thread.join()
        assert (300, True) == (documents(here), here.info().alone)
        with other_process(tmp_path):
            write(here, 5000)
        assert 301 == documents(here)
    (tmp_path / FILE).write_text(json.dumps({"pid": 1, "port": 1, "secret": "", "version": "0"}))
    with SharedStore(tmp_path) as later:
        assert 301 == documents(later)


def test_the_next_one_takes_over_from_a_holder_that_ends(tmp_path: Path) -> None:
    """A holder that closes while another uses the store makes room; a third then goes through the second."""
    with other_process(tmp_path) as holder, SharedStore(tmp_path) as here:
        write(here, 1)
        assert holder.stdin
        holder.stdin.close()
        assert 0 == holder.wait()
        write(here, 2)
        with other_process(tmp_path):
            assert (2, True) == (documents(here), here.info().alone)


def test_only_who_knows_the_secret_is_answered(tmp_path: Path) -> None:
    """The file is its owner's alone; a wrong secret, another protocol and silence are answered with nothing."""
    with SharedStore(tmp_path) as store:
        migrate(store)
        assert 0o600 == stat.S_IMODE((tmp_path / FILE).stat().st_mode)
        port = json.loads((tmp_path / FILE).read_text())["port"]
        for said in (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"\0" * 8, b"\0\0\0\0\0\0\0\2{}"):
            assert b"" == _answer(port, said)
        request = _message({"do": "read", "with": ["graphs", {}]})
        assert b"" == _answer(port, _message({"secret": "0" * 64}) + request)
        told = json.loads((tmp_path / FILE).read_text())
        assert b"found" in _answer(port, _message({"secret": told["secret"]}) + request)
        write(store, 1)
    assert not (tmp_path / FILE).exists()


def _message(message: dict[str, object]) -> bytes:
    one, other = socket.socketpair()
    with one, other:
        send(one, message)
        return other.recv(1000)


def _answer(port: int, said: bytes) -> bytes:
    """What the holder answers to these bytes, before it ends the connection or waits for more."""
    with socket.create_connection(("127.0.0.1", port), 10) as stranger, suppress(ConnectionError):
        stranger.sendall(said)
        return stranger.recv(1000)
    return b""


def test_a_holder_that_does_not_share_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the holder has no address, or another version's, the process is named in one line."""
    monkeypatch.setattr(shared, "_PATIENCE", 0.2)
    with open_embedded(tmp_path), pytest.raises(StoreLocked, match="this process"):
        SharedStore(tmp_path)
    with SharedStore(tmp_path):
        told = json.loads((tmp_path / FILE).read_text())
        (tmp_path / FILE).write_text(json.dumps(told | {"version": "0.0.9"}))
        with pytest.raises(StoreLocked, match=r"it runs claimgraph 0\.0\.9"):
            SharedStore(tmp_path)


def test_closed_forked_or_forgotten(tmp_path: Path) -> None:
    """A closed store says so; a forked child is refused and closes nothing; one that was not closed warns."""
    store = SharedStore(tmp_path)
    migrate(store)
    child = os.fork()
    if child == 0:
        try:
            store.read("graphs")
        except StoreError:
            store.close()
            os._exit(0)
        os._exit(1)
    assert (child, 0) == os.waitpid(child, 0)
    write(store, 1)
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.read("graphs")
    forgotten = SharedStore(tmp_path)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        del forgotten
        while not told:
            time.sleep(0.01)
    assert "was not closed" in str(told[0].message)
