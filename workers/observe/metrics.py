"""Export numbers of a worker for Prometheus: results and times of tasks, depths of queues, hits of caches.

A worker is several processes, and only the one above the pool can be scraped, so each writes its numbers into files of
one folder of the worker's own (prometheus_client's multiprocess mode), which are added up at each scrape. Counts of an
ended process stay; its gauges do not. Pushing to a gateway was rejected: a killed worker would leave its last numbers
there.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore import metric_hooks
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.runs.jobs import TaskLease

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import GaugeMetricFamily

    from claimgraph.workers.execution.task_errors import TaskError

Depths = Callable[[], Mapping[str, int]]
"""Returns the number of messages in each queue; an unknown one is left out."""

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class Metrics:
    """A worker's numbers. Implements task_flow.Observer and metric_hooks.Listener, also for the processes forked from
    this one.

    One per process and its children, made before anything else imports prometheus_client: the place of the numbers is
    fixed at its import.
    """

    def __init__(self) -> None:
        self._owner, self._folder = os.getpid(), Path(tempfile.mkdtemp(prefix="claimgraph-metrics-"))
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(self._folder)
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        own = CollectorRegistry()  # never scraped itself: the files are
        by = ("task",)
        self._tasks = Counter("claimgraph_tasks", "Attempts at tasks that are over.", ("task", "result"), registry=own)
        self._failures = Counter("claimgraph_failures", "What went wrong with tasks.", ("task", "kind"), registry=own)
        self._lookups = Counter("claimgraph_cache_lookups", "What caches had.", ("cache", "result"), registry=own)
        self._seconds = Histogram("claimgraph_task_seconds", "Of an attempt.", by, buckets=_SECONDS, registry=own)
        self._running = Gauge("claimgraph_tasks_running", "Under way.", by, multiprocess_mode="livesum", registry=own)
        self._sizes = Histogram(
            "claimgraph_model_batch_size", "How much a model got at once.", ("model",), buckets=_SIZES, registry=own
        )
        metric_hooks.listen(self)

    def started(self, claimed: TaskLease) -> None:
        """A task was claimed."""
        self._running.labels(claimed.task.name).inc()

    def ended(self, claimed: TaskLease, result: str, seconds: float, trouble: TaskError | None = None) -> None:
        """It is over."""
        name = claimed.task.name
        self._running.labels(name).dec()
        self._tasks.labels(name, result).inc()
        self._seconds.labels(name).observe(seconds)
        if trouble:
            self._failures.labels(name, trouble.kind).inc()

    def looked_up(self, cache: str, hits: int, misses: int) -> None:
        """Count a cache's hits and misses."""
        self._lookups.labels(cache, "hit").inc(hits)
        self._lookups.labels(cache, "miss").inc(misses)

    def computed(self, model: str, size: int) -> None:
        """Count a model's batch."""
        self._sizes.labels(model).observe(size)

    def serve(self, port: int, depths: Depths, address: str = "127.0.0.1") -> int:
        """Serve GET /metrics there from a thread of this process; return the port, chosen where 0 is given.

        There is no login: listen on loopback, or where only Prometheus can connect. Raises InputError for a port in
        use.
        """
        from prometheus_client import start_http_server

        try:
            server, _ = start_http_server(port, address, registry=self.registry(depths))
        except OSError as error:
            raise InputError(f"cannot serve metrics on {address}:{port}: {error.strerror or error}") from error
        os.register_at_fork(after_in_child=server.socket.close)
        return int(server.server_port)

    def registry(self, depths: Depths) -> CollectorRegistry:
        """Return the registry to scrape: the numbers of all processes, and the current depths of the queues."""
        from prometheus_client import CollectorRegistry

        asked: Any = CollectorRegistry()
        asked.register(_Processes(self._folder))
        asked.register(_Queues(depths))
        found: CollectorRegistry = asked
        return found

    def close(self) -> None:
        """Stop counting, and remove the folder; in a forked process this does nothing."""
        if os.getpid() == self._owner:
            metric_hooks.forget(self)
            shutil.rmtree(self._folder, ignore_errors=True)


class _Processes:
    """The numbers of a worker's processes, added up; gauges of ended ones are left out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[Any]:
        from prometheus_client import CollectorRegistry
        from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

        for pid in {int(path.stem.rpartition("_")[2]) for path in self._folder.glob("gauge_live*.db")}:
            if not _lives(pid):
                mark_process_dead(pid, str(self._folder))
        yield from MultiProcessCollector(CollectorRegistry(), str(self._folder)).collect()


class _Queues:
    """The depths of the broker's queues; an unknown one is absent, since 0 would mean an empty queue."""

    def __init__(self, depths: Depths) -> None:
        self._depths = depths

    def collect(self) -> Iterator[GaugeMetricFamily]:
        from prometheus_client.core import GaugeMetricFamily

        found = GaugeMetricFamily("claimgraph_queue_depth", "Messages that wait in a queue.", labels=["queue"])
        with suppress(Exception):  # a broker's client may raise anything
            for queue, depth in sorted(self._depths().items()):
                found.add_metric([queue], depth)
        yield found


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
