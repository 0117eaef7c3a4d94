"""Serve GET /metrics: the progress of all workers' tasks, for Prometheus, from the store.

Each worker exports its own counts and times (workers/observe/metrics.py); exported here too, they would be counted once
a worker.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from fastapi.responses import Response

from claimgraph.web.service import Shared

if TYPE_CHECKING:
    from prometheus_client.core import GaugeMetricFamily

    from claimgraph.kgstore.store import GraphStore

router = APIRouter()


@router.get("/metrics", response_class=Response)
def metrics(service: Shared) -> Response:
    """Return jobs of all runs by task and status. Raises StoreError."""
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

    registry: Any = CollectorRegistry()
    registry.register(_Standing(service.store))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


class _Standing:
    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def collect(self) -> Iterator[GaugeMetricFamily]:
        from prometheus_client.core import GaugeMetricFamily

        jobs = GaugeMetricFamily("claimgraph_jobs", "Documents and questions of runs.", labels=["task", "status"])
        for row in self._store.read("job_counts"):
            jobs.add_metric([row["task"], row["status"]], row["jobs"])
        yield jobs
