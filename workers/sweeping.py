"""Run the sweeper's thread: in the process above the pool, with a store and a broker connection of its own.

It outlives outages of both, and logs once when one begins.
"""

from __future__ import annotations

import logging
import random
import threading
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from claimgraph.kgstore.errors import ClaimgraphError
from claimgraph.kgstore.runs.board import Board
from claimgraph.wiring.stores import open_unmigrated
from claimgraph.workers.execution.sweeper import SHARES, Sweeper
from claimgraph.workers.messaging import broker
from claimgraph.workers.messaging.app import sender

if TYPE_CHECKING:
    from celery import Celery
    from kombu.connection import Connection

    from claimgraph.settings import Settings

_log = logging.getLogger(__name__)


class Sweeping:
    """Sweeps every few seconds, at varying intervals, so that many workers' sweeps spread."""

    def __init__(self, settings: Settings, app: Celery) -> None:
        self._settings, self._app = settings, app
        self._send = sender(app)
        self._pause = settings.lease_seconds / SHARES
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)
        self._resources = ExitStack()
        self._sweeper: Sweeper | None = None
        self._connection: Connection | None = None
        self._trouble = ""

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """Stop, and wait that long for a running sweep."""
        self._over.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        with self._resources:
            self._resources.callback(self._hang_up)
            while not self._over.wait(self._pause * random.uniform(0.4, 0.9)):
                try:
                    self._sweep()
                    self._say("")
                except ClaimgraphError as error:
                    self._say(str(error))
                except Exception:
                    _log.exception("a sweep failed")

    def _sweep(self) -> None:
        if self._sweeper is None:
            store = self._resources.enter_context(open_unmigrated(self._settings))
            self._sweeper = Sweeper(Board(store), self._depth, self._settings.lease_seconds)
        if tasks := self._sweeper.sweep():
            _log.warning("%d tasks are sent again, the first is %s", len(tasks), tasks[0].job)
            self._declare()
            self._send(tasks)

    def _depth(self, queue: str) -> int | None:
        """Return the depth of a queue; None where the broker does not answer: the next sweep asks again."""
        try:
            if self._connection is None:
                self._connection = self._app.connection_for_read()
            return broker.depth(self._connection, queue)
        except Exception as error:  # each transport has errors of its own
            _log.debug("the depth of %s is unknown: %s", queue, error)
            self._hang_up()
            return None

    def _declare(self) -> None:
        """Declare queues that are gone: an emptied Redis silently drops messages to them."""
        try:
            with self._app.connection_for_write() as connection, connection.channel() as channel:
                for queue in self._app.conf.task_queues:
                    queue(channel).declare()
        except Exception as error:  # each transport has errors of its own
            _log.debug("the queues were not declared: %s", error)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.release()

    def _say(self, trouble: str) -> None:
        if trouble and trouble != self._trouble:
            _log.warning("sweeping waits: %s", trouble)
        self._trouble = trouble
