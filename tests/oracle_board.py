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
    TaskStatus,
)


@dataclass
class TaskState:
    """What is known of a task."""

    task: Task
    status: TaskStatus = TaskStatus.QUEUED
    attempt: int = 0
    changes: int = 0
    holder: str | None = None
    error: str | None = None


@dataclass
class JobState:
    """What is known of a job."""

    status: JobStatus = JobStatus.OPEN
    notes: dict[str, int] = field(default_factory=dict)
    tasks: dict[str, TaskState] = field(default_factory=dict)


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
            self.jobs.setdefault(job.id, JobState(tasks={task.id: TaskState(task)}))
        kept = self.batches.setdefault(batch.id, BatchOf(batch, {job.id for job in jobs}))
        kept.batch, kept.state, kept.reason = batch, BatchState.ACTIVE, None
        return self.queued(batch.id)

    def queued(self, batch: str) -> list[Task]:
        """The tasks of a batch that can be taken, by id."""
        states = (state for job in self.batches[batch].jobs for state in self.jobs[job].tasks.values())
        return sorted((s.task for s in states if s.status is TaskStatus.QUEUED), key=lambda task: task.id)

    def tasks(self) -> list[TaskState]:
        """All tasks, by id."""
        found = [state for job in self.jobs.values() for state in job.tasks.values()]
        return sorted(found, key=lambda state: state.task.id)

    def active(self, job: str) -> list[BatchOf]:
        """The active batches of a job, by id."""
        found = [kept for kept in self.batches.values() if job in kept.jobs and kept.state is BatchState.ACTIVE]
        return sorted(found, key=lambda kept: kept.batch.id)

    def can_claim(self, task: Task) -> bool:
        """Whether somebody who asks gets it."""
        return self._state(task).status is TaskStatus.QUEUED and bool(self.active(task.job))

    def claim(self, task: Task, holder: str) -> None:
        """As Board.claim, where it can be claimed."""
        state = self._state(task)
        state.status, state.holder, state.attempt = TaskStatus.RUNNING, holder, state.attempt + 1
        state.changes += 1

    def ours(self, claimed: TaskLease) -> bool:
        """Whether it is still the claimer's."""
        state = self._state(claimed.task)
        return state.status is TaskStatus.RUNNING and state.holder == claimed.holder

    def finish(
        self, claimed: TaskLease, notes: dict[str, int], then: Sequence[Task], failed: str | None, spent: Spent
    ) -> list[Task]:
        """As Board.finish, where it is ours."""
        self.spend(claimed, spent)
        state, job = self._state(claimed.task), self.jobs[claimed.job.id]
        state.status, state.error = TaskStatus.DONE, failed
        job.notes |= notes
        same = [one for one in job.tasks.values() if one.task.stage == claimed.task.stage]
        if any(one.status is not TaskStatus.DONE for one in same):
            return []
        for task in then:
            job.tasks[task.id] = TaskState(task, changes=self.changes(task) + 1)
        if all(one.status is TaskStatus.DONE for one in job.tasks.values()):
            errors = any(one.error for one in job.tasks.values() if one.status is TaskStatus.DONE)
            job.status = JobStatus.FAILED if errors else JobStatus.DONE
        return sorted(then, key=lambda task: task.id)

    def fail(self, task: Task, error: str) -> Task | None:
        """As Board.fail and Board.expire, where it is running as said."""
        state, job = self._state(task), self.jobs[task.job]
        state.error, state.changes = error, state.changes + 1
        if state.attempt < self.attempts:
            state.status = TaskStatus.QUEUED
            return task
        state.status, job.status = TaskStatus.PARKED, JobStatus.PARKED
        return None

    def release(self, claimed: TaskLease) -> None:
        """As Board.release, where it is ours."""
        state = self._state(claimed.task)
        state.status, state.attempt, state.changes = TaskStatus.QUEUED, state.attempt - 1, state.changes + 1

    def retry(self, batch: str) -> list[Task]:
        """As Board.retry."""
        for job in (self.jobs[key] for key in self.batches[batch].jobs):
            ended = job.status is JobStatus.FAILED
            for state in job.tasks.values():
                if state.status is TaskStatus.PARKED or (ended and state.status is TaskStatus.DONE and state.error):
                    state.status, state.attempt, job.status = TaskStatus.QUEUED, 0, JobStatus.OPEN
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

    def unfinished(self) -> list[tuple[Task, TaskStatus, int]]:
        """As Board.unfinished, without beats."""
        return [
            (state.task, wanted, state.attempt)
            for wanted in (TaskStatus.RUNNING, TaskStatus.QUEUED)
            for state in self.tasks()
            if state.status is wanted and self.active(state.task.job)
        ]

    def progress(self, batch: str) -> tuple[BatchStatus, int, int, int, int, int]:
        """Status, total, done, failed, parked, calls."""
        kept = self.batches[batch]
        jobs = [self.jobs[key] for key in kept.jobs]
        count = Counter(job.status for job in jobs)
        done, failed, parked = (count[s] for s in (JobStatus.DONE, JobStatus.FAILED, JobStatus.PARKED))
        running = any(state.status is TaskStatus.RUNNING for job in jobs for state in job.tasks.values())
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
        known = self.jobs[task.job].tasks.get(task.id)
        return known.changes if known else 0

    def is_running(self, task: Task) -> bool:
        """Whether somebody works on it."""
        return self._state(task).status is TaskStatus.RUNNING

    def beat(self, claimed: TaskLease) -> None:
        """As Board.beat, where it is ours."""
        self._state(claimed.task).changes += 1

    def _state(self, task: Task) -> TaskState:
        return self.jobs[task.job].tasks[task.id]
