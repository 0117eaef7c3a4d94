"""Make the Celery application from settings on demand, never at import.

A message carries the id of a job and nothing else; it is acknowledged when its task is over, and neither its loss nor
a second copy matters (workers/execution/task_flow.py). Results of jobs are not kept by Celery: they are in the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.kgstore.errors import QueueUnreachable, UsageError
from claimgraph.kgstore.extras import require
from claimgraph.kgstore.runs.jobs import Task
from claimgraph.workers.messaging import broker
from claimgraph.workers.tasks.task_table import CPU

if TYPE_CHECKING:
    from celery import Celery

    from claimgraph.settings import Settings
    from claimgraph.workers.execution.task_flow import Send

_PATIENCE = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.4, "interval_max": 1.0}
"""Pauses in seconds: a submission must not wait for a broker that is down."""
_RESULT = 600
"""Seconds that the result of a called task waits for who called it."""


def make_app(settings: Settings) -> Celery:
    """Return the application on the configured broker, to send tasks; workers/messaging/tasks.py registers them.

    Raises UsageError without a broker, or with the embedded store: it has one writing process, workers are several.
    """
    require("workers")
    from celery import Celery

    if not settings.neo4j_uri:
        raise UsageError("workers need Neo4j: set NEO4J_URI; the embedded store has one writing process")
    if not settings.broker_url:
        raise UsageError("workers need a broker: set CELERY_BROKER_URL to a Redis or RabbitMQ address")
    app = Celery("claimgraph", broker=settings.broker_url, set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        broker_read_url=settings.broker_url,  # broker_url alone would yield to a variable of the environment
        broker_write_url=settings.broker_url,
        broker_channel_error_retry=True,
        broker_heartbeat=broker.HEARTBEAT,
        broker_connection_max_retries=None,
        broker_connection_retry_on_startup=True,
        broker_transport_options=broker.options(settings.broker_url),
        task_acks_late=True,
        task_create_missing_queues=False,
        task_default_queue=broker.wire(CPU),
        result_backend="rpc://",  # for the tasks that a person calls; those of jobs have no result
        result_expires=_RESULT,
        task_ignore_result=True,
        task_queues=broker.queues(),
        task_reject_on_worker_lost=True,
        task_serializer="json",
        worker_prefetch_multiplier=1,
        worker_proc_alive_timeout=60,
    )
    return app


def sender(app: Celery) -> Send:
    """Return a function that sends tasks to their queues. Threads may share it, and processes after a fork.

    It raises QueueUnreachable, with the number not sent, after about two seconds without a broker.
    """

    def send(tasks: Sequence[Task]) -> None:
        from kombu.exceptions import OperationalError

        url = str(app.conf.broker_write_url)
        for sent, task in enumerate(tasks):
            try:
                app.send_task(
                    task_name(task.name),
                    args=[task.job],
                    ignore_result=True,
                    queue=broker.wire(task.queue),
                    priority=broker.priority(task.queue, url),
                    retry_policy=_PATIENCE,
                )
            except (OperationalError, OSError) as error:
                raise QueueUnreachable(broker.address(url), len(tasks) - sent) from error

    return send


def task_name(name: str) -> str:
    """Return Celery's name of a task."""
    return f"claimgraph.{name}"
