"""Read the progress of batches from the store, for the command line, the API and the page.

A batch's status is derived from its jobs on each request. Storing it beside them was rejected: every job's end would
have to count, and a stored count can be wrong.
"""

from __future__ import annotations

from datetime import UTC, datetime

from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.runs.jobs import BatchState, BatchStatus, Budget, Parked, Progress, Spent, StageCount
from claimgraph.kgstore.store import GraphStore, Row


def progress(store: GraphStore, batch: str) -> Progress:
    """Return the progress of a batch, with its stages by name. Raises NotFound."""
    stages = tuple(StageCount(**row) for row in store.read("stage_counts", id=batch))
    for row in store.read("batch_progress", id=batch, limit=1):
        return _progress(row, stages, running=any(stage.running for stage in stages))
    raise NotFound("run", batch)


def batches(store: GraphStore, limit: int) -> list[Progress]:
    """Return the progress of the latest batches, newest first, ties by id."""
    running = {row["id"] for row in store.read("running_batches")}
    rows = store.read("batch_progress", id=None, limit=limit)
    return [_progress(row, (), running=row["id"] in running) for row in rows]


def parked(store: GraphStore, batch: str | None, limit: int) -> list[Parked]:
    """Return jobs that were tried too often, of one batch or of all, by id."""
    return [Parked(**row) for row in store.read("parked_jobs", batch=batch, limit=limit)]


def _progress(row: Row, stages: tuple[StageCount, ...], *, running: bool) -> Progress:
    status = _status(row, running=running)
    return Progress(
        id=row["id"],
        kind=row["kind"],
        status=status,
        total=row["total"],
        done=row["done"],
        failed=row["failed"],
        parked=row["parked"],
        seconds=_seconds(row, ended=status is BatchStatus.COMPLETE),
        created_at=row["createdAt"],
        spent=Spent(row["seconds"], row["calls"], row["tokens"]),
        budget=Budget(row["maxSeconds"], row["maxCalls"], row["maxTokens"]),
        stages=stages,
        reason=_reason(row) if status is BatchStatus.PARKED else None,
    )


def _status(row: Row, *, running: bool) -> BatchStatus:
    """Return the status: ended where all jobs have ended; else the last request; else the current activity."""
    ended = row["done"] + row["failed"]
    if ended == row["total"]:
        return BatchStatus.COMPLETE
    if row["state"] == BatchState.CANCELLED:
        return BatchStatus.CANCELLED
    if row["state"] == BatchState.PAUSED or ended + row["parked"] == row["total"]:
        return BatchStatus.PARKED
    return BatchStatus.RUNNING if running or ended or row["seconds"] else BatchStatus.QUEUED


def _reason(row: Row) -> str:
    return row["reason"] or f"{row['parked']} of {row['total']} were tried too often"


def _seconds(row: Row, *, ended: bool) -> float:
    """Return the seconds, never negative: a job that ended before it was submitted here took no time, whatever the
    clocks say.
    """
    until = (row["finishedAt"] or row["createdAt"]) if ended else datetime.now(UTC)
    return max(0.0, float((until - row["createdAt"]).total_seconds()))
