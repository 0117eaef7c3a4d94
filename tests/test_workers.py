"""Workers on a real broker and a real Neo4j."""

from __future__ import annotations

import pytest

from claimgraph.settings import Settings
from kgstore.errors import InputError, UsageError
from workers.app import make_app
from workers.worker import work


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(broker_url="redis://127.0.0.1:1"), "NEO4J_URI"),
        (Settings(neo4j_uri="bolt://127.0.0.1:1"), "CELERY_BROKER_URL"),
    ],
)
def test_worker_needs_neo4j_and_a_broker(settings: Settings, says: str) -> None:
    """The embedded store, or no broker, is refused in one line that says what to set."""
    with pytest.raises(UsageError, match=says):
        make_app(settings)


def test_worker_refuses_a_queue_that_is_not_there() -> None:
    """A queue that no task waits in is refused, with those there are."""
    with pytest.raises(InputError, match="no queue 'gpu'; there are cpu, model, net, bulk"):
        work(Settings(), ["cpu", "gpu"])
