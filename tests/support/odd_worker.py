"""`claimgraph worker` for tests of survival: one that can be held in mid-task, poisoned, or put under a false clock.

What it is to do stands in files of the folder SURVIVAL_FOLDER, so that a test can say it while the worker runs:

    hold            "COUNT": results, after the first COUNT of each process, are kept back while the file is there;
                    held-PID is there from then on
    poison          a document's id: the process that begins to work on it kills itself

SURVIVAL_CLOCK says how the clock on the wall is wrong: so many seconds ahead, or "back", ten minutes every second.
"""

from __future__ import annotations

import datetime
import os
import signal
import threading
import time
from collections import Counter
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

_RUN = Counter[str]()
_DATED = tuple(
    f"claimgraph.{name}"
    for name in ("kgstore.records", "kgstore.runs.board", "kgstore.runs.progress", "pipeline", "workers.tasks.checking")
)


def main() -> None:
    """Be a worker."""
    _set_clock(os.environ["SURVIVAL_CLOCK"])
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


def _set_clock(wrong: str) -> None:
    """Put `time.time` wrong for all that is imported later, and the `datetime` of claimgraph's modules."""
    real, began, usual = time.time, time.monotonic(), datetime.datetime

    def now() -> float:
        return real() + (-600 * int(time.monotonic() - began) if wrong == "back" else float(wrong))

    class Kind(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, usual)

    class Wrong(usual, metaclass=Kind):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> usual:
            return usual.fromtimestamp(now(), tz)

    time.time = now
    for name in _DATED:
        import_module(name).datetime = Wrong
