"""Local services: what is committed survives kill -9, nobody else's process is touched, and nothing starts twice.

They run in a state folder of their own, so the servers that the other tests use stay untouched. `make test` kills each
service once, in test_survival.py; those marked `soak` are for `make soak`.
"""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from localservices.state import State
from own_services import ROOT, VARIABLES, Services, exports, skip_unless_allowed

skip_unless_allowed()


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    made = Services(tmp_path_factory.mktemp("services"))
    yield made
    made.run("down")


@pytest.mark.soak
def test_neo4j_keeps_committed_data_over_kill_9(services: Services) -> None:
    """A committed node is there after kill -9 and `up`, at the same address."""
    from neo4j import Driver, GraphDatabase

    def driver(env: dict[str, str]) -> Driver:
        return GraphDatabase.driver(env["NEO4J_URI"], auth=(env["NEO4J_USERNAME"], env["NEO4J_PASSWORD"]))

    first = services.up("neo4j")
    with driver(first) as client:
        client.execute_query("CREATE (:Kept {value: 42})", database_="neo4j")
    assert 0 == services.run("kill", "neo4j").returncode
    assert 1 == services.run("status", "neo4j").returncode
    second = services.up("neo4j")
    assert first == second
    with driver(second) as client:
        assert [[42]] == [r.values() for r in client.execute_query("MATCH (n:Kept) RETURN n.value").records]
    assert 0 == services.run("down", "neo4j").returncode


@pytest.mark.soak
def test_redis_keeps_data_over_kill_9(services: Services) -> None:
    """A list that was pushed and synced is there after kill -9 and `up`, at the same address."""
    from redis import Redis

    first = services.up("redis")
    with Redis.from_url(first["CELERY_BROKER_URL"]) as client:
        client.config_set("appendfsync", "always")
        client.rpush("queue", "a", "b")
    assert 0 == services.run("kill", "redis").returncode
    second = services.up("redis")
    assert first == second
    with Redis.from_url(second["CELERY_BROKER_URL"]) as client:
        assert [b"a", b"b"] == client.lrange("queue", 0, -1)


@pytest.mark.soak
def test_rabbitmq_keeps_messages_over_kill_9(services: Services) -> None:
    """A message that was confirmed is in its durable queue after kill -9 and `up`, at the same address."""
    from kombu import Connection

    first = services.up("rabbitmq")
    with Connection(first["CELERY_BROKER_URL"], transport_options={"confirm_publish": True}) as broker:
        broker.SimpleQueue("kept").put("a")
    assert 0 == services.run("kill", "rabbitmq").returncode
    second = services.up("rabbitmq")
    assert first == second
    with Connection(second["CELERY_BROKER_URL"]) as broker:
        assert "a" == broker.SimpleQueue("kept").get(timeout=120).payload
    assert 0 == services.run("down", "rabbitmq").returncode


