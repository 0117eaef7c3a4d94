"""Read the progress of batches from the store, for the command line, the API and the page.

A batch's status is derived from its jobs on each request. Storing it beside them was rejected: every job's end would
have to count, and a stored count can be wrong.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.runs.jobs import (
    BatchDocument,
    BatchState,
    BatchStatus,
    Budget,
    JobStatus,
    Parked,
    Progress,
    Spent,
)
from claimgraph.kgstore.store import GraphStore, Row


def progress(store: GraphStore, batch: str) -> Progress:
    """Return the progress of a batch. Raises NotFound."""
    for row in store.read("batch_progress", id=batch, limit=1):
        return _progress(row)
    raise NotFound("run", batch)


def batches(store: GraphStore, limit: int) -> list[Progress]:
    """Return the progress of the latest batches, newest first, ties by id."""
    return [_progress(row) for row in store.read("batch_progress", id=None, limit=limit)]


def documents(store: GraphStore, batch: str, limit: int) -> list[BatchDocument]:
    """Return the jobs of a batch with their documents, worst first (queries/batch_documents.cypher)."""
    return [_document(row) for row in store.read("batch_documents", batch=batch, limit=limit)]


def parked(store: GraphStore, batch: str | None, limit: int) -> list[Parked]:
    """Return jobs that were tried too often, of one batch or of all, by id."""
    return [Parked(**row) for row in store.read("parked_jobs", batch=batch, limit=limit)]


def _document(row: Row) -> BatchDocument:
    options = row.pop("options")
    name = row["name"] if options is None else json.loads(options).get("question")
    unknown, status = row.pop("notEnoughInfo"), JobStatus(row["status"])
    return BatchDocument(**row | {"name": name, "status": status, "not_enough_info": unknown})


def _progress(row: Row) -> Progress:
    status = _status(row)
    return Progress(
        id=row["id"],
        kind=row["kind"],
        status=status,
        total=row["total"],
        queued=row["queued"],
        running=row["running"],
        done=row["done"],
        failed=row["failed"],
        parked=row["parked"],
        seconds=_seconds(row, ended=status is BatchStatus.COMPLETE),
        created_at=row["createdAt"],
        spent=Spent(row["seconds"], row["calls"], row["tokens"]),
        budget=Budget(row["maxSeconds"], row["maxCalls"], row["maxTokens"]),
        reason=_reason(row) if status is BatchStatus.PARKED else None,
    )


def _status(row: Row) -> BatchStatus:
    """Return the status: ended where all jobs have ended; else the last request; else the current activity."""
    ended = row["done"] + row["failed"]
    if ended == row["total"]:
        return BatchStatus.COMPLETE
    if row["state"] == BatchState.CANCELLED:
        return BatchStatus.CANCELLED
    if row["state"] == BatchState.PAUSED or ended + row["parked"] == row["total"]:
        return BatchStatus.PARKED
    return BatchStatus.RUNNING if row["running"] or ended or row["seconds"] else BatchStatus.QUEUED


def _reason(row: Row) -> str:
    return row["reason"] or f"{row['parked']} of {row['total']} were tried too often"


def _seconds(row: Row, *, ended: bool) -> float:
    """Return the seconds, never negative: a job that ended before it was submitted here took no time, whatever the
    clocks say.
    """
    until = (row["finishedAt"] or row["createdAt"]) if ended else datetime.now(UTC)
    return max(0.0, float((until - row["createdAt"]).total_seconds()))
