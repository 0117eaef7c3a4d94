"""Tasks that a test makes up, jobs that go through them, and a store that fails where a test says."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.errors import StoreError
from claimgraph.kgstore.model import Claim, Document, Extraction, Outcome, Run, Span, Status, Verdict
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import Batch, Budget, Job, Task, TaskLease
from claimgraph.kgstore.store import GraphStore, Row, Step
from claimgraph.workers.execution import task_flow
from claimgraph.workers.execution.store_retry import StoreRetry
from claimgraph.workers.execution.task_errors import TaskError
from claimgraph.workers.execution.task_flow import Observer
from claimgraph.workers.tasks import task_table
from claimgraph.workers.tasks.task_table import Done, Work
from claimgraph.workers.tasks.worker_context import WorkerContext

Perform = Callable[[TaskLease, WorkerContext], Done]
Left = Callable[[TaskLease, WorkerContext, Status, str], Done | None]


class Stub(Work):
    """Work that is a function of the test, and what it leaves when it is given up."""

    def __init__(self, claimed: TaskLease, tools: WorkerContext, work: Perform, left: Left | None = None) -> None:
        super().__init__(claimed, tools)
        self._claimed, self._work, self._left = claimed, work, left

    def run(self) -> Done:
        """As Work's."""
        return self._work(self._claimed, self.tools)

    def give_up(self, status: Status, why: str) -> Done | None:
        """As Work's."""
        return self._left(self._claimed, self.tools, status, why) if self._left else None


def use(monkeypatch: pytest.MonkeyPatch, **made: Perform | tuple[Perform, Left]) -> None:
    """Let these be all tasks that there are, in the order in which jobs go through them."""

    def work(claimed: TaskLease, tools: WorkerContext) -> Work:
        found = made[claimed.task.name]
        return Stub(claimed, tools, *(found if isinstance(found, tuple) else (found,)))

    monkeypatch.setattr(task_table, "_TASKS", dict.fromkeys(made, ("cpu", "")))
    monkeypatch.setattr(task_table, "plan", lambda _: tuple(made))
    monkeypatch.setattr(task_table, "work", work)


def text(name: str) -> Document:
    """A document of one sentence."""
    said = f"{name} was born in Paris."
    return Document(identity.document_id(said), said, name)


def one_claim(claimed: TaskLease, tools: WorkerContext) -> Done:
    """The one claim of a text, and its id in the notes."""
    found = reads.load_document(tools.store, str(claimed.job.document))
    assert found
    said = Claim(f"c1:{found.id}", found.id, str(found.name), "was born in", "Paris", found.text, Span(0, 9))
    extraction = Extraction(found, (Span(0, len(found.text)),), (said,))
    steps = records.extraction_steps(extraction, claim_kg(extraction, identity.claim_graph(found.id)))
    return Done(steps, {"claims": [said.id]})


def one_verdict(claimed: TaskLease, _: WorkerContext) -> Done:
    """A verdict for each claim, of a run that says which attempt it was."""
    claims = json.loads(claimed.job.notes)["claims"]
    verdicts = [
        Verdict(f"v1:{key}", key, Outcome.SUPPORTED, Status.COMPLETE, "rules", f"attempt {claimed.attempt}")
        for key in claims
    ]
    return Done(records.verdict_steps(Run(f"r1:{claimed.job.id}", "rules", "{}", datetime.now(UTC)), verdicts))


def submitted(
    store: GraphStore,
    *names: str,
    budget: Budget = Budget(),  # noqa: B008 - frozen
    **options: Any,
) -> tuple[str, list[Task]]:
    """A batch of a job for each name, going through all tasks: its id, and the first ones."""
    documents = [text(name) for name in names]
    store.write(*records.document_steps(documents))
    asked = json.dumps(options, sort_keys=True)
    ids = [identity.job_id("check", one.id, None, asked) for one in documents]
    jobs = [Job(key, "check", one.id, None, asked) for key, one in zip(ids, documents, strict=True)]
    batch = Batch(identity.batch_id("check", ids), "check", "{}", budget)
    first = [task_table.first_task(job, bulk=False) for job in jobs]
    Board(store).submit(batch, jobs, first)
    return batch.id, first


def performed(
    tasks: Sequence[Task],
    tools: WorkerContext,
    observer: Observer = task_flow.SILENT,
    patience: StoreRetry = StoreRetry(),  # noqa: B008 - frozen
) -> list[str]:
    """Perform the tasks and all that are sent: the names of those performed, in order."""
    waiting, order = list(tasks), []
    while waiting:
        task = waiting.pop(0)
        order.append(task.name)
        task_flow.perform(task.job, tools, waiting.extend, observer, patience)
    return order


class Told:
    """An observer that remembers: `results` of each task that ended, and what went wrong."""

    def __init__(self) -> None:
        self.results: list[str] = []
        self.said: list[str | None] = []

    def started(self, claimed: TaskLease) -> None:
        """As Observer's."""

    def ended(self, _: TaskLease, result: str, __: float, trouble: TaskError | None = None) -> None:
        """As Observer's."""
        self.results.append(result)
        self.said.append(trouble.said if trouble else None)


class Failing:
    """A store over another one. Calls of the queries named by `faults` raise, each as often as there are errors."""

    def __init__(self, store: GraphStore, **faults: list[StoreError]) -> None:
        self._store, self.faults = store, faults

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """As GraphStore's."""
        self._fail(name)
        return self._store.read(name, **params)

    def write(self, *steps: Step) -> list[Row]:
        """As GraphStore's."""
        for name, _ in steps:
            self._fail(name)
        return self._store.write(*steps)

    def _fail(self, name: str) -> None:
        if self.faults.get(name):
            raise self.faults[name].pop()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
