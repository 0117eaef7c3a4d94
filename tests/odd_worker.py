"""`claimgraph worker` for tests of survival: one that can be held in mid-task, poisoned, or put under a false clock.

What it is to do stands in files of the folder SURVIVAL_FOLDER, so that a test can say it while the worker runs:

    hold            "STAGE COUNT": results of that stage, after the first COUNT of each process, are kept back while
                    the file is there; held-PID is there from then on
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
    from claimgraph.workers.stages.stage_table import Stage

    folder, usual = Path(os.environ["SURVIVAL_FOLDER"]), Stage.run

    def run(self: Any, claimed: Any, tools: Any) -> Any:
        if _read(folder / "poison") == claimed.job.document:
            os.kill(os.getpid(), signal.SIGKILL)
        done = usual(self, claimed, tools)
        _held(folder, claimed.task.stage)
        return done

    Stage.run = run  # type: ignore[method-assign]
    command()


def _held(folder: Path, stage: str) -> None:
    wanted = _read(folder / "hold")
    if not wanted.startswith(f"{stage} "):
        return
    _RUN[wanted] += 1
    if _RUN[wanted] > int(wanted.split()[1]):
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
