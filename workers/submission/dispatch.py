"""Where tasks go that somebody made ready: to the broker of the settings, or, where there is none, to this process.

One place for command line and web page, so that both know one account of a broker that is away: what it was not told
of is queued in the graph all the same, and workers find it.
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
    """A Send (workers/execution/task_flow.py) that survives a broker that is away; `problem` is then one line that says
    so.

    Without a broker (`here`) it keeps the tasks until `work`. Raises UsageError for a broker without Neo4j: no worker
    could take what is sent.
    """

    def __init__(self, settings: Settings) -> None:
        from claimgraph.workers.messaging.app import make_app, sender

        self._settings = settings
        self._send = sender(make_app(settings)) if settings.broker_url else None
        self._kept: list[Task] = []
        self.problem: str | None = None

    @property
    def here(self) -> bool:
        """Whether this process is the one to work."""
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
        """Perform what was kept of a run and what comes of it, in this process. Ctrl-C leaves what is done."""
        from claimgraph.workers.execution import local

        local.run(store, self._settings, self._kept, progress=progress, batch=run)
