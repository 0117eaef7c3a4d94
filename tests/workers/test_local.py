"""The flow in one process: in order, stopped, killed, and taken up again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from killed_local import NAMES
from stub_tasks import one_claim, one_verdict, submitted, text, use

from claimgraph.kgstore import reads
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.embedded import EmbeddedStore, open_embedded
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.workers.execution import local
from claimgraph.workers.tasks.task_table import Done
from claimgraph.workers.tasks.worker_context import WorkerContext


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(store=tmp_path / "store", cache=tmp_path / "cache")


def _reasons(store: GraphStore) -> dict[str, list[str]]:
    """Why the verdicts on each text were given."""
    claims = {name: [claim.id for claim in reads.load_claims(store, text(name).id)] for name in NAMES}
    return {name: [one.reason for one in reads.load_verdicts(store, ids)] for name, ids in claims.items()}


def test_documents_are_finished_one_after_another(
    embedded: EmbeddedStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All tasks of a document come before the next document, and progress counts documents."""
    seen: list[tuple[str, str]] = []
    told: list[tuple[int, int]] = []

    def work(claimed: TaskLease, _: WorkerContext) -> Done:
        seen.append((claimed.job.id, claimed.task.name))
        return Done()

    use(monkeypatch, first=work, second=work)
    batch, tasks = submitted(embedded, "Ada", "Bob")
    local.run(embedded, settings, tasks, progress=lambda done, total: told.append((done, total)))
    assert [(task.job, name) for task in tasks for name in ("first", "second")] == seen
    assert [(0, 2), (1, 2), (1, 2), (2, 2)] == told
    assert 2 == Board(embedded).progress(batch).done


def test_a_failed_document_does_not_hold_up_the_others(
    embedded: EmbeddedStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document that fails at every attempt is parked, and the run ends."""

    def work(claimed: TaskLease, _: WorkerContext) -> Done:
        if claimed.job.document == text("Ada").id:
            raise ValueError("poison")
        return Done()

    use(monkeypatch, only=work)
    batch, tasks = submitted(embedded, *NAMES)
    local.run(embedded, settings, tasks)
    now = Board(embedded).progress(batch)
    assert (2, 1, "parked") == (now.done, now.parked, now.status)


def test_ctrl_c_and_again(embedded: EmbeddedStore, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C gives the task under way back, uncounted; what is submitted again goes on where that was."""
    stops = [KeyboardInterrupt()]

    def judge(claimed: TaskLease, tools: WorkerContext) -> Done:
        if claimed.job.document == text("Bob").id and stops:
            raise stops.pop()
        return one_verdict(claimed, tools)

    use(monkeypatch, extract=one_claim, judge=judge)
    batch, tasks = submitted(embedded, *NAMES)
    with pytest.raises(KeyboardInterrupt):
        local.run(embedded, settings, tasks)
    assert Board(embedded).progress(batch).done < len(NAMES)
    local.run(embedded, settings, [])
    assert {name: ["attempt 1"] for name in NAMES} == _reasons(embedded)
    assert "complete" == Board(embedded).progress(batch).status


def test_a_killed_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After kill -9 in mid-task the next run takes up what was left: every claim has one verdict, none is lost."""
    script = Path(__file__).parents[1] / "support" / "killed_local.py"
    with subprocess.Popen([sys.executable, str(script), str(tmp_path)]) as process:
        while not (tmp_path / "waiting").exists():
            assert process.poll() is None
            Event().wait(0.02)
        os.kill(process.pid, signal.SIGKILL)
    use(monkeypatch, extract=one_claim, judge=one_verdict)
    settings = Settings(store=tmp_path / "store", cache=tmp_path / "cache")
    with open_embedded(settings.store_folder) as store:
        left = Board(store).unfinished()
        assert ["running", "queued"] == [one.status for one in left]
        local.run(store, settings, [])
        found = _reasons(store)
        [now] = Board(store).batches()
    assert ["attempt 1", "attempt 1", "attempt 2"] == sorted(one for some in found.values() for one in some)
    assert (3, 0, "complete") == (now.done, now.parked, now.status)


def test_what_others_left_is_taken_up_after_a_lease(
    neo4j_store: BoltStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where others may be working, a task that shows no sign of life for a lease is taken up before the run ends."""
    use(monkeypatch, extract=one_claim, judge=one_verdict)
    batch, tasks = submitted(neo4j_store, *NAMES)
    board = Board(neo4j_store)
    assert board.claim(tasks[0].job, "somebody who was killed")
    local.run(neo4j_store, replace(settings, lease_seconds=2.0), tasks[1:], batch=batch)
    assert {name: ["attempt 1"] for name in NAMES} == _reasons(neo4j_store)
    assert (3, "complete") == ((now := board.progress(batch)).done, now.status)
