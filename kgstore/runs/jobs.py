"""Define what workers share through the graph: runs of many documents, one job a document.

    (:Job)-[:PART_OF]->(:Batch)      (:Job)-[:CHECKS]->(:Document)

The graph is the queue of record: a message of a broker only says that a job may be ready, so a lost one is sent again
and a surplus one finds nothing to do. A job is taken by whoever turns it from queued to running; `beat` counts up while
it is worked on, so that others detect by their own clock whether it is abandoned, and clock times of different
processes are never compared. A job is one task, or a few, one after another, each on a queue of its own.

`Batch` is what the command line calls a run; `Run` (model.py) is one method's work on one document. board.py moves
these through the store.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class JobStatus(StrEnum):
    """QUEUED can be taken, RUNNING is taken. DONE has a verdict for every claim; FAILED is finished with claims whose
    outcome is unknown for a recorded reason (timeout, model failed); PARKED was tried too often and waits for a person.
    """

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    PARKED = "parked"


class BatchState(StrEnum):
    """The last request for a batch; its jobs are taken while one of their batches is ACTIVE."""

    ACTIVE = "active"
    PAUSED = "paused"
    CANCELLED = "cancelled"


class BatchStatus(StrEnum):
    """The status of a batch. PARKED continues only when somebody resumes or retries it: `Progress.reason` says why."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETE = "complete"
    CANCELLED = "cancelled"
    PARKED = "parked"


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of work: seconds of work, calls of a language model, tokens in and out; a Budget has the same parts,
    None for no limit.
    """

    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits at which a batch stops: seconds of work of all workers together, calls and tokens of language models."""

    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Many jobs of one kind, submitted together. The same jobs are the same batch: submitting twice is once.

    `options` is a JSON object, for the reader; the jobs have their own. With `bulk` its jobs yield to others.
    """

    id: str
    kind: str
    options: str
    budget: Budget = field(default=Budget())
    bulk: bool = False
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """The work to do on one document (None for a question). `options`, a JSON object, determines it, with the versions
    of the graphs used; so the id, which hashes all but the notes, is the same for the same work. `context` has the ids
    of the contexts in their order, joined by spaces; None without one.

    `notes`, a JSON object, is what its tasks have left for a reader: the id of an answer or of a corrected text.
    """

    id: str
    kind: str
    document: str | None
    context: str | None = None
    options: str = "{}"
    notes: str = "{}"

    @property
    def contexts(self) -> tuple[str, ...]:
        """Ids of the contexts, in their order."""
        return tuple(self.context.split()) if self.context else ()


@dataclass(frozen=True, slots=True)
class Task:
    """What there is to do for a job next: the task's name, and the name of the queue it waits in."""

    job: str
    name: str
    queue: str


@dataclass(frozen=True, slots=True)
class TaskLease:
    """A task that is ours until it is finished, released or failed. `attempt` counts from 1; `holder` is unique to this
    claim.

    `batches` are the ids of the active batches of the job; `tokens_left` is what their budgets leave (the largest,
    None for no limit); `bulk` says that all of them are bulk.
    """

    task: Task
    job: Job
    batches: tuple[str, ...]
    holder: str
    attempt: int
    tokens_left: int | None = None
    bulk: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """A queued or running task as it was seen: one that stays unchanged for a lease is abandoned."""

    task: Task
    status: JobStatus
    attempt: int
    beat: int


@dataclass(frozen=True, slots=True)
class BatchDocument:
    """A job of a batch with its document (None for a question, which is its name), its last error in one line, and the
    number of claims of the document by the outcome that holds.
    """

    job: str
    document: str | None
    name: str | None
    status: JobStatus
    task: str
    attempts: int
    error: str | None
    supported: int
    refuted: int
    not_enough_info: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a batch: of `total` jobs `queued` and `running` are to be finished, `done` are finished, `failed`
    finished with claims of unknown outcome, `parked` waiting for a person. `seconds` from submission to the last job's
    end, or until now.
    """

    id: str
    kind: str
    status: BatchStatus
    total: int
    queued: int
    running: int
    done: int
    failed: int
    parked: int
    seconds: float
    created_at: datetime
    spent: Spent
    budget: Budget
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Parked:
    """A job that was tried too often: its task, its attempts, and its last error in one line."""

    job: str
    document: str | None
    name: str | None
    task: str
    attempts: int
    error: str