def test_concurrent_ups_start_one_server(services: Services) -> None:
    """Three commands at once print the same exports and leave one Redis."""
    services.run("down", "redis")
    command = [str(ROOT / "scripts" / "services"), "up", "redis"]
    running = [subprocess.Popen(command, env=services.env, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = {process.communicate(timeout=120)[0] for process in running}
    assert 1 == len(outputs)
    configuration = os.fsencode(services.folder / "redis" / "redis.conf")
    lines = [p for p in Path("/proc").glob("[0-9]*/cmdline") if _reads(p).split(b"\0")[1:2] == [configuration]]
    assert 1 == len(lines)


def test_a_service_runs_from_its_start(tmp_path: Path) -> None:
    """While other processes keep the cores busy, a service that has just been started is found at once, every time: a
    process that the system is about to replace by another program has no command line for a moment.
    """
    script = """if True:
        import os, sys
        from pathlib import Path
        from localservices import processes
        home = Path(sys.argv[1])
        for _ in range(150):
            processes.start(home, ["sleep", "60"], {})
            found = processes.running(home)
            os.kill(int((home / "pid").read_text()), 9)
            os.wait()
            assert found is not None
        """
    env = os.environ | {"PYTHONPATH": str(ROOT / "scripts")}
    running = []
    for name in "abcd":
        (tmp_path / name).mkdir()
        running.append(subprocess.Popen([sys.executable, "-c", script, str(tmp_path / name)], env=env))
    assert [0, 0, 0, 0] == [process.wait(120) for process in running]


def test_a_port_that_is_held_for_a_moment_is_kept(tmp_path: Path) -> None:
    """A killed server comes back at the address that its clients know, also where a child of it ends a little later."""
    state = State(tmp_path)
    port = state.choose_port("redis")
    with socket.create_server(("127.0.0.1", port)) as held:
        ending = threading.Timer(0.5, held.close)
        ending.start()
        assert port == state.choose_port("redis")
        ending.join()


def test_a_foreign_process_is_never_killed(services: Services) -> None:
    """A pid file that now names somebody else's process is not followed."""
    services.up("redis")
    own = services.pid("redis")
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as stranger:
        (services.folder / "redis" / "pid").write_text(f"{stranger.pid}\n")
        refused = services.run("kill", "redis")
        services.run("down", "redis")
        assert (1, None) == (refused.returncode, stranger.poll())
        stranger.kill()
    (services.folder / "redis" / "pid").write_text(f"{own}\n")
    assert 0 == services.run("kill", "redis").returncode


def test_a_given_broker_is_used_and_left_alone(services: Services, tmp_path: Path) -> None:
    """With CELERY_BROKER_URL set, `up` prints that address, starts nothing, and `down` does not stop it."""
    given = services.up("redis")["CELERY_BROKER_URL"]
    other = Services(tmp_path / "other")
    done = other.run("up", "redis", CELERY_BROKER_URL=given)
    assert {"CELERY_BROKER_URL": given} == exports(done.stdout)
    assert 0 == other.run("down", CELERY_BROKER_URL=given).returncode
    assert 0 == services.run("status", "redis").returncode


def test_a_given_server_that_does_not_answer_is_one_line(services: Services) -> None:
    """The line names the variable and the address, and not the password; nothing is printed for the shell."""
    done = services.run("up", NEO4J_URI="bolt://user:secret@127.0.0.1:1", NEO4J_PASSWORD="secret")
    assert (1, "") == (done.returncode, done.stdout)
    (line,) = (text for text in done.stderr.splitlines() if "NEO4J_URI" in text)
    assert "bolt://127.0.0.1:1 does not answer" in line
    assert "secret" not in done.stderr


def test_the_password_is_readable_by_its_owner_only(services: Services) -> None:
    """The state and Redis' configuration hold the password: mode 0600."""
    services.up("redis")
    files = (services.folder / "state.json", services.folder / "redis" / "redis.conf")
    assert [0o600, 0o600] == [stat.S_IMODE(path.stat().st_mode) for path in files]


@pytest.mark.usefixtures("servers")
def test_run_returns_the_status_and_stops_on_a_signal(tmp_path: Path) -> None:
    """`run` has two brokers, hands on the command's exit status, and ends command and services when told to end."""
    other = Services(tmp_path / "run")
    given = {name: os.environ[name] for name in VARIABLES if name in os.environ}
    assert {"CLAIMGRAPH_TEST_RABBITMQ_URL", "CELERY_BROKER_URL", "NEO4J_URI"} <= given.keys()
    assert 7 == other.run("run", "--", "sh", "-c", "exit 7", **given).returncode
    command = [str(ROOT / "scripts" / "services"), "run", "--", "sh", "-c", "echo started; exec sleep 60"]
    with subprocess.Popen(command, env=other.env | given, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "started\n" == process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert 128 + signal.SIGTERM == process.wait(60)


def _reads(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
