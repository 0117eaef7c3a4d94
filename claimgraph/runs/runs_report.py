"""Write runs of many documents as the documented JSON objects, and find them by the beginning of their ids.

The command line's runs are batches of jobs (kgstore/runs/jobs.py). Web page and command line show these objects.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.id_search import SHOWN
from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import BatchStatus, Parked, Progress
from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.settings import Settings
from claimgraph.wiring import open_store

ENDED = (BatchStatus.COMPLETE, BatchStatus.CANCELLED, BatchStatus.PARKED)
"""Statuses of a run that does not continue by itself."""


PAUSED = "paused by hand"
"""Reason of a run that a person has paused."""


def as_json(found: Progress) -> dict[str, Any]:
    """Return `{id, status, total, done, failed, parked, seconds, reason, kind, created_at}`; `reason` says why it is
    parked, None where it is not.
    """
    columns = ("id", "status", "total", "done", "failed", "parked", "seconds", "reason", "kind", "created_at")
    shown = {column: getattr(found, column) for column in columns}
    return shown | {"status": found.status.value, "seconds": round(found.seconds, 1)}


def in_words(found: Mapping[str, Any]) -> str:
    """Return one line on the progress of a run (as_json)."""
    counts = [f"{found[key]} {key}" for key in ("failed", "parked") if found[key]]
    why = f" ({found['reason']})" if found["reason"] else ""
    done = f"{found['done']} of {found['total']} done"
    return f"run {found['id'][:SHOWN]} is {found['status']}{why}: {', '.join([done, *counts])}"


def in_full(store: GraphStore, run: str, limit: int = 100) -> dict[str, Any]:
    """Return one run: as_json with `queued` and `running`, `spent`, `budget`, `statements` of its texts by outcome, at
    most `limit` of its `documents`, worst first, and `errors` (its parked jobs). Raises NotFound.
    """
    board = Board(store)
    found = board.progress(run)
    return as_json(found) | {
        "queued": found.queued,
        "running": found.running,
        "spent": asdict(found.spent),
        "budget": asdict(found.budget),
        "statements": _outcomes(store, run),
        "documents": [asdict(one) for one in board.documents(run, limit)],
        "errors": [parked_json(job) for job in board.parked(run)],
    }


def parked_json(job: Parked) -> dict[str, Any]:
    """Return `{job, document, name, task, attempts, error}`."""
    return asdict(job)


def verdicts(store: GraphStore, run: str, outcome: Outcome | None = None, limit: int = 100) -> list[Row]:
    """Return the current verdicts on the texts of a run, newest first, ties by id; the columns are those of
    queries/verdicts.cypher.
    """
    return store.read("verdicts_of_batch", batch=run, outcome=outcome and outcome.value, limit=limit)


def full_id(store: GraphStore, beginning: str) -> str:
    """Return the id of the run whose id begins with the argument, with or without its prefix (`b1:`).

    Raises NotFound for none, InputError for several.
    """
    bare = beginning.removeprefix("b1:")
    ids = [row["id"] for row in store.read("batches_like", beginning=f"b1:{bare}", limit=2)]
    if beginning in ids:
        return beginning
    if not bare or not ids:
        raise NotFound("run", beginning)
    if len(ids) > 1:
        raise InputError(f"several runs begin with {beginning!r}: {', '.join(ids)}, ...; give more of the id")
    return str(ids[0])


def follow(settings: Settings, run: str) -> Iterator[Progress]:
    """Yield the progress of a run until it stops by itself; polling takes a tenth of the time at most.

    The store is opened for each poll: a snapshot of the embedded one does not change. Raises NotFound.
    """
    while True:
        started = time.monotonic()
        with open_store(settings, read_only=True) as store:
            found = Board(store).progress(run)
        yield found
        if found.status in ENDED:
            return
        time.sleep(max(1.0, 10 * (time.monotonic() - started)))


def _outcomes(store: GraphStore, run: str) -> dict[str, int]:
    [counts] = store.read("statement_counts_of_batch", batch=run)
    columns = {Outcome.REFUTED: "refuted", Outcome.NOT_ENOUGH_INFO: "open", Outcome.SUPPORTED: "supported"}
    return {outcome.value: counts[column] for outcome, column in columns.items()}
