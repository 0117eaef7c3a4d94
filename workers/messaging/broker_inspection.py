"""Inspect a broker from outside: the messages waiting in its queues, and the workers that answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimgraph.workers.messaging import broker
from claimgraph.workers.tasks.task_table import QUEUES

if TYPE_CHECKING:
    from claimgraph.settings import Settings


def depths(settings: Settings, seconds: float = 3.0) -> dict[str, int]:
    """Return the number of messages in each queue that are with no worker. Raises whatever the broker's client
    raises.
    """
    from kombu.connection import Connection

    url = str(settings.broker_url)
    with Connection(url, connect_timeout=seconds, transport_options=broker.options(url)) as connection:
        connection.ensure_connection(max_retries=1, timeout=seconds)
        return {queue: broker.depth(connection, queue) for queue in QUEUES}


def answering(settings: Settings, host: str | None = None, seconds: float = 1.0) -> list[str]:
    """Return names of the workers that answer within that time, of one host if given, in order.

    Raises UsageError as make_app does, and whatever the broker's client raises.
    """
    from claimgraph.workers.messaging.app import make_app

    asked = {"pattern": f"*@{host}", "matcher": "glob"} if host else {}
    with make_app(settings) as app:
        found: dict[str, object] | None = app.control.inspect(timeout=seconds, **asked).ping()
        return sorted(found or ())
