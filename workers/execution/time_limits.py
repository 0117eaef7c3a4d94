"""Limit the time of a task's work.

Celery's own limits were rejected: they count from the start of the task, so a worker that waits for a store which is
down would be killed for it, their soft one is raised anywhere, also while a result is being stored, and a run without a
broker has none. Ours count the work alone. The soft one raises Overdue in it; the hard one ends the process where the
work ignores it (faulthandler waits without the interpreter, so code that holds it is ended too, and leaves a
traceback): then the heartbeats stop, and another process takes the task. Both need the main thread.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from claimgraph.workers.execution.store_retry import Overdue

GRACE = 10.0
"""Seconds between the soft limit and the end of the process; in proportion where less is allowed."""

_AGAIN = 0.5
"""Seconds after which it is raised again: it may have been raised in a callback of the interpreter, which drops it."""

_deadly = False


def end_process() -> None:
    """Enable the hard limit in this process, which must only perform tasks and be restarted by its parent."""
    global _deadly
    _deadly = True


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise Overdue in a body that takes longer, in the main thread; elsewhere nothing is limited."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def overdue(*_: Any) -> None:
        raise Overdue(seconds)

    before = signal.signal(signal.SIGALRM, overdue)
    try:
        if _deadly:
            faulthandler.dump_traceback_later(seconds + min(GRACE, seconds), exit=True, file=sys.__stderr__ or 2)
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, before)
