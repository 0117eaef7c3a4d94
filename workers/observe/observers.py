"""Combine several observers of tasks into one."""

from __future__ import annotations

from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.workers.execution.task_errors import TaskError
from claimgraph.workers.execution.task_flow import Observer


class Joined:
    """Notifies several observers in order. Implements Observer."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    def started(self, claimed: TaskLease) -> None:
        """A task was claimed."""
        for observer in self._observers:
            observer.started(claimed)

    def ended(self, claimed: TaskLease, result: str, seconds: float, trouble: TaskError | None = None) -> None:
        """It is over."""
        for observer in self._observers:
            observer.ended(claimed, result, seconds, trouble)
