"""The command line in a process of its own beside one that only imports onnxruntime and spaCy.

Both find their bytecode, as from the second command on everybody's do, whatever PYTHONDONTWRITEBYTECODE says here.
Models run on one thread: on two that share a core the same products take more processor time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from benchmarks.figures import Figure, of_process

REPEATS = 3
BASELINE = "import onnxruntime, spacy"
COMMAND = "import sys; from claimgraph.cli import main; sys.argv[0] = 'claimgraph'; main()"


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield a figure for --help, for a text that was never read, and for the same text again; the least of three."""
    del full
    demo = Path(str(files("claimgraph"))) / "data" / "demo"
    check = ["check", str(demo / "text.txt"), "--context", str(demo / "context.txt")]
    times: dict[str, list[float]] = {"libraries": [], "help": [], "new": [], "known": []}
    with tempfile.TemporaryDirectory() as bytecode:
        for _ in range(1 + REPEATS):
            with tempfile.TemporaryDirectory() as folder:
                own = {"CLAIMGRAPH_STORE": f"{folder}/store", "CLAIMGRAPH_CACHE": f"{folder}/cache"}
                own |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode, "CLAIMGRAPH_MODEL_THREADS": "1"}
                times["libraries"].append(of_process(BASELINE, environment=own)[0])
                for name, given in (("help", ["--help"]), ("new", check), ("known", check)):
                    times[name].append(of_process(COMMAND, *given, environment=own)[0])
    least = {name: min(some) for name, some in times.items()}
    base = least["libraries"]
    for name, work, limit, goal in (
        ("help", "claimgraph --help", 0.3, "0.3 s"),
        ("new", "claimgraph check, text and context never read", base + 1.5, "1.5 s above"),
        ("known", "the same again", 0.5, "0.5 s"),
    ):
        yield Figure(work, least[name], BASELINE, base, goal, least[name] <= limit)
