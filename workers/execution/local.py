"""Perform tasks in this process where there is no broker: the same tasks, one after another, from a stack.

Depth first, so that a document is finished before the next is begun and an interrupted run has complete documents. A
pool of processes was rejected: the embedded store has one, and who needs more has a broker.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

from claimgraph.kgstore.runs.jobs import BatchStatus, Task
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.workers.execution import task_flow
from claimgraph.workers.execution.sweeper import SHARES, Sweeper
from claimgraph.workers.execution.task_flow import SILENT, Observer
from claimgraph.workers.stages.worker_context import WorkerContext

_GOING_ON = (BatchStatus.QUEUED, BatchStatus.RUNNING)

Progress = Callable[[int, int], None]
"""Called with the numbers of finished jobs and of all."""


def run(
    store: GraphStore,
    settings: Settings,
    tasks: Sequence[Task],
    observer: Observer = SILENT,
    progress: Progress = lambda *_: None,
    batch: str | None = None,
) -> None:
    """Perform the tasks and their successors, and resume tasks of killed processes.

    On the embedded store no other process can be working, so that is at once, and everything queued. Elsewhere tasks
    without a heartbeat for a lease are resumed, until the `batch` is over. Ctrl-C releases the current task; the same
    call, or the same submission, continues.
    """
    with WorkerContext(settings, store) as tools:
        alone = store.info().engine == "embedded"
        lease = 0.0 if alone else settings.lease_seconds
        board, sweeper = tools.board, Sweeper(tools.board, lambda _: 0, lease)
        stack = _Stack(tools, observer, progress)
        given = [*tasks, *(sweeper.sweep() if alone else ())]
        stack.perform(list({task.id: task for task in given}.values()))
        while batch and not alone and board.progress(batch).status in _GOING_ON:
            stack.perform(sweeper.sweep())
            time.sleep(lease / SHARES)


class _Stack:
    """Tasks to perform, the last first; and for all jobs seen the number of waiting tasks."""

    def __init__(self, tools: WorkerContext, observer: Observer, progress: Progress) -> None:
        self._tools, self._observer, self._progress = tools, observer, progress
        self._tasks: list[Task] = []
        self._jobs: Counter[str] = Counter()
        self._through = 0

    def perform(self, tasks: Sequence[Task]) -> None:
        """Perform the tasks in order, each with its successors."""
        self._push(tasks)
        while self._tasks:
            task = self._tasks.pop()
            task_flow.perform(task.id, self._tools, self._push, self._observer)
            self._jobs[task.job] -= 1
            self._through += not self._jobs[task.job]
            self._progress(self._through, len(self._jobs))

    def _push(self, tasks: Sequence[Task]) -> None:
        for task in reversed(tasks):
            self._tasks.append(task)
            self._through -= task.job in self._jobs and not self._jobs[task.job]
            self._jobs[task.job] += 1
