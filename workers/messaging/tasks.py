"""Register Celery's tasks: those of jobs, all of them the same flow (workers/execution/task_flow.py) with this
process's context, and the graph algorithms that a person calls by name (workers/tasks/graph_tasks.py).

The context is made by the first task of a process and kept: a driver of Neo4j must not cross a fork, and an idle
process needs no model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from claimgraph.workers.execution import task_flow
from claimgraph.workers.execution.task_flow import SILENT, Observer
from claimgraph.workers.messaging.app import sender, task_name
from claimgraph.workers.tasks import graph_tasks
from claimgraph.workers.tasks.task_table import TASKS
from claimgraph.workers.tasks.worker_context import WorkerContext

if TYPE_CHECKING:
    from celery import Celery


class Kept:
    """The context of this process, made on first use."""

    def __init__(self, make: Callable[[], WorkerContext]) -> None:
        self._make = make
        self._tools: WorkerContext | None = None

    def get(self) -> WorkerContext:
        """Return the context. Raises what opening the store raises."""
        if self._tools is None:
            self._tools = self._make()
        return self._tools

    def close(self) -> None:
        """Close the context, if there is one."""
        if self._tools is not None:
            self._tools.close()


def register(app: Celery, make: Callable[[], WorkerContext], observer: Observer = SILENT) -> Kept:
    """Add the tasks to the application, to be performed in this process or its forks; return their context."""
    kept, send = Kept(make), sender(app)

    def perform(job: str) -> None:
        task_flow.perform(job, kept.get(), send, observer)

    for name in TASKS:
        app.task(perform, name=task_name(name))
    for name, algorithm in graph_tasks.CALLED.items():
        app.task(_called(algorithm, kept), name=task_name(name), ignore_result=False)
    return kept


def _called(algorithm: graph_tasks.Algorithm, kept: Kept) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> dict[str, Any]:
        return algorithm(kept.get(), *args, **options)

    return call
