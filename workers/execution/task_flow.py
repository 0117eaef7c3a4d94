"""Perform a task: claim it, do its work, store the result with the transition, send the next task.

    claim ──▶ work.run ──▶ finish ──▶ send          and where the work fails:
                 │ took too long, model failed at last   the claims' verdicts say so, the job ends as FAILED
                 │ store gone, budget spent, stopped     released: the attempt does not count
                 └ anything else                         failed: tried again, parked at last

Every worker uses this flow, and only here is the meaning of an error decided. Nothing is kept between tasks. A retry
policy of the queue was rejected: attempts are counted in the graph, where a killed worker cannot forget them.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from claimgraph.kgstore.errors import BudgetSpent, InputError, ServiceError, StoreError
from claimgraph.kgstore.model import Status
from claimgraph.kgstore.runs.jobs import Spent, Task, TaskLease
from claimgraph.workers.execution import task_errors, time_limits
from claimgraph.workers.execution.heartbeat import Heartbeat
from claimgraph.workers.execution.store_retry import OUTAGE, Overdue, StoreRetry
from claimgraph.workers.execution.task_errors import TaskError
from claimgraph.workers.tasks import task_table
from claimgraph.workers.tasks.task_table import Done
from claimgraph.workers.tasks.worker_context import WorkerContext

__all__ = ["SILENT", "Observer", "Overdue", "Send", "perform"]

_log = logging.getLogger(__name__)

Send = Callable[[Sequence[Task]], None]
"""Sends messages for tasks that may be ready. Raises ServiceError where the broker is unreachable: the tasks are in the
store, and sweepers send them again.
"""

DONE, FAILED, OVERDUE = "done", "failed", "overdue"
RELEASED, PARKED, ERROR = "released", "parked", "error"


class Observer(Protocol):
    """Is notified of tasks: logs, metrics, a progress bar."""

    def started(self, claimed: TaskLease) -> None:
        """A task was claimed."""
        ...

    def ended(self, claimed: TaskLease, result: str, seconds: float, trouble: TaskError | None = None) -> None:
        """It is over: `done`; `failed` or `overdue`, ended with claims of unknown outcome; `released`, not counted;
        `error`, to be tried again; `parked`, tried too often. `trouble` is the failure, if any.
        """
        ...


class _Silent:
    def started(self, claimed: TaskLease) -> None:
        pass

    def ended(self, claimed: TaskLease, result: str, seconds: float, trouble: TaskError | None = None) -> None:
        pass


SILENT: Observer = _Silent()


def perform(
    job: str,
    tools: WorkerContext,
    send: Send,
    observer: Observer = SILENT,
    patience: StoreRetry = StoreRetry(),  # noqa: B008 - frozen
) -> None:
    """Perform the task of that job if it can be claimed, and send the next one.

    Raises StoreError where the store is away for longer than `patience`: the task is then resumed by whoever finds it
    abandoned. KeyboardInterrupt and SystemExit propagate, and the task is released.
    """
    claimed = patience.through(lambda: tools.board.claim(job, tools.holder))
    if claimed is None:
        return
    observer.started(claimed)
    work = _Work(claimed, tools, patience)
    try:
        task = work.do()
    finally:
        observer.ended(claimed, work.result, work.seconds, work.trouble)
    if task:
        with suppress(ServiceError):
            send([task])


class _Work:
    """One attempt at a claimed task; `result` is its end, and `trouble` the failure, if any."""

    def __init__(self, claimed: TaskLease, tools: WorkerContext, patience: StoreRetry) -> None:
        self._claimed, self._tools, self._patience = claimed, tools, patience
        self.result = RELEASED
        self.trouble: TaskError | None = None
        self._clock = time.perf_counter()
        self._account = (0, 0)

    @property
    def seconds(self) -> float:
        """Seconds since the task was claimed."""
        return time.perf_counter() - self._clock

    def do(self) -> Task | None:
        """Perform the task, store its result, and return the task to send."""
        with Heartbeat(self._tools.board, self._claimed, self._tools.settings.lease_seconds) as beating:
            try:
                self._begin()
                done, result = self._found()
            except BudgetSpent as error:
                return self._out_of_budget(error)
            except OUTAGE as error:
                return self._released(error)
            except Exception as error:
                return self._failed(error, lost=beating.lost)
            except BaseException:
                with suppress(StoreError):
                    self._tools.board.release(self._claimed)
                raise
            return self._finished(done, result)

    def _begin(self) -> None:
        spending = self._tools.models.spending
        self._account = spending.calls, spending.tokens
        self._tools.allow(self._claimed.tokens_left)

    def _spent(self) -> Spent:
        spending, (calls, tokens) = self._tools.models.spending, self._account
        return Spent(self.seconds, spending.calls - calls, spending.tokens - tokens)

    def _found(self) -> tuple[Done, str]:
        """Return the result to store, and how the task ends."""
        claimed, tools = self._claimed, self._tools
        work = task_table.work(claimed, tools)
        try:
            with time_limits.within(work.seconds):
                done = work.run()
            return done, FAILED if done.failed else DONE
        except Overdue as error:
            said, status, result = ServiceError(str(error)), Status.TIMEOUT, OVERDUE
        except (StoreError, BudgetSpent):
            raise
        except ServiceError as error:
            if claimed.attempt < tools.attempts:
                raise
            said, status, result = error, Status.MODEL_FAILED, FAILED
        line = task_errors.line(said, tools.settings)
        left = work.give_up(status, line)
        if left is None:
            raise said
        self.trouble = TaskError(status.value, line)
        return left, result

    def _finished(self, done: Done, result: str) -> Task | None:
        """Finish the task; unknown outcomes are not written to a task that another process has taken and may decide."""
        board, claimed = self._tools.board, self._claimed
        if done.failed and not self._patience.through(lambda: board.beat(claimed)):
            return None
        then = None if done.failed else task_table.after(claimed)
        spent = self._spent()
        task = self._patience.through(
            lambda: board.finish(
                claimed, steps=done.steps, notes=done.notes, then=then, failed=done.failed, spent=spent
            )
        )
        self.result = result
        if done.failed:
            self.trouble = task_errors.left_unknown(done.failed, done.steps)
        return task

    def _failed(self, error: Exception, *, lost: bool) -> Task | None:
        claimed, trouble = self._claimed, task_errors.trouble(error, self._tools.settings)
        _log.info("%s of %s failed: %s", claimed.task.name, claimed.job.id, trouble.said, exc_info=error)
        self.trouble, spent = trouble, self._spent()
        task = self._patience.through(lambda: self._tools.board.fail(claimed, trouble.said, spent))
        if not lost:
            self.result = ERROR if task else PARKED
        return task

    def _released(self, error: Exception) -> Task | None:
        self.trouble = task_errors.trouble(error, self._tools.settings)
        _log.info("%s waits for the store: %s", self._claimed.job.id, self.trouble.said)
        spent = self._spent()
        self._patience.sleep(self._patience.first)
        return self._patience.through(lambda: self._tools.board.release(self._claimed, spent))

    def _out_of_budget(self, error: BudgetSpent) -> Task | None:
        """Release the task; counting its cost pauses the batches whose budget is spent."""
        board, claimed, spent = self._tools.board, self._claimed, self._spent()
        self.trouble = task_errors.trouble(error, self._tools.settings)
        self._patience.through(lambda: board.release(claimed, spent))
        if claimed.tokens_left is None:
            for batch in claimed.batches:
                with suppress(InputError):  # deleted meanwhile
                    board.pause(batch, self.trouble.said)
        return None
