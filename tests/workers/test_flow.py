"""The flow of a task: what each way of ending makes of it, with the real embedded store and tasks that tests make."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from stub_tasks import Failing, Told, performed, submitted, text, use

from claimgraph.kgstore import reads, records
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import (
    InputError,
    QueueUnreachable,
    StoreConflict,
    StoreDenied,
    StoreStopped,
    StoreUnreachable,
)
from claimgraph.kgstore.runs.jobs import BatchStatus, Budget, JobStatus, TaskLease
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.workers.execution import task_flow
from claimgraph.workers.execution.store_retry import StoreRetry
from claimgraph.workers.tasks.task_table import Done
from claimgraph.workers.tasks.worker_context import WorkerContext

NOTHING = lambda _, __: Done()  # noqa: E731


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(store=tmp_path / "store", cache=tmp_path / "cache")


@pytest.fixture
def tools(embedded: EmbeddedStore, settings: Settings) -> Iterator[WorkerContext]:
    with WorkerContext(settings, embedded) as made:
        yield made


@pytest.fixture
def anywhere(store: GraphStore, settings: Settings) -> Iterator[WorkerContext]:
    """Tools on each engine found."""
    with WorkerContext(settings, store) as made:
        yield made


def _over(store: GraphStore, tools: WorkerContext, **faults: Any) -> WorkerContext:
    """Tools over a store that fails."""
    return WorkerContext(tools.settings, cast(GraphStore, Failing(store, **faults)))


def _raising(*errors: BaseException) -> Callable[[TaskLease, WorkerContext], Done]:
    """Work that raises these, one a call, and then does nothing."""
    left = list(errors)

    def work(_: TaskLease, __: WorkerContext) -> Done:
        if left:
            raise left.pop(0)
        return Done()

    return work


def _ended(tools: WorkerContext, batch: str) -> tuple[str, int, int, int]:
    """Status of a batch, and how many of its jobs are done, failed and parked."""
    now = tools.board.progress(batch)
    return now.status.value, now.done, now.failed, now.parked


def test_tasks_follow_each_other_and_notes_stay(anywhere: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next task of a job begins when the one before is done, and finds what that noted."""
    seen: list[dict[str, Any]] = []

    def second(claimed: TaskLease, _: WorkerContext) -> Done:
        seen.append(json.loads(claimed.job.notes))
        return Done()

    use(monkeypatch, first=lambda _, __: Done(notes={"from": "first"}), second=second)
    batch, tasks = submitted(anywhere.store, "Ada")
    assert ["first", "second"] == performed(tasks, anywhere)
    assert [{"from": "first"}] == seen
    assert ("complete", 1, 0, 0) == _ended(anywhere, batch)


