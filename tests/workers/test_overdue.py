"""Tasks that take too long or whose model fails at last: what is recorded, and that nobody waits for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import cast

import pytest
from stub_tasks import Failing, Told, one_claim, one_verdict, performed, submitted, text, use

from claimgraph.kgstore import reads, records
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import ModelError, StoreUnreachable
from claimgraph.kgstore.model import Finding, Outcome, Run, Status
from claimgraph.kgstore.runs.jobs import JobStatus, TaskLease
from claimgraph.kgstore.store import GraphStore
from claimgraph.pipeline import verdict_of
from claimgraph.settings import Settings
from claimgraph.workers.execution import task_flow
from claimgraph.workers.execution.store_retry import Overdue
from claimgraph.workers.tasks.task_table import Done
from claimgraph.workers.tasks.unknown_outcomes import unknown_steps
from claimgraph.workers.tasks.worker_context import WorkerContext


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A lease is so short that beats come at once."""
    return Settings(store=tmp_path / "store", cache=tmp_path / "cache", lease_seconds=0.06)


@pytest.fixture
def tools(embedded: EmbeddedStore, settings: Settings) -> Iterator[WorkerContext]:
    with WorkerContext(settings, embedded) as made:
        yield made


def _slow(_: TaskLease, __: WorkerContext) -> Done:
    raise Overdue(300)


def _mute(_: TaskLease, __: WorkerContext) -> Done:
    raise ModelError("the model did not answer")


def _left(claimed: TaskLease, tools: WorkerContext, status: Status, why: str) -> Done | None:
    """What Check leaves that has read the text, and judged it by no method."""
    claims = reads.load_claims(tools.store, str(claimed.job.document))
    methods = json.loads(claimed.job.options)["methods"]
    return Done(list(unknown_steps(claimed.job, methods, claims, status, why)), failed=why) if claims else None


def _verdicts(tools: WorkerContext, name: str) -> list[tuple[str, str, Outcome, Status, str]]:
    """The verdicts that hold for the claims of a text."""
    claims = [claim.id for claim in reads.load_claims(tools.store, text(name).id)]
    found = reads.load_verdicts(tools.store, claims)
    return [(one.claim, one.method, one.outcome, one.status, one.reason) for one in found]


