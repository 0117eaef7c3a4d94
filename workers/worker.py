"""Run a worker from start to end: open its resources, handle its signals.

The process above the pool sends only what its sweeper finds; processes of the pool make their context after the fork.
The first SIGTERM or Ctrl-C lets running tasks end, the second ends them; others take them over.
"""

from __future__ import annotations

import logging
import os
import signal
import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore.errors import InputError, StoreUnreachable
from claimgraph.settings import Settings
from claimgraph.wiring.stores import open_store
from claimgraph.workers.execution import time_limits
from claimgraph.workers.messaging import broker
from claimgraph.workers.messaging.app import make_app
from claimgraph.workers.messaging.broker_inspection import depths
from claimgraph.workers.messaging.tasks import Kept, register
from claimgraph.workers.observe import logs
from claimgraph.workers.observe.logs import Logged
from claimgraph.workers.observe.observers import Joined
from claimgraph.workers.sweeping import Sweeping
from claimgraph.workers.tasks.task_table import QUEUES
from claimgraph.workers.tasks.worker_context import WorkerContext

if TYPE_CHECKING:
    from claimgraph.workers.observe.metrics import Metrics

_log = logging.getLogger(__name__)


def work(
    settings: Settings,
    queues: Sequence[str] = QUEUES,
    processes: int = 1,
    *,
    metrics: tuple[str, int] | None = None,
) -> None:
    """Work until stopped, on as many tasks at once as there are processes; `metrics` are address and port of the
    Prometheus endpoint.

    Waits for a Neo4j that does not answer. Raises UsageError without broker or Neo4j, InputError for another queue or a
    port in use, StoreDenied.
    """
    if unknown := sorted(set(queues) - set(QUEUES)):
        raise InputError(f"no queue {unknown[0]!r}; there are {', '.join(QUEUES)}")
    logs.configure(settings)
    from celery.exceptions import CPendingDeprecationWarning

    warnings.simplefilter("ignore", CPendingDeprecationWarning)  # tasks that outlive their connection are meant to
    app = make_app(settings)
    app.conf.broker_transport_options |= broker.PATIENT
    counted = _metrics(settings, *metrics) if metrics else None
    wait_for_store(settings)
    settings = _sharing_cores(settings, processes)
    observer = Joined(Logged(), counted) if counted else Logged()
    kept, sweeping = register(app, lambda: WorkerContext(settings), observer), Sweeping(settings, app)
    _connect(settings, kept, sweeping, counted)
    _heed_second_signals()
    app.worker_main(
        [
            "--quiet",
            "worker",
            "--loglevel=INFO",
            f"--concurrency={processes}",
            f"--queues={','.join(map(broker.wire, queues))}",
            f"--hostname=claimgraph-{os.getpid()}@%h",
            "--without-gossip",
            "--without-mingle",
        ]
    )


def _sharing_cores(settings: Settings, processes: int) -> Settings:
    """Return settings in which the models of all processes together use no more threads than there are cores."""
    share = max(1, (os.cpu_count() or 1) // processes)
    return settings if settings.model_threads else replace(settings, model_threads=share)


def wait_for_store(settings: Settings, pause: float = 1.0) -> None:
    """Migrate the store as soon as it answers; while it does not, log so once. Raises StoreDenied and other errors."""
    waiting = False
    while True:
        try:
            open_store(settings).close()
            return
        except StoreUnreachable as error:
            if not waiting:
                _log.warning("waiting: %s", error)
            waiting = True
            time.sleep(pause)


def _metrics(settings: Settings, address: str, port: int) -> Metrics:
    """Return the metrics. Raises InputError for a port in use."""
    from claimgraph.workers.observe.metrics import Metrics

    counted = Metrics()
    port = counted.serve(port, lambda: depths(settings), address)
    _log.info("metrics at http://%s:%d/metrics", address, port)
    return counted


def _connect(settings: Settings, kept: Kept, sweeping: Sweeping, counted: Metrics | None) -> None:
    """Connect a worker's resources to its signals, and to those of its processes."""
    from celery import signals

    def forked(**_: Any) -> None:
        time_limits.end_process()

    def ready(**_: Any) -> None:
        sweeping.start()

    def stopped(**_: Any) -> None:
        sweeping.stop()
        kept.close()
        if counted:
            counted.close()

    def ended(**_: Any) -> None:
        kept.close()

    def logging_begins(**_: Any) -> None:
        logs.configure(settings)

    signals.setup_logging.connect(logging_begins, weak=False)
    signals.worker_process_init.connect(forked, weak=False)
    signals.worker_process_shutdown.connect(ended, weak=False)
    signals.worker_ready.connect(ready, weak=False)
    signals.worker_shutdown.connect(stopped, weak=False)


def _heed_second_signals() -> None:
    """Let the second SIGTERM end running tasks, as the second Ctrl-C does."""
    from celery import signals

    def stopping(how: str, **_: Any) -> None:
        if how == "Warm":
            for which in (signal.SIGTERM, signal.SIGINT):
                signal.signal(which, signal.getsignal(signal.SIGQUIT))

    signals.worker_shutting_down.connect(stopping, weak=False)
