"""The Celery application: made from settings when asked for, never at import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgstore.errors import UsageError

if TYPE_CHECKING:
    from celery import Celery

    from claimgraph.settings import Settings


def make_app(settings: Settings) -> Celery:
    """The application with its tasks, on the configured broker.

    Raises UsageError without a broker, or with the embedded store: it has one writing process, workers are several.
    """
    from celery import Celery

    from workers.tasks import register

    if not settings.neo4j_uri:
        raise UsageError("workers need Neo4j: set NEO4J_URI; the embedded store has one writing process")
    if not settings.broker_url:
        raise UsageError("workers need a broker: set CELERY_BROKER_URL to a Redis or RabbitMQ address")
    app = Celery("claimgraph", broker=settings.broker_url)
    app.conf.update(
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        broker_connection_retry_on_startup=True,
    )
    register(app, settings)
    return app
