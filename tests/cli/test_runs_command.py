"""Runs of many documents as a user meets them: listed, followed, paused, cancelled, resumed, tried again."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from batches import park, queued
from click.testing import Result
from typer.testing import CliRunner

from claimgraph import wiring
from claimgraph.cli.app import app
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import BatchStatus
from claimgraph.runs import runs_report
from claimgraph.settings import Settings, load_settings
from claimgraph.workers.execution import local


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


OUTCOMES = ("supported", "refuted", "not_enough_info")


def test_runs_are_listed(settings: Settings) -> None:
    """`runs --json` lists runs, newest first, with the documented keys; `runs ID` adds documents and statements."""
    assert [] == json.loads(call("runs", "--json").stdout)
    with wiring.open_store(settings) as store:
        first, second = queued(settings, store, "One."), queued(settings, store, "One.", "Two.")
    rows = json.loads(call("runs", "--json").stdout)
    assert [(second, "queued", 2), (first, "queued", 1)] == [(row["id"], row["status"], row["total"]) for row in rows]
    assert {"id", "status", "total", "done", "failed", "parked", "seconds", "reason", "kind", "created_at"} == set(
        rows[0]
    )
    assert all(run[:11] in call("runs").stdout for run in (first, second))
    one = json.loads(call("runs", second[:12], "--json").stdout)
    assert (2, 0) == (one["queued"], one["running"])
    assert {"queued", "running", "spent", "budget", "statements", "documents", "errors"} == set(one) - set(rows[0])
    columns = {"job", "document", "name", "status", "task", "attempts", "error", *OUTCOMES}
    assert [columns] * 2 == [set(row) for row in one["documents"]]
    [first] = json.loads(call("runs", second, "--json", "--limit", "1").stdout)["documents"]
    assert (one["documents"][0], True) == (first, "and 1 more" in call("runs", second, "--limit", "1").stdout)
    assert {"SUPPORTED": 0, "REFUTED": 0, "NOT_ENOUGH_INFO": 0} == one["statements"]


def test_the_beginning_of_an_id_is_enough(settings: Settings) -> None:
    """A run is found by a unique beginning of its id, with or without its prefix; others are errors."""
    with wiring.open_store(settings) as store:
        ids = {queued(settings, store, f"Text {number}.") for number in range(20)}
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
    """`runs --parked` names document, task, attempts and error of what was tried too often, of all runs or of one."""
    with wiring.open_store(settings) as store:
        parked = queued(settings, store, "Poison.")
        park(store, parked, "the model met [bold]poison[/bold]")
        fine = queued(settings, store, "Fine.")
    [row] = json.loads(call("runs", "--parked", "--json").stdout)
    expected = ("check", 3, "the model met [bold]poison[/bold]")
    assert expected == (row["task"], row["attempts"], row["error"])
    assert {"job", "document", "name", "task", "attempts", "error"} == set(row)
    assert [] == json.loads(call("runs", fine, "--parked", "--json").stdout)
    assert "[bold]poison" in call("runs", "--parked").stdout
    shown = call("runs", parked)
    assert (0, True, True) == (shown.exit_code, "[bold]poison" in shown.stdout, "1 of 1" in shown.stdout)


def test_pause_and_cancel(settings: Settings) -> None:
    """A paused run is parked with the reason and a cancelled one cancelled; `watch` ends at both, with 1."""
    with wiring.open_store(settings) as store:
        run = queued(settings, store, "One.")
    assert f"run {run[:11]} is parked (paused by hand): 0 of 1 done\n" == call("pause", run).stdout
    watched = call("watch", run, "--json")
    found = json.loads(watched.stdout)
    assert (1, "parked", "paused by hand") == (watched.exit_code, found["status"], found["reason"])
    assert f"run {run[:11]} is cancelled: 0 of 1 done\n" == call("cancel", run).stdout
    assert 1 == call("watch", run).exit_code
    with wiring.open_store(settings) as store:
        assert BatchStatus.CANCELLED == Board(store).progress(run).status


@pytest.mark.parametrize("command", ["runs", "watch", "pause", "resume", "retry", "cancel"])
def test_an_unknown_run_is_an_error(settings: Settings, command: str) -> None:  # noqa: ARG001
    """Every command says that there is no such run, as bad input."""
    found = call(command, "b1:none")
    assert isinstance(found.exception, NotFound)
    assert "no run 'b1:none' in the store" == str(found.exception)


def test_retry_and_resume_do_the_work_here(settings: Settings) -> None:
    """Without a broker `retry` and `resume` do the work in this process, show the run, and exit with 0."""
    with wiring.open_store(settings) as store:
        run = queued(settings, store, "Ann was born in Rome.")
        park(store, run, "no memory")
    assert 1 == call("watch", run).exit_code
    done = call("retry", run)
    assert (0, True) == (done.exit_code, "1 refuted" in done.stdout)
    with wiring.open_store(settings) as store:
        other = queued(settings, store, "Ann was born in Oslo.")
        Board(store).cancel(other)
    assert (0, True) == ((done := call("resume", other, "--max-seconds", "60")).exit_code, "1 supported" in done.stdout)
    verdicts = json.loads(call("verdicts", "--run", run, "--json").stdout)
    assert ["REFUTED"] == [row["outcome"] for row in verdicts]
    assert [] == json.loads(call("verdicts", "--run", run, "--outcome", "SUPPORTED", "--json").stdout)
    assert 60.0 == json.loads(call("runs", other, "--json").stdout)["budget"]["seconds"]
    assert 0 == call("watch", other).exit_code


def test_watch_follows_a_run_to_its_end(settings: Settings) -> None:
    """While another connection works, `watch` tells on standard error how far the run is, and ends with 0."""
    with wiring.open_store(settings) as store, ThreadPoolExecutor(1) as pool:
        run = queued(settings, store, "Ann was born in Rome.", "Ann was born in Oslo.")
        watching = pool.submit(call, "watch", run)
        local.run(store, settings, [seen.task for seen in Board(store).unfinished()])
        watched = watching.result(60)
    assert (0, f"run {run[:11]} is complete: 2 of 2 done") == (watched.exit_code, watched.stderr.splitlines()[-1])


def test_a_terminal_sees_bars(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal `watch` draws a bar for the documents."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    with wiring.open_store(settings) as store:
        run = queued(settings, store, "One.", "Two.")
        Board(store).pause(run, "a test")
    shown = call("watch", run).stderr
    assert "documents" in shown
    assert "0/2" in shown


def test_a_store_without_runs(settings: Settings) -> None:  # noqa: ARG001
    """Where nothing was ever submitted there is nothing to list, and no store is needed."""
    assert (0, []) == ((found := call("runs", "--json")).exit_code, json.loads(found.stdout))
    assert (0, []) == ((found := call("runs", "--parked", "--json")).exit_code, json.loads(found.stdout))
