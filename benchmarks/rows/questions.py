"""`claimgraph ask` in a process of its own over an embedded store, beside a process that only opens and closes it.

The graph is made: 20,000 facts, 206,205 with --full. The first question exports the graph to arrays and computes
vectors; the row is the same question again, which loads no model. Both find their bytecode, as rows/start.py says.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, of_process
from benchmarks.rows.start import COMMAND, REPEATS
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.ingest.flow import ingest

OPENED = """
import sys
from pathlib import Path
from claimgraph.kgstore.engines.shared import SharedStore
SharedStore(Path(sys.argv[1])).close()
"""
RELATIONS = ("director", "place of birth", "employer", "author", "genre", "spouse", "capital", "owner")
QUESTION = "Who is the spouse of Kalor Vendis7?"


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield the first question to a graph and a later one, each in a new process; the least of three."""
    facts = 206_205 if full else 20_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_embedded(folder / "store") as store:
            migrate(store)
            _file(folder / "facts.tsv", facts)
            ingest(store, folder / "facts.tsv", "made", rejected=folder / "rejected.tsv")
        own = {"CLAIMGRAPH_STORE": str(folder / "store"), "CLAIMGRAPH_CACHE": str(folder / "cache")}
        own |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
        first = of_process(COMMAND, "ask", QUESTION, environment=own)[0]
        asked = [of_process(COMMAND, "ask", QUESTION, environment=own) for _ in range(REPEATS)]
        assert "Kalor" in asked[0][1], asked
        opened = min(of_process(OPENED, str(folder / "store"), environment=os.environ | own)[0] for _ in range(REPEATS))
    least = min(seconds for seconds, _ in asked)
    counts = {"facts": facts, "s for the first question": round(first, 2)}
    yield Figure(
        "claimgraph ask, arrays and vectors known", least, "opening and closing the store", opened, "1.2 s",
        least <= 1.2, counts,
    )  # fmt: skip


def _file(path: Path, facts: int) -> None:
    pick = random.Random(0)
    people = facts // 12
    lines = ["head\thead_label\trelation\trelation_label\ttail\ttail_label"]
    for _ in range(facts):
        head, kind, tail = pick.randrange(people), pick.randrange(len(RELATIONS)), pick.randrange(people)
        lines.append(f"e{head}\t{_name(head)}\tr{kind}\t{RELATIONS[kind]}\te{tail}\t{_name(tail)}")
    path.write_text("\n".join(lines) + "\n")


def _name(number: int) -> str:
    return f"Kalor Vendis{number}"
