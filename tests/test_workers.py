"""A worker on a real broker and a real Neo4j."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from claimgraph.reading import document_from_text
from claimgraph.settings import Settings, load_settings
from kgstore import reads
from kgstore.errors import UsageError
from kgstore.store import GraphStore
from workers.app import make_app
from workers.tasks import submit


def test_worker_checks_what_was_submitted(neo4j_store: GraphStore, tmp_path: Path) -> None:
    """A submitted document is checked by a worker process, and its verdict is in the store."""
    settings = replace(load_settings(), cache=tmp_path / "cache")
    broker = settings.broker_url
    if not broker:
        assert not os.environ.get("CI"), "CELERY_BROKER_URL is not set"
        pytest.skip("CELERY_BROKER_URL is not set: start one with scripts/services")
    document = document_from_text("Marie Curie was born in Paris.", 1, "the text")
    context = document_from_text("Marie Curie was born in Warsaw.", 1, "the context")
    command = [sys.executable, "-c", "from claimgraph.cli import main; main()", "worker"]
    log = (tmp_path / "worker.log").open("w+b")
    with log, subprocess.Popen(command, stdout=log, stderr=log) as worker:
        try:
            submit(make_app(settings), neo4j_store, document, context=context)
            deadline = time.monotonic() + 90
            while not (rows := reads.current_verdicts(neo4j_store)):
                alive = worker.poll() is None and time.monotonic() < deadline
                assert alive, (tmp_path / "worker.log").read_text()
                time.sleep(0.2)
        finally:
            worker.terminate()
            worker.wait(30)
    assert [("REFUTED", document.id)] == [(row["outcome"], row["document"]) for row in rows]


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
