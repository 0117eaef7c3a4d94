"""Define the stages: the queue each waits in, and the stages of a job, in order.

A stage is a function of a claimed task and this process's context that returns the steps to store. It reads its input
from the store by the ids in the job, writes nothing itself, and can be killed at any point and run again. The functions
are named, not imported, so that the table costs nothing: a worker of one queue loads what its stages need.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Status
from claimgraph.kgstore.runs.jobs import Job, Task, TaskLease
from claimgraph.kgstore.store import Step

if TYPE_CHECKING:
    from claimgraph.workers.stages.worker_context import WorkerContext

CPU, MODEL, NET, BULK = "cpu", "model", "net", "bulk"
QUEUES = (CPU, MODEL, NET, BULK)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a stage: steps to store, notes for later stages, and the number of parts of the next stage.

    `failed` says, in one line, why claims of this job have no known outcome: the job ends with that.
    """

    steps: Sequence[Step] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    parts: int = 1
    failed: str | None = None


Perform = Callable[[TaskLease, "WorkerContext"], Done]


@dataclass(frozen=True, slots=True)
class Stage:
    """`perform` and `overdue` name functions as "module:function"; `overdue` makes the result of a stage that timed
    out, None where there is none: then the attempt has failed.
    """

    queue: str
    perform: str
    overdue: str | None = None

    def run(self, claimed: TaskLease, tools: WorkerContext) -> Done:
        """Run the stage."""
        done: Done = _function(self.perform)(claimed, tools)
        return done

    def give_up(self, claimed: TaskLease, tools: WorkerContext, status: Status, why: str) -> Done | None:
        """Return the result of a task that timed out, or whose model failed at the last attempt: with status and
        reason.
        """
        left: Done | None = _function(self.overdue)(claimed, tools, status, why) if self.overdue else None
        return left


STAGES: Mapping[str, Stage] = {
    "extract": Stage(CPU, "claimgraph.workers.stages.checking:extract"),
    "link": Stage(CPU, "claimgraph.workers.stages.checking:link", "claimgraph.workers.stages.timeouts:claims"),
    "fetch": Stage(NET, "claimgraph.workers.stages.fetching:fetch"),
    "retrieve": Stage(
        CPU, "claimgraph.workers.stages.retrieving:retrieve", "claimgraph.workers.stages.timeouts:claims"
    ),
    "compare": Stage(CPU, "claimgraph.workers.stages.checking:compare", "claimgraph.workers.stages.timeouts:claims"),
    "entail": Stage(MODEL, "claimgraph.workers.stages.checking:entail", "claimgraph.workers.stages.timeouts:scores"),
    "fuse": Stage(CPU, "claimgraph.workers.stages.checking:fuse", "claimgraph.workers.stages.timeouts:claims"),
    "explain": Stage(CPU, "claimgraph.workers.stages.editing:explain"),
    "correct": Stage(CPU, "claimgraph.workers.stages.editing:correct"),
    "retrofit": Stage(CPU, "claimgraph.workers.stages.editing:retrofit"),
    "recheck": Stage(CPU, "claimgraph.workers.stages.editing:recheck"),
    "answer": Stage(NET, "claimgraph.workers.stages.answering:answer"),
}


def plan(job: Job) -> tuple[str, ...]:
    """Return the stages of a job, in order: fixed by its options when it is submitted."""
    return tuple(json.loads(job.options)["stages"])


def first_task(job: Job, *, bulk: bool) -> Task:
    """Return the first task of a job."""
    return task(job, plan(job)[0], 0, bulk=bulk)


def after(claimed: TaskLease, parts: int) -> list[Task]:
    """Return the tasks of the stage after a claimed task's; none after the last."""
    stages = plan(claimed.job)
    following = stages[stages.index(claimed.task.stage) + 1 :][:1]
    return [task(claimed.job, stage, part, bulk=claimed.bulk) for stage in following for part in range(parts)]


def task(job: Job, stage: str, part: int, *, bulk: bool) -> Task:
    """Return a part of a stage of a job. A bulk task that would wait in the processor's queue waits in bulk instead."""
    queue = STAGES[stage].queue
    return Task(identity.task_id(job.id, stage, part), job.id, stage, part, BULK if bulk and queue == CPU else queue)


def _function(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)
