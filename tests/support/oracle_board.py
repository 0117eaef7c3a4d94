"""The board as dictionaries: slow, obvious, and without a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from claimgraph.kgstore.runs.jobs import (
    Batch,
    BatchState,
    BatchStatus,
    Job,
    JobStatus,
    Spent,
    Task,
    TaskLease,
)


@dataclass
class JobState:
    """What is known of a job, and of the task it is at."""

    task: Task
    status: JobStatus = JobStatus.QUEUED
    attempt: int = 0
    changes: int = 0
    holder: str | None = None
    error: str | None = None
    notes: dict[str, int] = field(default_factory=dict)


@dataclass
class BatchOf:
    """What is known of a batch."""

    batch: Batch
    jobs: set[str]
    state: BatchState = BatchState.ACTIVE
    reason: str | None = None
    spent: Spent = field(default=Spent())


class OracleBoard:
    """Does what claimgraph.kgstore.runs.board.Board says it does; claims and what was seen come from the board under
    test.
    """

    def __init__(self, attempts: int) -> None:
        self.attempts = attempts
        self.jobs: dict[str, JobState] = {}
        self.batches: dict[str, BatchOf] = {}

    def submit(self, batch: Batch, jobs: Sequence[Job], first: Sequence[Task]) -> list[Task]:
        """As Board.submit."""
        for job, task in zip(jobs, first, strict=True):
            self.jobs.setdefault(job.id, JobState(task))
        kept = self.batches.setdefault(batch.id, BatchOf(batch, {job.id for job in jobs}))
        kept.batch, kept.state, kept.reason = batch, BatchState.ACTIVE, None
        return self.queued(batch.id)

    def queued(self, batch: str) -> list[Task]:
        """The tasks of a batch that can be taken, by job."""
        states = (self.jobs[job] for job in sorted(self.batches[batch].jobs))
        return [state.task for state in states if state.status is JobStatus.QUEUED]

    def tasks(self) -> list[JobState]:
        """All jobs, by id."""
        return [self.jobs[key] for key in sorted(self.jobs)]

    def active(self, job: str) -> list[BatchOf]:
        """The active batches of a job, by id."""
        found = [kept for kept in self.batches.values() if job in kept.jobs and kept.state is BatchState.ACTIVE]
        return sorted(found, key=lambda kept: kept.batch.id)

    def can_claim(self, task: Task) -> bool:
        """Whether somebody who asks gets it."""
        return self._state(task).status is JobStatus.QUEUED and bool(self.active(task.job))

    def claim(self, task: Task, holder: str) -> None:
        """As Board.claim, where it can be claimed."""
        state = self._state(task)
        state.status, state.holder, state.attempt = JobStatus.RUNNING, holder, state.attempt + 1
        state.changes += 1

    def ours(self, claimed: TaskLease) -> bool:
        """Whether it is still the claimer's."""
        state = self._state(claimed.task)
        return state.status is JobStatus.RUNNING and state.holder == claimed.holder

    def finish(
        self, claimed: TaskLease, notes: dict[str, int], then: Task | None, failed: str | None, spent: Spent
    ) -> None:
        """As Board.finish, where it is ours."""
        self.spend(claimed, spent)
        state = self._state(claimed.task)
        state.notes |= notes
        state.error, state.changes = failed, state.changes + 1
        if then:
            state.task, state.status, state.attempt = then, JobStatus.QUEUED, 0
        else:
            state.status = JobStatus.FAILED if failed else JobStatus.DONE

    def fail(self, task: Task, error: str) -> Task | None:
        """As Board.fail and Board.expire, where it is running as said."""
        state = self._state(task)
        state.error, state.changes = error, state.changes + 1
        state.status = JobStatus.QUEUED if state.attempt < self.attempts else JobStatus.PARKED
        return task if state.status is JobStatus.QUEUED else None

    def release(self, claimed: TaskLease) -> None:
        """As Board.release, where it is ours."""
        state = self._state(claimed.task)
        state.status, state.attempt, state.changes = JobStatus.QUEUED, state.attempt - 1, state.changes + 1

    def retry(self, batch: str) -> list[Task]:
        """As Board.retry."""
        for job in (self.jobs[key] for key in self.batches[batch].jobs):
            if job.status in (JobStatus.PARKED, JobStatus.FAILED):
                job.status, job.attempt, job.changes = JobStatus.QUEUED, 0, job.changes + 1
        return self.ask(batch, BatchState.ACTIVE)

    def ask(self, batch: str, state: BatchState, reason: str | None = None) -> list[Task]:
        """As Board.pause, cancel and resume."""
        self.batches[batch].state, self.batches[batch].reason = state, reason
        return self.queued(batch)

    def is_spent(self, batch: str) -> bool:
        """Whether nothing of its budget of calls is left."""
        kept = self.batches[batch]
        return kept.batch.budget.calls is not None and kept.spent.calls >= kept.batch.budget.calls

    def spend(self, claimed: TaskLease, spent: Spent) -> None:
        """Add it to the active batches, where the task is ours."""
        for kept in self.active(claimed.job.id):
            kept.spent = replace(kept.spent, calls=kept.spent.calls + spent.calls)
            if self.is_spent(kept.batch.id):
                kept.state = BatchState.PAUSED
                kept.reason = f"the budget of {kept.batch.budget.calls} calls of a language model is spent"

    def unfinished(self) -> list[tuple[Task, JobStatus, int]]:
        """As Board.unfinished, without beats."""
        return [
            (state.task, wanted, state.attempt)
            for wanted in (JobStatus.RUNNING, JobStatus.QUEUED)
            for state in self.tasks()
            if state.status is wanted and self.active(state.task.job)
        ]

    def progress(self, batch: str) -> tuple[BatchStatus, int, int, int, int, int]:
        """Status, total, done, failed, parked, calls."""
        kept = self.batches[batch]
        jobs = [self.jobs[key] for key in kept.jobs]
        count = Counter(job.status for job in jobs)
        done, failed, parked = (count[s] for s in (JobStatus.DONE, JobStatus.FAILED, JobStatus.PARKED))
        running = count[JobStatus.RUNNING]
        if done + failed == len(jobs):
            status = BatchStatus.COMPLETE
        elif kept.state is BatchState.CANCELLED:
            status = BatchStatus.CANCELLED
        elif kept.state is BatchState.PAUSED or done + failed + parked == len(jobs):
            status = BatchStatus.PARKED
        else:
            status = BatchStatus.RUNNING if running or done + failed or kept.spent.calls else BatchStatus.QUEUED
        return status, len(jobs), done, failed, parked, kept.spent.calls

    def changes(self, task: Task) -> int:
        """How often something has happened to it."""
        return self._state(task).changes

    def is_running(self, task: Task) -> bool:
        """Whether somebody works on it."""
        return self._state(task).status is JobStatus.RUNNING

    def beat(self, claimed: TaskLease) -> None:
        """As Board.beat, where it is ours."""
        self._state(claimed.task).changes += 1

    def _state(self, task: Task) -> JobState:
        return self.jobs[task.job]
