"""Register Celery's tasks: one a stage, all of them the same flow (workers/execution/task_flow.py) with this process's
context.

The context is made by the first task of a process and kept: a driver of Neo4j must not cross a fork, and an idle
process needs no model.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from claimgraph.workers.execution import task_flow
from claimgraph.workers.execution.task_flow import SILENT, Observer
from claimgraph.workers.messaging.app import sender, task_name
from claimgraph.workers.stages.stage_table import STAGES
from claimgraph.workers.stages.worker_context import WorkerContext

if TYPE_CHECKING:
    from celery import Celery


class Kept:
    """The context of this process, made on first use."""

    def __init__(self, make: Callable[[], WorkerContext]) -> None:
        self._make, self._lock = make, threading.Lock()
        self._tools: WorkerContext | None = None

    def get(self) -> WorkerContext:
        """Return the context. Raises what opening the store raises."""
        with self._lock:
            if self._tools is None:
                self._tools = self._make()
            return self._tools

    def close(self) -> None:
        """Close the context, if there is one."""
        if self._tools is not None:
            self._tools.close()


def register(app: Celery, make: Callable[[], WorkerContext], observer: Observer = SILENT) -> Kept:
    """Add the stages to the application, to be performed in this process or its forks; return their context."""
    kept, send = Kept(make), sender(app)

    def perform(task: str) -> None:
        task_flow.perform(task, kept.get(), send, observer)

    for stage in STAGES:
        app.task(perform, name=task_name(stage))
    return kept
