"""What a worker says: JSON lines with the ids of the task at hand, without secrets and without texts."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from claimgraph.kgstore.errors import ModelError
from claimgraph.kgstore.runs.jobs import Job, Task, TaskLease
from claimgraph.settings import Settings
from claimgraph.workers.execution.task_errors import TaskError, left_unknown, line
from claimgraph.workers.observe import logs
from claimgraph.workers.observe.logs import Lines, Logged
from claimgraph.workers.observe.observers import Joined

SETTINGS = Settings(
    neo4j_password="correct horse",
    broker_url="redis://user:p%40ssw0rd1@broker:6379/0",
    llm_api_key="sk-0123456789",
)
SECRETS = ["correct horse", "p%40ssw0rd1", "p@ssw0rd1", "sk-0123456789"]

Said = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Iterator[Said]:
    """All that this process says as a worker, as objects; its logging is as before afterwards."""
    stream, root = io.StringIO(), logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers.clear()
    monkeypatch.setattr("sys.stderr", stream)
    try:
        logs.configure(SETTINGS)
        yield lambda: [json.loads(one) for one in stream.getvalue().splitlines()]
    finally:
        logging.captureWarnings(False)
        root.handlers[:] = before
        root.setLevel(level)


def claimed(name: str = "check", *, number: int = 1) -> TaskLease:
    """A task of a document."""
    job = Job(f"j1:{number}", "check", f"d1:{number}")
    return TaskLease(Task(job.id, name, "cpu"), job, ("b1:1",), "somebody", 2)


def test_a_task_from_its_start_to_its_end(said: Said) -> None:
    """Both lines carry the ids and the attempt; the second says how long it took and what became of it."""
    log = Logged()
    log.started(claimed())
    log.ended(claimed(), "done", 1.23456)
    began, ended = said()
    ids = {"run": "b1:1", "job": "j1:1", "task": "check", "document": "d1:1", "attempt": 2}
    assert [ids, ids] == [{key: one[key] for key in ids} for one in (began, ended)]
    assert ("task started", "task ended", "info") == (began["event"], ended["event"], ended["level"])
    assert (1.2346, "done", False) == (ended["seconds"], ended["result"], "error" in ended)
    assert ["time", "level", "event", "run"] == list(ended)[:4]


def test_claims_that_failed_are_named(said: Said) -> None:
    """A task that leaves claims without an outcome says which, and why, and is a warning."""
    rows = [{"claim": "c1:1", "status": "complete"}, {"claim": "c1:2", "status": "timeout"}]
    Logged().ended(claimed(), "overdue", 1.0, left_unknown("link: took too long", [("put_verdicts", rows)]))
    [ended] = said()
    assert ("warning", "timeout", ["c1:2"]) == (ended["level"], ended["kind"], ended["claims"])
    assert "link: took too long" == ended["error"]


@pytest.mark.parametrize(
    ("result", "level"),
    [("done", "info"), ("released", "info"), ("failed", "warning"), ("error", "warning"), ("parked", "error")],
)
def test_the_level_is_that_of_what_became_of_it(result: str, level: str, said: Said) -> None:
    """What somebody must look at is an error; what is tried again, a warning."""
    Logged().ended(claimed(), result, 1.0)
    assert [level] == [one["level"] for one in said()]


def test_what_libraries_say_carries_the_task_at_hand(said: Said) -> None:
    """Lines of other loggers have the ids of the task that their thread is at, and none afterwards."""
    log = Logged()

    def work(number: int) -> None:
        log.started(claimed(number=number))
        logging.getLogger("neo4j.pool").warning("a connection %s", number)
        log.ended(claimed(number=number), "done", 0.1)
        logging.getLogger("neo4j.pool").warning("idle")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, (1, 2, 3)))
    lines = said()
    named = {(one["event"], one["job"]) for one in lines if one["event"].startswith("a connection")}
    assert {(f"a connection {number}", f"j1:{number}") for number in (1, 2, 3)} == named
    assert {False} == {"job" in one for one in lines if one["event"] == "idle"}


def test_secrets_are_never_said(said: Said) -> None:
    """Not in a message, an argument, an error, a field, nor in the address of a server."""
    log = logging.getLogger("somebody")
    for secret in SECRETS:
        log.info("token %s", secret)
        log.warning(f"with {secret}")
        try:
            raise ModelError(f"the server refused {secret}")
        except ModelError:
            log.exception("it failed with %s", secret)
        Logged().ended(claimed(), "error", 1.0, TaskError("ModelError", f"refused {secret}"))
    log.info("connected to redis://:tiny@127.0.0.1:6379/0 and %s", SETTINGS.broker_url)
    text = json.dumps(said(), ensure_ascii=False)
    assert [] == [secret for secret in (*SECRETS, "tiny") if secret in text]
    assert [] == [secret for secret in SECRETS if secret in line(ValueError(secret), SETTINGS)]


def test_texts_are_never_said(said: Said) -> None:
    """An error that is none of ours may quote a text: its class is said, and where it arose."""
    text = "Marie Curie was born in Warsaw."
    try:
        int(text)
    except ValueError as error:
        logging.getLogger("claimgraph.workers.execution.task_flow").info(
            "extract failed: %s", line(error, SETTINGS), exc_info=error
        )
        Logged().ended(claimed(), "error", 1.0, TaskError("ValueError", line(error, SETTINGS)))
    told, ended = said()
    assert not [one for one in (told, ended) if "Curie" in json.dumps(one)]
    assert ("extract failed: ValueError", "ValueError", "ValueError") == (told["event"], told["error"], ended["error"])
    assert "test_texts_are_never_said" in told["where"][-1]


def test_a_line_is_a_line(said: Said) -> None:
    """Line breaks and what is not ASCII stay in one line; a long message is cut."""
    logging.getLogger("somebody").info("one\ntwo\u2028three é")
    logging.getLogger("somebody").info("x" * 10_000)
    first, second = said()
    assert ("one two three é", 500) == (first["event"], len(second["event"]))


def test_all_observers_are_told() -> None:
    """Observers joined are told of each task in order."""
    told: list[str] = []

    class Teller:
        def __init__(self, name: str) -> None:
            self.name = name

        def started(self, claimed: TaskLease) -> None:
            told.append(f"{self.name} {claimed.job.id}")

        def ended(self, claimed: TaskLease, result: str, seconds: float, trouble: TaskError | None = None) -> None:
            told.append(f"{self.name} {claimed.job.id} {result} {seconds} {trouble and trouble.kind}")

    joined = Joined(Teller("a"), Teller("b"))
    joined.started(claimed())
    joined.ended(claimed(), "error", 1.0, TaskError("ModelError", ""))
    assert ["a j1:1", "b j1:1", "a j1:1 error 1.0 ModelError", "b j1:1 error 1.0 ModelError"] == told


@pytest.mark.usefixtures("said")
def test_celery_leaves_it_at_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery's own set-up of a worker's logging, in whatever process, gives lines of this kind too."""
    from celery import Celery, signals
    from celery.app import log as celery_log

    def begins(**_: Any) -> None:
        logs.configure(SETTINGS)

    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    signals.setup_logging.connect(begins)
    try:
        celery_log.Logging(Celery("claimgraph")).setup(loglevel="INFO", redirect_stdouts=True)
    finally:
        signals.setup_logging.disconnect(begins)
    logging.getLogger("celery.worker").warning("consumer: lost the connection")
    assert "consumer: lost the connection" == json.loads(stream.getvalue())["event"]
    assert [Lines] == [type(handler.formatter) for handler in logging.getLogger().handlers]
