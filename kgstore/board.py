"""The board on which workers find tasks: every transition is one write to the store, taken by one worker only.

Each transition names what it expects (queued; running, in this attempt, by this holder) and changes nothing where that
is not so; results are written in the same transaction as the transition that says so. The next stage's tasks come into
being in the write that finishes the last part of a stage, under the lock of their job. A chord of the queue was
rejected: it counts messages, and brokers lose them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgstore.jobs import Batch, Budget, Claimed, Job, Parked, Progress, Seen, Spent, Task
from kgstore.store import GraphStore, Step

ATTEMPTS = 3
"""How often a task is tried before it is parked."""


class Board:
    """Batches, jobs and tasks of a store. Threads may share it as far as they may share the store."""

    def __init__(self, store: GraphStore, attempts: int = ATTEMPTS) -> None:
        self._store, self._attempts = store, attempts

    def submit(self, batch: Batch, jobs: Sequence[Job], first: Sequence[Task]) -> list[Task]:
        """Write batch and jobs; documents must be there. `first` are the jobs' first tasks, parallel to `jobs`.

        A job that is there keeps its state; a batch that was cancelled or paused is active again. Returns the tasks of
        the batch that are queued now, by id: those to send.
        """
        raise NotImplementedError

    def claim(self, task: str, holder: str) -> Claimed | None:
        """Take a queued task of an active batch; None where there is nothing to do (done, another's, not active)."""
        raise NotImplementedError

    def beat(self, claimed: Claimed) -> bool:
        """Show that the task is being worked on; False where it is not ours any more."""
        raise NotImplementedError

    def finish(
        self,
        claimed: Claimed,
        *,
        steps: Sequence[Step] = (),
        notes: Mapping[str, Any] | None = None,
        then: Sequence[Task] = (),
        failed: str | None = None,
        spent: Spent = Spent(),  # noqa: B008 - frozen
    ) -> list[Task]:
        """Store what the task found (`steps`), add `notes` to the job's, and end it. Returns the tasks to send.

        `then` are the tasks of the next stage: they come into being with the last part of this one; none ends the job,
        as FAILED where a task of it said what `failed`. `spent` is added to the job and its active batches; a batch
        beyond its budget is paused, with the reason. Where the task is not ours any more the steps are written all the
        same (they are idempotent) and nothing else happens.
        """
        raise NotImplementedError

    def release(self, claimed: Claimed) -> Task | None:
        """Give the task back as if it had not been taken: the attempt does not count. The task, where it was ours."""
        raise NotImplementedError

    def fail(self, claimed: Claimed, error: str, spent: Spent = Spent()) -> Task | None:  # noqa: B008 - frozen
        """The attempt failed: the task, queued again; None where it was parked with its error, or is not ours."""
        raise NotImplementedError

    def unfinished(self, limit: int = 10_000) -> list[Seen]:
        """Queued and running tasks of active batches, running ones first, by id."""
        raise NotImplementedError

    def expire(self, seen: Seen, error: str) -> Task | None:
        """A running task that still is as it was seen is queued again, or parked as by fail: the task to send."""
        raise NotImplementedError

    def pause(self, batch: str, reason: str) -> None:
        """Let no further task of the batch be taken. Raises NotFound."""
        raise NotImplementedError

    def cancel(self, batch: str) -> None:
        """Take no further task of the batch, for good; what was stored stays. Raises NotFound."""
        raise NotImplementedError

    def resume(self, batch: str, budget: Budget | None = None) -> list[Task]:
        """Go on with a paused or cancelled batch, under another budget where one is given: the tasks to send.

        Raises NotFound; InputError where what is spent is beyond the budget already.
        """
        raise NotImplementedError

    def retry(self, batch: str) -> list[Task]:
        """Queue the batch's parked tasks again, their attempts counted anew, and resume it: the tasks to send."""
        raise NotImplementedError

    def progress(self, batch: str) -> Progress:
        """How far a batch is. Raises NotFound."""
        raise NotImplementedError

    def batches(self, limit: int = 100) -> list[Progress]:
        """How far the latest batches are, newest first, ties by id; without their stages."""
        raise NotImplementedError

    def parked(self, batch: str | None = None, limit: int = 1000) -> list[Parked]:
        """Jobs that were tried too often, of one batch or of all, by id."""
        raise NotImplementedError