def test_results_are_stored_with_the_transition(anywhere: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a task found is in the store when its task is done, and what it took is counted."""
    found = text("Bob")
    use(monkeypatch, only=lambda _, __: Done(records.document_steps([found])))
    batch, tasks = submitted(anywhere.store, "Ada")
    performed(tasks, anywhere)
    assert found.text == getattr(reads.load_document(anywhere.store, found.id), "text", None)
    assert anywhere.board.progress(batch).spent.seconds > 0


def test_one_message_too_many_does_nothing(tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that is done is not performed again, and nothing is sent."""
    calls: list[str] = []
    use(monkeypatch, only=lambda claimed, _: calls.append(claimed.job.id) or Done())
    _, [task] = submitted(tools.store, "Ada")
    performed([task, task], tools)
    assert 1 == len(calls)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (InputError("no such\nthing"), "no such thing"),
        (KeyError("claims"), "KeyError: 'claims'"),
        (AssertionError(), "AssertionError"),
        (ValueError("the key sk-very-secret is wrong"), "ValueError: the key … is wrong"),
    ],
)
def test_error_parks_after_three_attempts(
    tools: WorkerContext, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    """A task that fails is tried three times, then its document is parked with the error in one line, no secret."""
    tools.settings = replace(tools.settings, llm_api_key="sk-very-secret")
    use(monkeypatch, only=_raising(*[error] * 5))
    batch, tasks = submitted(tools.store, "Ada")
    told = Told()
    assert ["only"] * 3 == performed(tasks, tools, told)
    assert ["error", "error", "parked"] == told.results
    assert [(3, said)] == [(one.attempts, one.error) for one in tools.board.parked(batch)]
    assert ("parked", 0, 0, 1) == _ended(tools, batch)


@pytest.mark.parametrize(
    "error", [StoreUnreachable("gone"), StoreStopped("full"), StoreConflict("two"), StoreDenied("starting")]
)
def test_outage_in_a_task_does_not_count(
    tools: WorkerContext, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A task that finds the store gone is performed again, as the same attempt."""
    attempts: list[int] = []
    broken = _raising(*[error] * 4)

    def work(claimed: TaskLease, tools: WorkerContext) -> Done:
        attempts.append(claimed.attempt)
        return broken(claimed, tools)

    use(monkeypatch, only=work)
    batch, tasks = submitted(tools.store, "Ada")
    told, pauses = Told(), list[float]()
    performed(tasks, tools, told, StoreRetry(first=1.0, sleep=pauses.append))
    assert [1] * 5 == attempts
    assert ["released"] * 4 + ["done"] == told.results
    assert [1.0] * 4 == pauses
    assert ("complete", 1, 0, 0) == _ended(tools, batch)


@pytest.mark.parametrize("query", ["put_claimed", "put_finished", "put_failed", "put_released"])
def test_outage_of_a_transition_is_waited_for(
    embedded: EmbeddedStore, tools: WorkerContext, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    """Where a transition finds the store gone it is made again after growing pauses, and the work is not."""
    calls: list[int] = []
    raised = {"put_failed": [ValueError("once")], "put_released": [StoreUnreachable("once")]}.get(query, [])
    broken = _raising(*raised)

    def work(claimed: TaskLease, tools: WorkerContext) -> Done:
        calls.append(claimed.attempt)
        return broken(claimed, tools)

    use(monkeypatch, only=work)
    batch, [task] = submitted(embedded, "Ada")
    pauses: list[float] = []
    patience = StoreRetry(first=1.0, most=3.0, longest=100.0, sleep=pauses.append)
    failing, waiting = _over(embedded, tools, **{query: [StoreUnreachable("gone")] * 3}), [task]
    while waiting:
        task_flow.perform(waiting.pop().job, failing, waiting.extend, patience=patience)
    assert [1.0, 2.0, 3.0] == pauses[-3:]
    assert 1 + len(raised) == len(calls)
    assert ("complete", 1, 0, 0) == _ended(tools, batch)


def test_patience_ends(embedded: EmbeddedStore, tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that stays away for long is an error: the task is left to whoever finds that it stands still."""
    use(monkeypatch, only=NOTHING)
    _, [task] = submitted(embedded, "Ada")
    pauses: list[float] = []
    failing = _over(embedded, tools, put_finished=[StoreUnreachable("gone")] * 99)
    patience = StoreRetry(first=1.0, most=4.0, longest=20.0, sleep=pauses.append)
    with pytest.raises(StoreUnreachable):
        task_flow.perform(task.job, failing, lambda _: None, patience=patience)
    assert [1.0, 2.0, 4.0, 4.0, 4.0, 4.0, 4.0] == pauses
    assert [JobStatus.RUNNING] == [one.status for one in tools.board.unfinished()]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_being_stopped_gives_the_task_back(
    tools: WorkerContext, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    """Ctrl-C and a worker's exit go through, and the task waits again as if it had not been taken."""
    use(monkeypatch, only=_raising(stop()))
    batch, tasks = submitted(tools.store, "Ada")
    with pytest.raises(stop):
        performed(tasks, tools)
    assert [(JobStatus.QUEUED, 0)] == [(one.status, one.attempt) for one in tools.board.unfinished()]
    performed(tasks, tools)
    assert ("complete", 1, 0, 0) == _ended(tools, batch)


def test_budget_pauses_and_resuming_goes_on(anywhere: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """At its budget of tokens a batch is paused with the reason, what was spent is counted, and more lets it go on."""

    attempts: list[int] = []

    def work(claimed: TaskLease, tools: WorkerContext) -> Done:
        attempts.append(claimed.attempt)
        for _ in range(3):
            tools.models.spending.check()
            tools.models.spending.called(tokens_in=30, tokens_out=10)
        return Done()

    use(monkeypatch, only=work)
    batch, tasks = submitted(anywhere.store, "Ada", "Bob", budget=Budget(tokens=80))
    told = Told()
    performed(tasks, anywhere, told)
    now = anywhere.board.progress(batch)
    assert (BatchStatus.PARKED, 0, 80, 2) == (now.status, now.done, now.spent.tokens, now.spent.calls)
    assert "80 tokens" in (now.reason or "")
    assert ["released"] == told.results
    performed(anywhere.board.resume(batch, Budget(tokens=10_000)), anywhere)
    assert ("complete", 2, 0, 0) == _ended(anywhere, batch)
    assert 80 + 2 * 120 == anywhere.board.progress(batch).spent.tokens
    assert [1, 1, 1] == attempts


def test_unsent_tasks_are_no_failure(tools: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that is away does not undo a task: it is done, and the next waits in the store."""
    use(monkeypatch, first=NOTHING, second=NOTHING)
    _, [task] = submitted(tools.store, "Ada")

    def send(_: object) -> None:
        raise QueueUnreachable("127.0.0.1:1", 1)

    task_flow.perform(task.job, tools, send)
    assert ["second"] == [one.task.name for one in tools.board.unfinished()]
