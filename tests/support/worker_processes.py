"""Workers as processes of their own, for tests: started with settings, waited for, stopped or killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_MAIN = "from claimgraph.cli import main; main()"
PATIENCE = 180.0
"""Seconds to wait for what takes a few: a loaded machine with 2 cores."""


@dataclass
class WorkerProcess:
    """A running `claimgraph worker` with all processes under it; what it says is in `log`."""

    process: subprocess.Popen[bytes]
    log: Path

    def said(self) -> str:
        """All it said."""
        return self.log.read_text(errors="replace")

    def says(self, words: str, seconds: float = PATIENCE) -> None:
        """Wait until it has said these words. Fails with all it said where it ends before that."""
        wait_until(lambda: words in self.said(), seconds, lambda: self.process.poll() is None, self.said)

    def ready(self) -> None:
        """Wait until it takes tasks."""
        self.says(" ready.")

    def terminate(self) -> int:
        """Ask it to end after its running tasks; its exit status."""
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """kill -9 of it and all its processes, at once. Twice is fine."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)


def start_worker(
    folder: Path, *options: str, name: str = "worker", main: str = _MAIN, **settings: str
) -> WorkerProcess:
    """A worker in a process group of its own. `options` are those of the command line, `settings` variables of the
    environment beside the test's own. The cache is in `folder`, its log is `folder`/`name`.log; `main` is what Python
    is told to run."""
    log = folder / f"{name}.log"
    cache = str(folder / "cache")
    usual = {"CLAIMGRAPH_CACHE": cache, "CLAIMGRAPH_LEASE_SECONDS": "2", "CLAIMGRAPH_MODEL_THREADS": "1"}
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", main, "worker", *options],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env=os.environ | usual | settings,
            start_new_session=True,
        )
    return WorkerProcess(process, log)


@contextmanager
def workers(folder: Path, *commands: Sequence[str], **settings: str) -> Iterator[list[WorkerProcess]]:
    """A worker for each list of options, ready; killed in the end if they still run."""
    started: list[WorkerProcess] = []
    try:
        for number, options in enumerate(commands):
            started.append(start_worker(folder, *options, name=f"worker-{number}", **settings))
        for worker in started:
            worker.ready()
        yield started
    finally:
        for worker in started:
            worker.kill()


def wait_until(
    true: Callable[[], bool],
    seconds: float = PATIENCE,
    alive: Callable[[], bool] = lambda: True,
    why: Callable[[], str] = lambda: "",
) -> None:
    """Wait for something that cannot tell us. Fails, saying why, after so many seconds or where nothing is alive."""
    deadline, pause = time.monotonic() + seconds, threading.Event()
    while not true():
        assert alive(), why()
        assert time.monotonic() < deadline, f"not within {seconds:g} seconds\n{why()}"
        pause.wait(0.1)


def broker_url(variable: str = "CELERY_BROKER_URL") -> str:
    """The broker's address; without one, a skip, or a failure under CI."""
    if url := os.environ.get(variable):
        return url
    assert not os.environ.get("CI"), f"{variable} is not set"
    pytest.skip(f"{variable} is not set: start a broker with scripts/services")
