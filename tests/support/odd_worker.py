"""`claimgraph worker` for tests of survival: one that can be held in mid-task, poisoned, or put under a false clock.

What it is to do stands in files of the folder SURVIVAL_FOLDER, so that a test can say it while the worker runs:

    hold            "COUNT": results, after the first COUNT of each process, are kept back while the file is there;
                    held-PID is there from then on
    poison          a document's id: the process that begins to work on it kills itself

With SURVIVAL_CLOCK the clock on the wall goes back ten minutes every second.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

_RUN = Counter[str]()


def main() -> None:
    """Be a worker."""
    if "SURVIVAL_CLOCK" in os.environ:
        _turn_back()
    from claimgraph.cli import main as command
    from claimgraph.workers.tasks.checking import Check

    folder, usual = Path(os.environ["SURVIVAL_FOLDER"]), Check.run

    def run(self: Any) -> Any:
        if _read(folder / "poison") == self.job.document:
            os.kill(os.getpid(), signal.SIGKILL)
        done = usual(self)
        _held(folder)
        return done

    Check.run = run  # type: ignore[method-assign]
    command()


def _held(folder: Path) -> None:
    wanted = _read(folder / "hold")
    if not wanted:
        return
    _RUN[wanted] += 1
    if _RUN[wanted] > int(wanted):
        (folder / f"held-{os.getpid()}").touch()
        while _read(folder / "hold") == wanted:
            threading.Event().wait(0.05)


def _read(path: Path) -> str:
    with suppress(FileNotFoundError):
        return path.read_text()
    return ""


def _turn_back() -> None:
    real, began = time.time, time.monotonic()
    time.time = lambda: real() - 600 * int(time.monotonic() - began)