def test_work_that_does_not_end_is_told_to(tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is told to stop after the seconds that the settings allow, and is told so again where it did not hear."""
    heard: list[str] = []

    def work(_: TaskLease, __: WorkerContext) -> Done:
        try:
            Event().wait(60)
        except Overdue as error:
            heard.append(str(error))
        Event().wait(60)
        raise AssertionError("nobody stopped the work")

    use(monkeypatch, only=work)
    tools.settings, told = replace(tools.settings, task_seconds=0.5), Told()
    _, [task] = submitted(tools.store, "Ada")
    task_flow.perform(task.job, tools, lambda _: None, told)
    assert ["took longer than 0.5 seconds"] == heard
    assert [("error", "took longer than 0.5 seconds")] == list(zip(told.results, told.said, strict=True))


def test_too_slow_claims_are_recorded(tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that takes too long leaves TIMEOUT for each claim and method, once, and the document ends as failed."""
    use(monkeypatch, read=one_claim, check=(_slow, _left), last=lambda _, __: Done())
    batch, tasks = submitted(tools.store, "Ada", methods=["kea", "fused"])
    told = Told()
    assert ["read", "check"] == performed(tasks, tools, told)
    assert ["done", "overdue"] == told.results
    [claim] = reads.load_claims(tools.store, text("Ada").id)
    said = "took longer than 300 seconds"
    assert [(claim.id, "fused", Outcome.NOT_ENOUGH_INFO, Status.TIMEOUT, said)] == _verdicts(tools, "Ada")
    assert 2 == len(tools.store.read("verdicts_on_document", id=text("Ada").id))
    now = tools.board.progress(batch)
    assert ("complete", 0, 1, 0) == (now.status.value, now.done, now.failed, now.parked)


def test_what_is_found_out_later_takes_the_place(tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recorded TIMEOUT is no obstacle to the verdict that a later attempt gives: that one holds."""
    use(monkeypatch, read=one_claim, check=(_slow, _left))
    _, tasks = submitted(tools.store, "Ada", methods=["fused"])
    performed(tasks, tools)
    [claim] = reads.load_claims(tools.store, text("Ada").id)
    finding = Finding(Outcome.SUPPORTED, Status.COMPLETE, "it says so")
    verdict = verdict_of(claim, finding, "fused", "{}", "a scope", closed=True)
    tools.store.write(*records.verdict_steps(Run("r1:real", "fused", "{}", datetime.now(UTC)), [verdict]))
    assert [(claim.id, "fused", Outcome.SUPPORTED, Status.COMPLETE, "it says so")] == _verdicts(tools, "Ada")


def test_too_slow_without_claims_is_a_failed_attempt(tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing was read, three attempts that are too slow park."""
    use(monkeypatch, check=(_slow, _left))
    batch, tasks = submitted(tools.store, "Ada", methods=["fused"])
    performed(tasks, tools)
    assert [(3, "took longer than 300 seconds")] == [(p.attempts, p.error) for p in tools.board.parked(batch)]


def test_model_that_fails_at_last_is_recorded(tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model's error is tried again; at the last attempt the claims are recorded as MODEL_FAILED."""
    use(monkeypatch, read=one_claim, check=(_mute, _left))
    batch, tasks = submitted(tools.store, "Ada", methods=["fused"])
    told = Told()
    performed(tasks, tools, told)
    assert ["done", "error", "error", "failed"] == told.results
    assert [("fused", Status.MODEL_FAILED, "the model did not answer")] == [
        (method, status, reason) for _, method, _, status, reason in _verdicts(tools, "Ada")
    ]
    assert 1 == tools.board.progress(batch).failed


def test_a_beat_shows_that_a_task_is_worked_on(
    embedded: EmbeddedStore, tools: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a task is worked on its task's beat counts up, also after the store was away for some beats."""
    beats: list[int] = []

    def work(_: TaskLease, tools: WorkerContext) -> Done:
        while len(set(beats)) < 3:
            beats.extend(one.beat for one in tools.board.unfinished())
            Event().wait(0.005)
        return Done()

    use(monkeypatch, only=work)
    _, [task] = submitted(embedded, "Ada")
    failing = Failing(embedded, put_beats=[StoreUnreachable("gone")] * 3)
    task_flow.perform(task.job, WorkerContext(tools.settings, cast(GraphStore, failing)), lambda _: None)
    assert [] == failing.faults["put_beats"]
    assert sorted(beats) == beats


@pytest.mark.parametrize("slow", [False, True])
def test_a_task_that_was_taken_over_is_left_alone(
    tools: WorkerContext, monkeypatch: pytest.MonkeyPatch, slow: bool
) -> None:
    """Who finishes a task that has become another's sends nothing; unknown outcomes are not recorded then at all."""

    def work(claimed: TaskLease, tools: WorkerContext) -> Done:
        if claimed.attempt == 1:
            [seen] = [one for one in tools.board.unfinished() if one.status is JobStatus.RUNNING]
            while tools.board.expire(seen, "taken over") is None:
                [seen] = tools.board.unfinished()
            if slow:
                return _slow(claimed, tools)
        return Done()

    use(monkeypatch, read=one_claim, check=(work, _left), last=lambda _, __: Done())
    batch, tasks = submitted(tools.store, "Ada", methods=["fused"])
    told = Told()
    assert ["read", "check"] == performed(tasks, tools, told)
    assert [] == _verdicts(tools, "Ada")
    [left] = tools.board.unfinished()
    assert ("check", JobStatus.QUEUED, 1) == (left.task.name, left.status, left.attempt)
    assert ["check", "last"] == performed([left.task], tools)
    assert 1 == tools.board.progress(batch).done


def test_retrying_a_run_finds_out_what_was_left_unknown(tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document that ended as failed is done again from there when its run is retried: then its real verdict holds."""
    broken = [True]

    def judge(claimed: TaskLease, tools: WorkerContext) -> Done:
        return _slow(claimed, tools) if broken else one_verdict(claimed, tools)

    last = lambda _, __: Done()  # noqa: E731
    use(monkeypatch, read=one_claim, check=(judge, _left), last=last)
    batch, tasks = submitted(tools.store, "Ada", "Bob", methods=["rules"])
    performed(tasks, tools)
    assert [Status.TIMEOUT] == [status for *_, status, _ in _verdicts(tools, "Ada")]
    broken.clear()
    assert ["check", "check", "last", "last"] == performed(tools.board.retry(batch), tools)
    assert [("rules", Status.COMPLETE)] == [(method, status) for _, method, _, status, _ in _verdicts(tools, "Ada")]
    now = tools.board.progress(batch)
    assert ("complete", 2, 0, 0) == (now.status.value, now.done, now.failed, now.parked)
