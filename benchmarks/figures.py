"""Figures of the benchmark suite: work beside its baseline in one run, by processor time, which other work on the
machine changes less than the clock."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """Processor time of `work` and of its `baseline`, in seconds. `counts` are what was done, by name.

    `goal` says in words what `reached` stands for; None where nothing was asked for.
    """

    work: str
    seconds: float
    baseline: str
    baseline_seconds: float
    goal: str = ""
    reached: bool | None = None
    counts: Mapping[str, float] = field(default_factory=dict)

    @property
    def times(self) -> float:
        """The baseline's time, as so many times that of the work."""
        return self.baseline_seconds / self.seconds

    def row(self) -> str:
        """Return the figure as a row of COLUMNS in Markdown."""
        reached = {True: "reached", False: "missed", None: ""}[self.reached]
        counts = ", ".join(f"{count:,.6g} {name}" for name, count in self.counts.items())
        times = f"{self.times:,.0f}" if self.times >= 10 else f"{self.times:.2g}"
        cells = (self.work, _said(self.seconds), self.baseline, times, f"{self.goal} {reached}".strip(), counts)
        return f"| {' | '.join(cells)} |"

    def as_json(self) -> dict[str, Any]:
        """Return the figure as a JSON object."""
        return asdict(self) | {"times": round(self.times, 3)}


COLUMNS = "| work | processor time | baseline | times | goal | counts |\n| --- | --- | --- | --- | --- | --- |"


def processor(work: Callable[[], object], repeats: int = 1) -> float:
    """Return the least processor time of some calls in seconds, all threads of this process counted."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def of_process(code: str, *given: str, environment: Mapping[str, str] | None = None) -> tuple[float, str]:
    """Run Python code in a process of its own; return its processor time in seconds, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = [sys.executable, "-c", code, *given]
    done = subprocess.run(run, env=os.environ | (environment or {}), capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


def memory_peak() -> float:
    """Return the most memory of this process so far, in MB. getrusage's figure begins with that of its parent."""
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as a table in Markdown."""
    return "\n".join([COLUMNS, *(figure.row() for figure in figures)])


def _said(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"
