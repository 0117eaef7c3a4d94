"""Neo4j as a server: wrong passwords, silent addresses, several processes at once."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import sys
import threading
import time

import engines
import forwarding
import pytest
from neo4j.exceptions import Neo4jError

from claimgraph.kgstore.engines.bolt import BoltStore, _border, connect
from claimgraph.kgstore.engines.migrations import migrate, pending
from claimgraph.kgstore.errors import InputError, StoreDenied, StoreError, StoreStopped, StoreUnreachable
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import Batch, Job, Task

PROGRAM = """
import sys
sys.path[:0] = ["tests/support", "tests/kgstore/engines"]
import engines, test_contract
from claimgraph.kgstore import records
from claimgraph.kgstore.engines.migrations import migrate

with engines.open_neo4j("neo4j") as store:
    print("ready", flush=True)
    sys.stdin.readline()
    if sys.argv[1] == "migrate":
        migrate(store)
    else:
        test_contract._put_claim(store)
        store.write(*records.subgraph_steps("world", "world", test_contract._world(200), "v"))
        store.write(*records.verdict_steps(test_contract.RUN, [test_contract._verdict(sys.argv[1])]))
"""


def _at_once(*arguments: str) -> list[int]:
    """Exit codes of processes that begin their work together."""
    command = [sys.executable, "-c", PROGRAM]
    running = [
        subprocess.Popen([*command, argument], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for argument in arguments
    ]
    for process in running:
        assert process.stdout
        assert "ready\n" == process.stdout.readline()
    for process in running:
        process.communicate("go\n")
    return [process.returncode for process in running]


def test_two_processes_migrating_at_once(neo4j_store: BoltStore) -> None:
    """Both succeed, and each migration is recorded once."""
    neo4j_store.schema("MATCH (m:Migration) DELETE m")
    for kind, listed in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
        shown = neo4j_store._driver.execute_query(f"SHOW {listed} YIELD name, type RETURN name, type").records
        for row in shown:
            if row["type"] != "LOOKUP":
                neo4j_store.schema(f"DROP {kind} {row['name']}")
    waiting = pending(neo4j_store)
    assert waiting
    assert [0, 0] == _at_once("migrate", "migrate")
    assert waiting == [row["id"] for row in neo4j_store.read("migrations")]


def test_processes_writing_at_once_leave_one_copy(neo4j_store: BoltStore) -> None:
    """Three processes writing the same things leave one of each, and one of their verdicts holds."""
    assert [0, 0, 0] == _at_once("one", "two", "three")
    labels = neo4j_store.query("MATCH (n) UNWIND labels(n) AS l RETURN l, count(*) AS n", {}).rows
    types = neo4j_store.query("MATCH ()-[r]->() RETURN type(r) AS t, count(*) AS n", {}).rows
    expected = {"Entity": 202, "Document": 1, "Claim": 1, "FACT": 201, "Verdict": 3, "CURRENT": 1, "SUPERSEDES": 2}
    assert expected.items() <= dict([*labels, *types]).items()


@pytest.mark.usefixtures("neo4j_store")
def test_a_wrong_password_is_one_line_without_it() -> None:
    """StoreDenied names the address, never the password."""
    with pytest.raises(StoreDenied) as refused:
        connect(os.environ["NEO4J_URI"], "neo4j", "not-the-password")
    assert "not-the-password" not in str(refused.value)
    assert 1 == len(str(refused.value).splitlines())


def test_an_unreachable_server_is_one_line_without_the_password() -> None:
    """StoreUnreachable names host and port, and not what stands before the @."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for scheme in ("bolt", "neo4j"):
        with pytest.raises(StoreUnreachable, match=f"127.0.0.1:{port}") as refused:
            connect(f"{scheme}://127.0.0.1:{port}", "neo4j", "secret", retry_seconds=1)
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize("uri", ["http://localhost", "localhost", "bolt://host:port", "bolt+x://localhost"])
def test_an_address_that_is_none(uri: str) -> None:
    """An address with another scheme or without a port number is the user's error, told in one line."""
    with pytest.raises(InputError) as refused:
        connect(uri, "neo4j", "secret")
    assert 1 == len(str(refused.value).splitlines())


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("Neo.DatabaseError.Transaction.TransactionLogError", "make room and restart it"),
        ("Neo.DatabaseError.Transaction.TransactionStartFailed", "make room and restart it"),
        ("Neo.TransientError.General.DatabaseUnavailable", "no database that runs"),
        ("Neo.ClientError.General.WriteOnReadOnlyAccessDatabase", "read-only"),
    ],
)
def test_a_database_that_takes_nothing(code: str, said: str) -> None:
    """What Neo4j answers on a full disk (the first two are recorded from one) or read-only is one line, an outage that
    passes.
    """
    error = Neo4jError._hydrate_neo4j(code=code, message="Could not append transaction")  # type: ignore[attr-defined]
    with pytest.raises(StoreStopped, match=said) as caught, _border("bolt://host:7687"):
        raise error
    assert 1 == len(str(caught.value).splitlines())


