"""A worker's numbers as Prometheus gets them: over HTTP, from all its processes, read by Prometheus' own parser."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from worker_processes import broker_url, workers

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.settings import Settings, load_settings
from claimgraph.workers.messaging.app import make_app, sender
from claimgraph.workers.messaging.broker_inspection import answering
from claimgraph.workers.submission.submit import Asked, Item, submit

Numbers = dict[tuple[str, frozenset[tuple[str, str]]], float]

_WORKER = """
import os, sys, signal
from claimgraph.workers.observe.metrics import Metrics
from claimgraph.kgstore import metric_hooks
from claimgraph.kgstore.runs.jobs import TaskLease, Job, Task
from claimgraph.workers.execution.task_errors import TaskError

def unknown(): raise OSError("no broker")
asked = {"depths": {"cpu": 3, "net": 0}}
metrics = Metrics()
print(metrics.serve(0, lambda: asked["depths"] or unknown()), flush=True)
claimed = lambda name: TaskLease(Task("j1:1", name, "cpu"), Job("j1:1", "check", "d1:1"), (), "me", 1)

def child():
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "start": metrics.started(claimed(rest[0]))
        elif word == "end": metrics.ended(claimed(rest[0]), rest[1], float(rest[2]))
        elif word == "fail": metrics.ended(claimed(rest[0]), "error", 1.0, TaskError(rest[1], "said"))
        elif word == "cache": metric_hooks.looked_up(rest[0], int(rest[1]), int(rest[2]))
        elif word == "model": metric_hooks.computed(rest[0], int(rest[1]))
        elif word == "die": os.kill(os.getpid(), signal.SIGKILL)
        elif word == "leave": os._exit(0)
        print("ok", flush=True)

for line in iter(sys.stdin.readline, ""):
    word = line.strip()
    if word == "fork":
        if (pid := os.fork()) == 0: child()
        os.waitpid(pid, 0)
        print("ended", flush=True)
    elif word == "quiet":
        asked["depths"] = None
        print("ok", flush=True)
