"""Processor time of `claimgraph check` of a short text in a process of its own, against one that imports its libraries.

    python -m benchmarks.start

Each process is started three times on a store and a cache of its own, and the least time counts: `new` is a text that
was never read, `known` the same text again.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

REPEATS = 3


def seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return the processor time of a process and its children, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured() -> dict[str, float]:
    """Return the least seconds of each process by name."""
    demo = Path(str(files("claimgraph"))) / "data" / "demo"
    check = ["check", str(demo / "text.txt"), "--context", str(demo / "context.txt")]
    claimgraph = [sys.executable, "-c", "from claimgraph.cli import main; main()"]
    found: dict[str, list[float]] = {}
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            own = os.environ | {"CLAIMGRAPH_STORE": f"{folder}/store", "CLAIMGRAPH_CACHE": f"{folder}/cache"}
            for name, command in {
                "libraries": [sys.executable, "-c", "import onnxruntime, spacy"],
                "help": [*claimgraph, "--help"],
                "new": [*claimgraph, *check],
                "known": [*claimgraph, *check],
            }.items():
                found.setdefault(name, []).append(seconds(command, own))
    return {name: min(times) for name, times in found.items()}


def main() -> None:
    """Print the table."""
    times = measured()
    for name, time in times.items():
        print(f"{name:10} {time:6.2f} s {time / times['libraries']:6.2f} of the libraries' import")


if __name__ == "__main__":
    main()
