"""Define the tasks: the queue each waits in, and those of a job, in order. Nearly every job has one.

A task does the whole work on one document or question, and keeps nothing for a later one but what it stores. It writes
nothing itself, so it can be killed at any point and done again: what was expensive is found in the caches and among the
kept answers of language models. A task a step (extract, link, compare, score, fuse), with the graph between them and a
process for the model, was measured and rejected: see ARCHITECTURE.md.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore import reads
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import Document, Status
from claimgraph.kgstore.runs.jobs import Job, Task, TaskLease
from claimgraph.kgstore.store import Step

if TYPE_CHECKING:
    from claimgraph.workers.tasks.worker_context import WorkerContext

CPU, NET, BULK = "cpu", "net", "bulk"
QUEUES = (CPU, NET, BULK)

CHECK, FETCH, ASK, RETROFIT, RECHECK = "check", "fetch", "ask", "retrofit", "recheck"

_LENGTH = 20_000
"""Characters of a text that may take CLAIMGRAPH_TASK_SECONDS; a longer one may take longer."""


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a task: steps to store, and notes on it for a reader of the job: ids, and what was lacking.

    `failed` says, in one line, why claims of this job have no known outcome: the job ends with that.
    """

    steps: Sequence[Step] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    failed: str | None = None


class Work(ABC):
    """One attempt at a task. `run` performs it, and `give_up` says what is stored where it took too long."""

    def __init__(self, claimed: TaskLease, tools: WorkerContext) -> None:
        self.job, self.tools = claimed.job, tools
        self.options: Mapping[str, Any] = json.loads(claimed.job.options)

    @cached_property
    def seconds(self) -> float:
        """Seconds that `run` may take. Raises NotFound where the store lacks the text."""
        length = len(self.document.text) if self.job.document else 0
        return self.tools.settings.task_seconds * max(1.0, length / _LENGTH)

    @cached_property
    def document(self) -> Document:
        """The text of the job. Raises NotFound where the store lacks it."""
        return self.text(str(self.job.document))

    def text(self, key: str) -> Document:
        """Return a text of the store. Raises NotFound."""
        found = reads.load_document(self.tools.store, key)
        if found is None:
            raise NotFound("document", key)
        return found

    @abstractmethod
    def run(self) -> Done:
        """Perform the task."""

    def give_up(self, status: Status, why: str) -> Done | None:
        """Return what to store of a task that took too long, or whose model failed at the last attempt, with status and
        reason; None where nothing is known: then the attempt has failed.
        """
        del status, why
        return None


_TASKS = {
    CHECK: (CPU, "claimgraph.workers.tasks.checking:Check"),
    FETCH: (NET, "claimgraph.workers.tasks.fetching:Fetch"),
    ASK: (CPU, "claimgraph.workers.tasks.asking:Ask"),
    RETROFIT: (CPU, "claimgraph.workers.tasks.editing:Retrofit"),
    RECHECK: (CPU, "claimgraph.workers.tasks.editing:Recheck"),
}
"""Queue and class by name. The classes are named, not imported, so that the table costs nothing."""

TASKS = tuple(_TASKS)


def work(claimed: TaskLease, tools: WorkerContext) -> Work:
    """Return the work of a claimed task."""
    module, _, name = _TASKS[claimed.task.name][1].partition(":")
    found: Work = getattr(import_module(module), name)(claimed, tools)
    return found


def plan(job: Job) -> tuple[str, ...]:
    """Return the names of a job's tasks, in order."""
    return (FETCH, CHECK) if job.kind == CHECK and json.loads(job.options).get("fetch") else (job.kind,)


def first_task(job: Job, *, bulk: bool) -> Task:
    """Return the first task of a job."""
    return _task(job, plan(job)[0], bulk=bulk)


def after(claimed: TaskLease) -> Task | None:
    """Return the task after a claimed one; None after the last."""
    names = plan(claimed.job)
    following = names[names.index(claimed.task.name) + 1 :]
    return _task(claimed.job, following[0], bulk=claimed.bulk) if following else None


def _task(job: Job, name: str, *, bulk: bool) -> Task:
    """Return a task of a job. A bulk task that would wait in the processor's queue waits in bulk instead."""
    queue = _TASKS[name][0]
    return Task(job.id, name, BULK if bulk and queue == CPU else queue)