"""
_TWO = (("check", "done"), ("fetch", "error"))


class Worker:
    """A process that forks one child at a time and passes on to it what it is told."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.port = int(self._line())

    def tell(self, *lines: str) -> None:
        """Say one line after another, each when the one before was done."""
        assert self._process.stdin
        for line in lines:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            if line != "fork":
                self._line()

    def _line(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the worker has ended"
        return line


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    """A worker with metrics, its child and its HTTP address."""
    with subprocess.Popen(
        [sys.executable, "-u", "-c", _WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as process:
        try:
            yield Worker(process)
        finally:
            process.kill()


def scrape(port: int) -> Numbers:
    """What Prometheus reads there: values by name and labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def at(numbers: Numbers, name: str, **labels: str) -> float | None:
    return numbers.get((f"claimgraph_{name}", frozenset(labels.items())))


def test_what_became_of_tasks(worker: Worker) -> None:
    """Tasks are counted by name and result, timed by name, and troubles by kind, whichever process did them."""
    worker.tell("fork", "start check", "end check done 0.2", "start check", "end check done 3", "leave")
    worker.tell("fork", "start fetch", "fail fetch ModelError")
    found = scrape(worker.port)
    done = [at(found, "tasks_total", task=task, result=result) for task, result in _TWO]
    assert ([2, 1], 2) == (done, at(found, "task_seconds_count", task="check"))
    assert 3.2 == at(found, "task_seconds_sum", task="check")
    assert (1, 2) == tuple(at(found, "task_seconds_bucket", task="check", le=le) for le in ("0.25", "5.0"))
    assert 1 == at(found, "failures_total", task="fetch", kind="ModelError")


def test_a_process_that_is_killed_has_nothing_under_way(worker: Worker) -> None:
    """A task counts as running while its process lives; what a killed one finished before stays counted."""
    worker.tell("fork", "start check", "end check done 1", "start check")
    assert 1 == at(scrape(worker.port), "tasks_running", task="check")
    worker.tell("die")
    found = scrape(worker.port)
    assert at(found, "tasks_running", task="check") is None
    assert 1 == at(found, "tasks_total", task="check", result="done")


def test_caches_and_models(worker: Worker) -> None:
    """Hits, misses and how much models got at once are told by what knows them, and added up."""
    worker.tell("fork", "cache vectors 8 2", "cache vectors 1 0", "model embedding 2", "model embedding 100")
    found = scrape(worker.port)
    lookups = [at(found, "cache_lookups_total", cache="vectors", result=result) for result in ("hit", "miss")]
    sizes = [at(found, "model_batch_size_bucket", model="embedding", le=le) for le in ("2.0", "64.0", "128.0")]
    assert ([9, 2], [1, 1, 2]) == (lookups, sizes)


def test_an_unknown_depth_is_absent(worker: Worker) -> None:
    """Depths are asked for when Prometheus asks; a broker that does not say leaves none, and the rest is served."""
    worker.tell("fork", "cache scores 1 0", "leave")
    found = scrape(worker.port)
    assert [3, 0, None] == [at(found, "queue_depth", queue=queue) for queue in ("cpu", "net", "bulk")]
    worker.tell("quiet")
    found = scrape(worker.port)
    assert at(found, "queue_depth", queue="cpu") is None
    assert 1 == at(found, "cache_lookups_total", cache="scores", result="hit")


def test_metrics_are_on_loopback_and_a_port_in_use_is_one_line(worker: Worker) -> None:
    """Nobody else on the network is answered, and a second worker on the port is told so."""
    script = f"from claimgraph.workers.observe.metrics import Metrics\nMetrics().serve({worker.port}, dict)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert f"InputError: cannot serve metrics on 127.0.0.1:{worker.port}: Address already in use" in done.stderr


def test_a_real_worker_answers(neo4j_store: BoltStore, tmp_path: Path) -> None:
    """`claimgraph worker` counts the tasks of its processes, speaks JSON lines, and is found by who asks for it."""
    settings = replace(load_settings(), broker_url=broker_url())
    options = ("--queues", "cpu", "--metrics-port", "0")
    with workers(tmp_path, options, TMPDIR=str(tmp_path)) as (worker,):
        port = int(re.findall(r"metrics at http://127.0.0.1:(\d+)/", worker.said())[0])
        assert f"claimgraph-{worker.process.pid}@" in " ".join(answering(settings))
        send(settings, neo4j_store)
        worker.says('"result": "done"')
        found = scrape(port)
        worker.terminate()
    assert 1 == at(found, "tasks_total", task="check", result="done")
    assert {0, None} >= {at(found, "queue_depth", queue=queue) for queue in ("cpu", "bulk")}
    assert {"time", "level", "event"} <= set.intersection(*(set(json.loads(line)) for line in _lines(worker.said())))
    assert [] == list(tmp_path.glob("claimgraph-metrics-*"))


def _lines(said: str) -> list[str]:
    """All but what Celery prints of its own when it is told to stop."""
    return [line for line in said.splitlines() if line.strip() and not line.startswith("worker: ")]


def send(settings: Settings, store: BoltStore) -> None:
    """Submit a check of one text against itself."""
    text = document_from_text("Marie Curie was born in Paris.", 1, "the text")
    submit(settings, store, [Item(text, context=text)], Asked("check", ["rules"]), sender(make_app(settings)))


def test_every_metric_is_documented() -> None:
    """docs/operations.md names each metric that workers and the web service have, and no other."""
    root = Path(__file__).parents[2]
    sources = ("workers/observe/metrics.py", "claimgraph/web/api/metrics.py")
    code = "".join((root / name).read_text() for name in sources)
    made = set(re.findall(r'"(claimgraph_\w+)"', code))
    told = set(re.findall(r"`(claimgraph_\w+)", (root / "docs" / "operations.md").read_text()))
    assert made == {name.removesuffix("_total") for name in told}
