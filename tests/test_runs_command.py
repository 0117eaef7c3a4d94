"""Runs of many documents as a user meets them: listed, followed, paused, cancelled, resumed, tried again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from claimgraph import runs_report, wiring
from claimgraph.cli.app import app
from claimgraph.reading import document_from_text
from claimgraph.settings import Settings, load_settings
from kgstore import identity, records
from kgstore.board import Board
from kgstore.errors import InputError, NotFound
from kgstore.jobs import Batch, BatchStatus, Budget, Job
from kgstore.store import GraphStore
from workers import stages

OPTIONS = json.dumps({"stages": ["extract"]})


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An embedded store in the test's folder, and no broker."""
    monkeypatch.chdir(tmp_path)
    for name in ("NEO4J_URI", "CELERY_BROKER_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "250")
    return load_settings()


def call(*arguments: str) -> Result:
    """`claimgraph ...` in this process."""
    return CliRunner().invoke(app, arguments)


def submitted(store: GraphStore, *texts: str, budget: Budget | None = None) -> str:
    """A batch of one job a text, on the board as it is before anything is done."""
    documents = [document_from_text(text, 1, "the text") for text in texts]
    store.write(*records.document_steps(documents))
    jobs = [Job(identity.job_id("check", d.id, None, OPTIONS), "check", d.id, options=OPTIONS) for d in documents]
    batch = Batch(identity.batch_id("check", [job.id for job in jobs]), "check", OPTIONS, budget or Budget())
    Board(store).submit(batch, jobs, [stages.first_task(job, bulk=False) for job in jobs])
    return batch.id


def park(store: GraphStore, run: str, error: str) -> None:
    """Let every task of the run fail until it is parked."""
    board = Board(store)
    for seen in board.unfinished():
        while claimed := board.claim(seen.task.id, "test"):
            board.fail(claimed, error)
    assert board.progress(run).parked


def test_runs_are_listed(settings: Settings) -> None:
    """`runs --json` lists runs, newest first, with the documented keys; `runs ID` adds stages, verdicts and errors."""
    assert [] == json.loads(call("runs", "--json").stdout)
    with wiring.open_store(settings) as store:
        first, second = submitted(store, "One."), submitted(store, "One.", "Two.")
    rows = json.loads(call("runs", "--json").stdout)
    assert [(second, "queued", 2), (first, "queued", 1)] == [(row["id"], row["status"], row["total"]) for row in rows]
    assert {"id", "status", "total", "done", "failed", "parked", "seconds", "reason", "kind", "created_at"} == set(
        rows[0]
    )
    assert all(run in call("runs").stdout for run in (first, second))
    one = json.loads(call("runs", second, "--json").stdout)
    assert [{"stage": "extract", "queued": 2, "running": 0, "done": 0, "parked": 0}] == one["stages"]
    assert {"stages", "spent", "budget", "verdicts", "errors"} == set(one) - set(rows[0])
    assert {"SUPPORTED": 0, "REFUTED": 0, "NOT_ENOUGH_INFO": 0} == one["verdicts"]


def test_the_beginning_of_an_id_is_enough(settings: Settings) -> None:
    """A run is found by a unique beginning of its id, with or without its prefix; others are errors."""
    with wiring.open_store(settings) as store:
        ids = {submitted(store, f"Text {number}.") for number in range(20)}
        for run in ids:
            short = next(run[:n] for n in range(4, 36) if sum(i.startswith(run[:n]) for i in ids) == 1)
            assert [run] * 3 == [runs_report.full_id(store, key) for key in (run, short, short[3:])]
        for key in ("", "b1:", "d1:0", "b1:xyz"):
            with pytest.raises(NotFound):
                runs_report.full_id(store, key)
        several = next(f"b1:{digit}" for digit in "0123456789abcdef" if sum(i[3] == digit for i in ids) > 1)
        with pytest.raises(InputError, match="several runs"):
            runs_report.full_id(store, several)


def test_parked_documents_are_told_with_their_error(settings: Settings) -> None:
    """`runs --parked` names document, stage, attempts and error of what was tried too often, of all runs or of one."""
    with wiring.open_store(settings) as store:
        parked = submitted(store, "Poison.")
        park(store, parked, "the model met [bold]poison[/bold]")
        fine = submitted(store, "Fine.")
    [row] = json.loads(call("runs", "--parked", "--json").stdout)
    expected = ("extract", 3, "the model met [bold]poison[/bold]")
    assert expected == (row["stage"], row["attempts"], row["error"])
    assert {"job", "document", "name", "stage", "attempts", "error"} == set(row)
    assert [] == json.loads(call("runs", fine, "--parked", "--json").stdout)
    assert "[bold]poison" in call("runs", "--parked").stdout
    shown = call("runs", parked)
    assert (0, True, True) == (shown.exit_code, "[bold]poison" in shown.stdout, "1 of 1" in shown.stdout)


def test_pause_and_cancel(settings: Settings) -> None:
    """A paused run is parked with the reason and a cancelled one cancelled; `watch` ends at both, with 1."""
    with wiring.open_store(settings) as store:
        run = submitted(store, "One.")
    assert f"run {run} is parked (paused by hand): 0 of 1 done\n" == call("pause", run).stdout
    watched = call("watch", run, "--json")
    assert (1, "parked", "paused by hand") == (watched.exit_code, *_status(watched.stdout))
    assert f"run {run} is cancelled: 0 of 1 done\n" == call("cancel", run).stdout
    assert 1 == call("watch", run).exit_code
    with wiring.open_store(settings) as store:
        assert BatchStatus.CANCELLED == Board(store).progress(run).status


@pytest.mark.parametrize("command", ["runs", "watch", "pause", "resume", "retry", "cancel"])
def test_an_unknown_run_is_an_error(settings: Settings, command: str) -> None:  # noqa: ARG001
    """Every command says that there is no such run, as bad input."""
    found = call(command, "b1:none")
    assert isinstance(found.exception, NotFound)
    assert "no run 'b1:none' in the store" == str(found.exception)


def _status(shown: str) -> tuple[Any, Any]:
    found = json.loads(shown)
    return found["status"], found["reason"]
