"""Handle the differences of Redis and RabbitMQ: priorities, unacknowledged messages, and the depth of a queue.

A worker of all queues takes what waits in `bulk` last. In RabbitMQ priorities hold within one queue only, and a worker
of several is given from each in turn: there, `bulk` gets workers of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from claimgraph.workers.tasks.task_table import BULK, QUEUES

if TYPE_CHECKING:
    from kombu.connection import Connection
    from kombu.entity import Queue


LEVELS = 10
_DAY = 86_400
"""Most seconds that a message may be unacknowledged. Nothing depends on its return: sweepers send lost messages
again.
"""
_SILENT = 8
"""Seconds after which a connected server that does not answer counts as gone."""
HEARTBEAT = 10
"""Seconds between signs of life on a connection that waits for messages: after two without one it is made anew."""

PATIENT = {"connect_retries_timeout": None, "interval_start": 1, "interval_step": 1, "interval_max": 5}
"""Options of a worker's transport, which waits for its broker however long; without them a Redis that is connected and
does not answer ends the worker.
"""


def wire(queue: str) -> str:
    """Return a queue's name at the broker, which other applications may use too."""
    return f"claimgraph.{queue}"


def queues() -> list[Queue]:
    """Return the queues as they are declared. The arguments are RabbitMQ's, and may never change for an
    existing queue.
    """
    from kombu.entity import Exchange, Queue

    arguments = {"x-consumer-timeout": _DAY * 1000}
    exchange = Exchange("claimgraph")
    return [
        Queue(name, exchange, routing_key=name, max_priority=LEVELS - 1, queue_arguments=arguments)
        for name in map(wire, QUEUES)
    ]


def options(url: str) -> dict[str, Any]:
    """Return options of the transport: Redis is read by priority; a silent server of either is not waited for."""
    if not _redis(url):
        return {"read_timeout": _SILENT, "write_timeout": _SILENT}
    return {
        "visibility_timeout": _DAY,
        "priority_steps": list(range(LEVELS)),
        "queue_order_strategy": "priority",
        "health_check_interval": HEARTBEAT,
        "socket_connect_timeout": _SILENT,
        "socket_timeout": _SILENT,
    }


def priority(queue: str, url: str) -> int:
    """Return the priority of a message in a queue, as its broker counts: in Redis 0 comes first, in RabbitMQ 9."""
    return LEVELS - 1 if (queue == BULK) is _redis(url) else 0


def depth(connection: Connection, queue: str) -> int:
    """Return the number of messages that wait in a queue and are with no worker; 0 for an unknown queue."""
    from kombu.exceptions import OperationalError

    channel = connection.channel()
    try:
        return int(channel.queue_declare(wire(queue), passive=True).message_count)
    except connection.channel_errors as error:
        if str(getattr(error, "reply_code", None)) != "404":  # a number from RabbitMQ, a string from Redis' transport
            raise OperationalError(str(error)) from error
        return 0
    finally:
        channel.close()


def address(url: str) -> str:
    """Return scheme, host and port, without user and password."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}" + (f":{parts.port}" if parts.port else "")


def _redis(url: str) -> bool:
    return urlsplit(url).scheme in ("redis", "rediss", "redis+socket", "unix", "sentinel")
