"""Perform tasks in this process where there is no broker: the same tasks, one after another.

A document is finished before the next is begun, so an interrupted run has complete documents. A pool of processes was
rejected: the embedded store has one, and who needs more has a broker.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from claimgraph.kgstore.runs.jobs import BatchStatus, Task
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.workers.execution import task_flow
from claimgraph.workers.execution.sweeper import SHARES, Sweeper
from claimgraph.workers.execution.task_flow import SILENT, Observer
from claimgraph.workers.tasks.worker_context import WorkerContext

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
    """Perform the tasks and those that follow them, and resume tasks of killed processes.

    On an embedded store that this process holds no other is working, so that is at once, and everything queued.
    Elsewhere tasks without a heartbeat for a lease are resumed, until the `batch` is over. Ctrl-C releases the current
    task; the same call, or the same submission, continues.
    """
    with WorkerContext(settings, store) as tools:
        alone = store.info().alone
        lease = 0.0 if alone else settings.lease_seconds
        board, sweeper = tools.board, Sweeper(tools.board, lambda _: 0, lease)
        given = [*tasks, *(sweeper.sweep() if alone else ())]
        _perform(list({task.job: task for task in given}.values()), tools, observer, progress)
        while batch and not alone and board.progress(batch).status in _GOING_ON:
            _perform(sweeper.sweep(), tools, observer, progress)
            time.sleep(lease / SHARES)


def _perform(tasks: Sequence[Task], tools: WorkerContext, observer: Observer, progress: Progress) -> None:
    """Perform the tasks in order, each with those that follow it."""
    for number, task in enumerate(tasks, 1):
        progress(number - 1, len(tasks))
        waiting = [task]
        while waiting:
            task_flow.perform(waiting.pop().job, tools, waiting.extend, observer)
        progress(number, len(tasks))
