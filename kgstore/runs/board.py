"""Assign tasks to workers: every transition is one write to the store, made by one worker only.

Each transition names its precondition (queued; running, by this holder) and changes nothing where it does not hold;
results are written in the same transaction as the transition that reports them. A retry policy of the queue was
rejected: it counts messages, and brokers lose them.

A holder's name is unique to the claim, and a task keeps it until the next: so a transition that is repeated since its
answer was lost is recognised, counts once and answers as the first would have. Beats are never set back, so a task that
was taken, released and taken again does not look abandoned. Locks are taken in one order, of job and batch, each by id,
after those of the steps.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.runs import progress
from claimgraph.kgstore.runs.jobs import (
    Batch,
    BatchDocument,
    BatchState,
    Budget,
    Job,
    JobStatus,
    Parked,
    Progress,
    Seen,
    Spent,
    Task,
    TaskLease,
)
from claimgraph.kgstore.store import GraphStore, Row, Step

ATTEMPTS = 3
"""Most attempts at a task before it is parked."""

_NOTHING = Spent()


class Board:
    """Batches and jobs of a store. Threads may share it as far as they may share the store."""

    def __init__(self, store: GraphStore, attempts: int = ATTEMPTS) -> None:
        self._store, self._attempts = store, attempts
        self._unanswered: dict[str, str] = {}

    def submit(self, batch: Batch, jobs: Sequence[Job], first: Sequence[Task]) -> list[Task]:
        """Write batch and jobs; documents must be there. `first` are the jobs' first tasks, parallel to `jobs`.

        A job that is there keeps its state; a batch that is there keeps what it has spent, and is active again, under
        the budget given now. Returns the tasks of the batch that are queued now, by id: those to send.
        """
        now = datetime.now(UTC)
        pairs = zip(jobs, first, strict=True)
        self._store.write(
            ("put_jobs", [_job_row(job, task, now) for job, task in pairs]),
            ("put_checks", [{"id": job.id, "document": job.document} for job in jobs if job.document]),
            ("put_batches", [_batch_row(batch, now)]),
            ("put_parts", [{"id": job.id, "batch": batch.id} for job in jobs]),
        )
        return self._queued(batch.id)

    def claim(self, job: str, holder: str) -> TaskLease | None:
        """Take the queued task of a job of an active batch; None where there is nothing to do (done, another's, not
        active).

        The claim's `holder` begins with the one given and is unique to the claim. A claim that raised may have been
        granted, so the next for the same job asks under the same name.
        """
        name = self._unanswered.pop(job, None) or f"{holder} {uuid4().hex[:12]}"
        try:
            rows = self._store.write(("put_claimed", [{"id": job, "holder": name}]))
        except BaseException:
            self._unanswered[job] = name
            raise
        return _claimed(rows[0]) if rows else None

    def beat(self, claimed: TaskLease) -> bool:
        """Record a heartbeat; False where another process has taken the task."""
        return bool(self._store.write(("put_beats", [_ours(claimed)])))

    def finish(
        self,
        claimed: TaskLease,
        *,
        steps: Sequence[Step] = (),
        notes: Mapping[str, Any] | None = None,
        then: Task | None = None,
        failed: str | None = None,
        spent: Spent = _NOTHING,
    ) -> Task | None:
        """Store the task's results (`steps`), add `notes` to the job's, and end it. Returns the task to send.

        `then` is the next task; without one the job ends, as FAILED where `failed` says why. `spent` is added to the
        job and its active batches; a batch at its budget is paused, with the reason. Where another process has taken
        the task the steps are written all the same (they are idempotent) and nothing else happens.
        """
        row = _ours(claimed) | {
            "notes": json.dumps(json.loads(claimed.job.notes) | dict(notes or {}), sort_keys=True),
            "failed": failed,
            "task": then and then.name,
            "queue": then and then.queue,
            "at": datetime.now(UTC),
        }
        return _one(self._store.write(*steps, *_spending(claimed, spent), ("put_finished", [row])))

    def release(self, claimed: TaskLease, spent: Spent = _NOTHING) -> Task | None:
        """Release the task as if it had not been taken: the attempt does not count. Returns the task, where it was
        ours.

        The cost `spent` counts all the same, as by finish.
        """
        return _one(self._store.write(*_spending(claimed, spent), ("put_released", [_ours(claimed)])))

    def fail(self, claimed: TaskLease, error: str, spent: Spent = _NOTHING) -> Task | None:
        """Record a failed attempt; return the task, queued again, or None where it was parked with its error, or is not
        ours.
        """
        seen = {"attempt": None, "beat": None, "attempts": self._attempts, "error": error}
        return _one(self._store.write(*_spending(claimed, spent), ("put_failed", [_ours(claimed) | seen])))

    def unfinished(self, limit: int = 10_000, *, queued: bool | Sequence[str] = True) -> list[Seen]:
        """Return queued and running tasks of active batches, running ones first, by job; `queued` includes queued ones,
        or those of the named queues.

        There are few running ones and may be many queued, so frequent callers leave queued ones out.
        """
        rows = self._store.read("unfinished_jobs", status=JobStatus.RUNNING.value, queues=None, limit=limit)
        if queued and len(rows) < limit:
            left, queues = limit - len(rows), None if queued is True else list(queued)
            rows += self._store.read("unfinished_jobs", status=JobStatus.QUEUED.value, queues=queues, limit=left)
        return [Seen(_task(row), JobStatus(row["status"]), row["attempt"], row["beat"]) for row in rows]

    def expire(self, seen: Seen, error: str) -> Task | None:
        """Queue a running task again that is unchanged since it was `seen`, or park it as by fail; return the task to
        send.
        """
        row = {"id": seen.task.job, "holder": None, "attempt": seen.attempt, "beat": seen.beat}
        return _one(self._store.write(("put_failed", [row | {"attempts": self._attempts, "error": error}])))

    def pause(self, batch: str, reason: str) -> None:
        """Let no further task of the batch be taken. Raises NotFound."""
        self._ask(batch, BatchState.PAUSED, reason)

    def cancel(self, batch: str) -> None:
        """Take no further task of the batch, for good; what was stored stays. Raises NotFound."""
        self._ask(batch, BatchState.CANCELLED)

    def resume(self, batch: str, budget: Budget | None = None) -> list[Task]:
        """Resume a paused or cancelled batch, under another budget if given; return the tasks to send.

        Raises NotFound; InputError where the cost is beyond the budget already.
        """
        now = self.progress(batch)
        _refuse_spent(now.spent, budget or now.budget)
        self._ask(batch, BatchState.ACTIVE, None, ("put_budgets", [{"id": batch, **_limits(budget)}] if budget else []))
        return self._queued(batch)

    def retry(self, batch: str) -> list[Task]:
        """Queue the batch's parked and failed jobs again, their attempts counted anew, and resume it; return the tasks
        to send.

        Raises what resume raises.
        """
        now = self.progress(batch)
        _refuse_spent(now.spent, now.budget)
        self._ask(batch, BatchState.ACTIVE, None, ("put_retried", [{"id": batch}]))
        return self._queued(batch)

    def progress(self, batch: str) -> Progress:
        """Return the progress of a batch. Raises NotFound."""
        return progress.progress(self._store, batch)

    def batches(self, limit: int = 100) -> list[Progress]:
        """Return the progress of the latest batches, newest first, ties by id."""
        return progress.batches(self._store, limit)

    def documents(self, batch: str, limit: int = 1000) -> list[BatchDocument]:
        """Return the jobs of a batch with their documents, worst first."""
        return progress.documents(self._store, batch, limit)

    def parked(self, batch: str | None = None, limit: int = 1000) -> list[Parked]:
        """Return jobs that were tried too often, of one batch or of all, by id."""
        return progress.parked(self._store, batch, limit)

    def _queued(self, batch: str) -> list[Task]:
        return [_task(row) for row in self._store.read("queued_jobs", id=batch)]

    def _ask(self, batch: str, state: BatchState, reason: str | None = None, *before: Step) -> None:
        asked = {"id": batch, "state": state.value, "reason": reason}
        if not self._store.write(*before, ("put_states", [asked])):
            raise NotFound("run", batch)


def _job_row(job: Job, task: Task, now: datetime) -> Row:
    return {
        "id": job.id,
        "kind": job.kind,
        "context": job.context,
        "options": job.options,
        "task": task.name,
        "queue": task.queue,
        "at": now,
    }


def _batch_row(batch: Batch, now: datetime) -> Row:
    return {
        "id": batch.id,
        "kind": batch.kind,
        "options": batch.options,
        "bulk": batch.bulk,
        "at": batch.created_at or now,
        **_limits(batch.budget),
    }


def _limits(budget: Budget) -> Row:
    return {"maxSeconds": budget.seconds, "maxCalls": budget.calls, "maxTokens": budget.tokens}


def _ours(claimed: TaskLease) -> Row:
    return {"id": claimed.job.id, "holder": claimed.holder}


def _spending(claimed: TaskLease, spent: Spent) -> list[Step]:
    return [("put_spent", [_ours(claimed) | asdict(spent)])] if spent != _NOTHING else []


def _claimed(row: Row) -> TaskLease:
    job = Job(row["id"], row["kind"], row["document"], row["context"], row["options"], row["notes"])
    left = None if -1 in row["left"] else max(row["left"])
    return TaskLease(_task(row), job, tuple(row["batches"]), row["holder"], row["attempt"], left, all(row["bulk"]))


def _task(row: Row) -> Task:
    return Task(row["id"], row["task"], row["queue"])


def _one(rows: Sequence[Row]) -> Task | None:
    return _task(rows[0]) if rows else None


def _refuse_spent(spent: Spent, budget: Budget) -> None:
    """Raise InputError where nothing of the budget is left."""
    limits = asdict(budget)
    for what, used in asdict(spent).items():
        if limits[what] is not None and used >= limits[what]:
            raise InputError(f"{used:g} {what} are spent of {limits[what]:g}; give a larger budget")
