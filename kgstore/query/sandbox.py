"""Run a user's query on the embedded engine in a process of its own.

kglite's own time limit stops joins, but not a string that doubles in `reduce`, which takes all memory and with it the
process. So the query runs in a child on a copy of the graph, with a memory limit, and the clock is here: a child that
passes it is killed. A pool of waiting children was rejected: each would hold the whole graph in memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claimgraph.kgstore.errors import QueryLimit, QueryRefused, StoreError
from claimgraph.kgstore.store import QueryLimits, Table
from claimgraph.kgstore.values.typed_json import encode


def run_sandboxed(graph: Path, statement: str, params: Mapping[str, Any], limits: QueryLimits) -> Table:
    """Return rows of an admitted statement over the kglite file `graph`, a private copy.

    Values are those of json_values.py. The time counts from here, the loading of the graph included; the memory is in
    addition to the graph's. Raises QueryLimit where a limit is passed, QueryRefused where kglite rejects the query,
    StoreError where the copy cannot be read.
    """
    request = {
        "graph": str(graph),
        "text": statement,
        "params": encode(dict(params)),
        "rows": limits.rows + 1,
        "seconds": limits.seconds,
        "memory_mib": limits.memory_mib,
    }
    answer = _ask_child(json.dumps(request), limits)
    if "error" in answer:
        raise QueryLimit(answer["error"]) if answer["limit"] else QueryRefused(answer["error"])
    rows = tuple(tuple(row) for row in answer["rows"])
    return Table(tuple(answer["columns"]), rows[: limits.rows], truncated=len(rows) > limits.rows)


def _ask_child(request: str, limits: QueryLimits) -> dict[str, Any]:
    command = [sys.executable, "-P", "-m", "claimgraph.kgstore.query.sandbox_child"]
    # One arena: each thread's own would take 64 MiB of address space from the limit.
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    try:
        child = subprocess.run(
            command, input=request, capture_output=True, env=environment, timeout=limits.seconds, check=False,
            encoding="utf-8", errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise QueryLimit(f"the query took longer than {limits.seconds:g} s") from None
    if child.returncode != 0:
        raise _failure(child, limits)
    answer: dict[str, Any] = json.loads(child.stdout)
    return answer


def _failure(child: subprocess.CompletedProcess[str], limits: QueryLimits) -> StoreError:
    """Return the error of a child without an answer: out of memory appears from outside as a signal or panic."""
    last = (child.stderr.splitlines() or [""])[-1]
    if child.returncode < 0 or any(word in last for word in ("MemoryError", "PanicException")):
        return QueryLimit(f"the query needs more than {limits.memory_mib} MiB of memory, or is nested too deeply")
    return StoreError(f"the query could not be run: {last}")