@pytest.mark.usefixtures("neo4j_store")
def test_an_unknown_database() -> None:
    """A database that does not exist is one line with its name."""
    password = os.environ["NEO4J_PASSWORD"]
    with (
        connect(os.environ["NEO4J_URI"], os.environ["NEO4J_USERNAME"], password, "nosuchdb", retry_seconds=1) as store,
        pytest.raises(StoreError, match="nosuchdb"),
    ):
        store.read("graphs")


def test_migrating_is_needed_once(neo4j_store: BoltStore) -> None:
    """A second run applies nothing."""
    assert [] == migrate(neo4j_store)


@pytest.mark.usefixtures("servers")
def test_the_engine_says_what_it_is() -> None:
    """Engine, version and an address without secrets."""
    with engines.open_neo4j("neo4j") as store:
        info = store.info()
    assert ("neo4j", os.environ["NEO4J_URI"]) == (info.engine, info.address)
    assert info.version[0].isdigit()


@pytest.mark.usefixtures("servers")
def test_who_takes_a_task_reads_all_that_was_written_before() -> None:
    """On a cluster a member that lags behind must not answer: a claim, which is a write, leaves a bookmark that lies
    after everything written before it by others, and later reads of the process carry it."""
    job = Job("j1:bookmarks", "check", None)
    task = Task(job.id, "check", "cpu")
    with engines.open_neo4j("neo4j") as writer, engines.open_neo4j("neo4j") as worker:
        engines.wipe(writer)
        migrate(writer)
        Board(writer).submit(Batch("b1:bookmarks", "check", "{}"), [job], [task])
        assert Board(worker).claim(task.job, "worker")
        worker.read("graphs")
        assert _last(worker) > _last(writer)


def _last(store: BoltStore) -> int:
    """The transaction named by what the next session of the store will carry: its bookmark ends with the number."""
    [bookmark] = store._driver.execute_query_bookmark_manager.get_bookmarks()
    number = base64.b64decode(bookmark.partition(":")[2] + "==")[19:-1]
    return int.from_bytes(number[1:] or number, "big")


@pytest.mark.soak
@pytest.mark.usefixtures("neo4j_store")
def test_a_server_that_falls_silent_is_noticed() -> None:
    """Where bytes are swallowed, a read fails within a minute, since the server's signs of life are missing too; the
    same store works when they flow again.
    """
    silent, port, uri = threading.Event(), forwarding.free_port(), os.environ["NEO4J_URI"]
    user, password = os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]
    with (
        forwarding.forwarding(port, uri, silent),
        connect(f"bolt://127.0.0.1:{port}", user, password, retry_seconds=1) as store,
    ):
        store.read("graphs")
        silent.set()
        begun = time.monotonic()
        with pytest.raises(StoreUnreachable):
            store.read("graphs")
        assert time.monotonic() - begun < 60
        silent.clear()
        store.read("graphs")
        print(f"silence of Neo4j noticed after {time.monotonic() - begun:.0f} s")
