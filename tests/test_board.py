"""The board: every transition is taken once, by one worker, on both engines."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from kgstore import identity, records
from kgstore.board import Board
from kgstore.jobs import (
    Batch,
    BatchStatus,
    Budget,
    Claimed,
    Job,
    Spent,
    StageCount,
    Task,
)
from kgstore.model import Document
from kgstore.store import GraphStore

NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
DOCUMENTS = [Document(identity.document_id(text), text, name=text.lower()) for text in ("One.", "Two.", "Three.")]


def a_job(document: Document, **options: Any) -> Job:
    """A job about a document."""
    said = json.dumps(options, sort_keys=True)
    return Job(identity.job_id("check", document.id, None, said), "check", document.id, None, said)


def a_task(job: Job, stage: str = "extract", part: int = 0, queue: str = "cpu") -> Task:
    """A part of a stage of a job."""
    return Task(identity.task_id(job.id, stage, part), job.id, stage, part, queue)


JOBS = sorted((a_job(document) for document in DOCUMENTS), key=lambda job: job.id)
FIRST = [a_task(job) for job in JOBS]
BATCH = Batch(identity.batch_id("check", [job.id for job in JOBS]), "check", "{}", created_at=NOW)


def submitted(store: GraphStore, jobs: list[Job] = JOBS, batch: Batch = BATCH, attempts: int = 3) -> Board:
    """A board with a batch of jobs on it."""
    store.write(*records.document_steps(DOCUMENTS))
    board = Board(store, attempts)
    board.submit(batch, jobs, [a_task(job) for job in jobs])
    return board


def claimed(board: Board, task: Task, holder: str = "me") -> Claimed:
    """The task, which can be taken, taken."""
    found = board.claim(task.id, holder)
    assert found is not None
    return found


def by_id(tasks: list[Task]) -> list[Task]:
    """In the order of their ids."""
    return sorted(tasks, key=lambda task: task.id)


def test_what_is_submitted_waits_to_be_taken(store: GraphStore) -> None:
    """Submitting gives the tasks to send, and the batch is queued."""
    board = submitted(store)
    assert by_id(FIRST) == board.submit(BATCH, JOBS, FIRST)
    found = board.progress(BATCH.id)
    assert (BatchStatus.QUEUED, 3, 0, 0, 0) == (found.status, found.total, found.done, found.failed, found.parked)
    assert (NOW, Spent(), Budget(), None) == (found.created_at, found.spent, found.budget, found.reason)
    assert (StageCount("extract", 3, 0, 0, 0),) == found.stages
    assert [replace(found, stages=(), seconds=0.0)] == [replace(one, seconds=0.0) for one in board.batches()]


def test_a_task_is_taken_once(store: GraphStore) -> None:
    """Who takes it learns what to do; a second one gets nothing, as does one who asks for what is not there."""
    board = submitted(store)
    found = claimed(board, FIRST[0])
    assert (FIRST[0], JOBS[0], (BATCH.id,), 1, None, False) == (
        found.task,
        found.job,
        found.batches,
        found.attempt,
        found.tokens_left,
        found.bulk,
    )
    assert found.holder.startswith("me ")
    assert None is board.claim(FIRST[0].id, "me")
    assert None is board.claim("w1:none", "me")
    assert BatchStatus.RUNNING == board.progress(BATCH.id).status
    assert [BatchStatus.RUNNING] == [one.status for one in board.batches()]


def test_a_job_goes_from_stage_to_stage(store: GraphStore) -> None:
    """Finishing brings the next stage's tasks into being, with the notes so far, and without any ends the job."""
    board = submitted(store, JOBS[:1])
    then = [a_task(JOBS[0], "entail", part, "model") for part in range(2)]
    spent = Spent(1.5, 2, 300)
    assert by_id(then) == board.finish(claimed(board, FIRST[0]), notes={"a": 1, "b": "é"}, then=then, spent=spent)
    last = a_task(JOBS[0], "fuse")
    assert [] == board.finish(claimed(board, then[0]), notes={"a": 2}, then=[last])
    assert [last] == board.finish(claimed(board, then[1]), then=[last], spent=spent)
    final = claimed(board, last)
    assert {"a": 2, "b": "é"} == json.loads(final.job.notes)
    assert [] == board.finish(final)
    found = board.progress(BATCH.id)
    assert (BatchStatus.COMPLETE, 1, 1, Spent(3.0, 4, 600)) == (found.status, found.total, found.done, found.spent)
    expected = [StageCount("entail", 0, 0, 2, 0), StageCount("extract", 0, 0, 1, 0), StageCount("fuse", 0, 0, 1, 0)]
    assert expected == list(found.stages)
    assert [] == board.unfinished()
