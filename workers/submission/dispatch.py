"""Dispatch ready tasks: to the broker of the settings, or, without one, to this process.

Shared by command line and web page, so that both report an unreachable broker alike: unsent tasks are queued in the
graph all the same, and workers find them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from claimgraph.kgstore.errors import QueueUnreachable
from claimgraph.kgstore.runs.jobs import Task

if TYPE_CHECKING:
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.settings import Settings


class Dispatch:
    """A Send (workers/execution/task_flow.py) that survives an unreachable broker; `problem` is then one line that says
    so.

    Without a broker (`here`) it keeps the tasks until `work`. Raises UsageError for a broker without Neo4j: no worker
    could take the tasks.
    """

    def __init__(self, settings: Settings) -> None:
        from claimgraph.workers.messaging.app import make_app, sender

        self._settings = settings
        self._send = sender(make_app(settings)) if settings.broker_url else None
        self._kept: list[Task] = []
        self.problem: str | None = None

    @property
    def here(self) -> bool:
        """Whether this process performs the tasks."""
        return self._send is None

    def __call__(self, tasks: Sequence[Task]) -> None:
        """Send the tasks, or keep them."""
        if self._send is None:
            self._kept += tasks
            return
        try:
            self._send(tasks)
        except QueueUnreachable as error:
            self.problem = str(error)

    def work(self, store: GraphStore, run: str, progress: Callable[[int, int], None]) -> None:
        """Perform the kept tasks of a run and their successors, in this process. Ctrl-C keeps finished work."""
        from claimgraph.workers.execution import local

        local.run(store, self._settings, self._kept, progress=progress, batch=run)
