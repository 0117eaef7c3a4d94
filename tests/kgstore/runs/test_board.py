"""The board: every transition is taken once, by one worker, on both engines."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from claimgraph.kgstore import identity, records
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import (
    Batch,
    BatchStatus,
    Budget,
    Job,
    JobStatus,
    Parked,
    Seen,
    Spent,
    Task,
    TaskLease,
)
from claimgraph.kgstore.store import GraphStore, Row, Step
from claimgraph.kgstore.upkeep.transfer import counts

NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
DOCUMENTS = [Document(identity.document_id(text), text, name=text.lower()) for text in ("One.", "Two.", "Three.")]


def a_job(document: Document, **options: Any) -> Job:
    """A job about a document."""
    said = json.dumps(options, sort_keys=True)
    return Job(identity.job_id("check", document.id, None, said), "check", document.id, None, said)


def a_task(job: Job, name: str = "check", queue: str = "cpu") -> Task:
    """A task of a job."""
    return Task(job.id, name, queue)


JOBS = sorted((a_job(document) for document in DOCUMENTS), key=lambda job: job.id)
FIRST = [a_task(job) for job in JOBS]
BATCH = Batch(identity.batch_id("check", [job.id for job in JOBS]), "check", "{}", created_at=NOW)


def submitted(store: GraphStore, jobs: list[Job] = JOBS, batch: Batch = BATCH, attempts: int = 3) -> Board:
    """A board with a batch of jobs on it."""
    store.write(*records.document_steps(DOCUMENTS))
    board = Board(store, attempts)
    board.submit(batch, jobs, [a_task(job) for job in jobs])
    return board


def claimed(board: Board, task: Task, holder: str = "me") -> TaskLease:
    """The task, which can be taken, taken."""
    found = board.claim(task.job, holder)
    assert found is not None
    return found


def by_id(tasks: list[Task]) -> list[Task]:
    """In the order of their jobs."""
    return sorted(tasks, key=lambda task: task.job)


def counted(board: Board, batch: str = BATCH.id) -> tuple[BatchStatus, int, int, int]:
    """Status of a batch, jobs done, failed, parked."""
    found = board.progress(batch)
    return found.status, found.done, found.failed, found.parked


def test_what_is_submitted_waits_to_be_taken(store: GraphStore) -> None:
    """Submitting gives the tasks to send, and the batch is queued."""
    board = submitted(store)
    assert by_id(FIRST) == board.submit(BATCH, JOBS, FIRST)
    found = board.progress(BATCH.id)
    assert (BatchStatus.QUEUED, 3, 0, 0, 0) == (found.status, found.total, found.done, found.failed, found.parked)
    assert (NOW, Spent(), Budget(), None) == (found.created_at, found.spent, found.budget, found.reason)
    assert (3, 0) == (found.queued, found.running)
    assert [replace(found, seconds=0.0)] == [replace(one, seconds=0.0) for one in board.batches()]


def test_a_task_is_taken_once(store: GraphStore) -> None:
    """Who takes it learns what to do; a second one gets nothing, as does one who asks for what is not there."""
    board = submitted(store)
    found = claimed(board, FIRST[0])
    expected = (FIRST[0], JOBS[0], (BATCH.id,), 1, None, False)
    assert expected == (found.task, found.job, found.batches, found.attempt, found.tokens_left, found.bulk)
    assert found.holder.startswith("me ")
    assert None is board.claim(FIRST[0].job, "me")
    assert None is board.claim("j1:none", "me")
    assert BatchStatus.RUNNING == board.progress(BATCH.id).status
    assert [BatchStatus.RUNNING] == [one.status for one in board.batches()]


def test_a_job_goes_from_task_to_task(store: GraphStore) -> None:
    """Finishing lets the next task wait in its queue, with the notes so far, and without one ends the job."""
    board = submitted(store, JOBS[:1])
    then, spent = a_task(JOBS[0], "after", "net"), Spent(1.5, 2, 300)
    first = claimed(board, FIRST[0])
    assert then == board.finish(first, notes={"a": 1, "b": "é"}, then=then, spent=spent)
    assert then == board.finish(first, then=then)
    assert [(then, 0)] == [(seen.task, seen.attempt) for seen in board.unfinished()]
    final = claimed(board, then)
    assert {"a": 1, "b": "é"} == json.loads(final.job.notes)
    assert None is board.finish(first, then=then)
    assert None is board.finish(final, notes={"a": 2}, spent=spent)
    found = board.progress(BATCH.id)
    assert (BatchStatus.COMPLETE, 1, 1, Spent(3.0, 4, 600)) == (found.status, found.total, found.done, found.spent)
    assert [] == board.unfinished()
    [row] = store.read("dump_jobs", after="", limit=9)
    assert {"a": 2, "b": "é"} == json.loads(row["notes"])


def test_results_come_with_the_transition(store: GraphStore) -> None:
    """What a task found is stored even where it is another's by now; then nothing else changes."""
    board = submitted(store, JOBS[:1])
    late = claimed(board, FIRST[0])
    [seen] = board.unfinished()
    assert FIRST[0] == board.expire(seen, "stood still")
    text = Document(identity.document_id("Found."), "Found.")
    then = a_task(JOBS[0], "after")
    assert None is board.finish(late, steps=records.document_steps([text]), notes={"a": 1}, then=then, failed="x")
    assert store.read("document", id=text.id)
    again = claimed(board, FIRST[0])
    assert (2, "{}") == (again.attempt, again.job.notes)
    assert then == board.finish(again, then=then)


def test_a_job_ends_as_failed(store: GraphStore) -> None:
    """A job whose task says what failed is over, with that, until its run is retried."""
    board = submitted(store, JOBS[:1])
    assert None is board.finish(claimed(board, FIRST[0]), failed="2 claims: the model failed")
    assert (BatchStatus.COMPLETE, 0, 1, 0) == counted(board)
    [said] = board.documents(BATCH.id)
    assert (JobStatus.FAILED, "2 claims: the model failed") == (said.status, said.error)
    assert FIRST[:1] == board.retry(BATCH.id)
    assert (BatchStatus.QUEUED, 0, 0, 0) == counted(board)
    board.finish(claimed(board, FIRST[0]))
    assert (BatchStatus.COMPLETE, 1, 0, 0) == counted(board)


def test_documents_are_listed_worst_first(store: GraphStore) -> None:
    """Parked ones, failed ones, then those that are done or wait, by name; a question is its own name."""
    question = Job("j1:ask", "ask", None, None, '{"question": "Who?"}')
    board = submitted(store, [*JOBS, question], attempts=1)
    names = {job.id: _name(job) for job in JOBS}
    board.finish(claimed(board, FIRST[0]))
    board.finish(claimed(board, FIRST[1]), failed="too long")
    board.fail(claimed(board, FIRST[2]), "poison")
    said = [(one.name, one.status.value, one.task, one.attempts, one.error) for one in board.documents(BATCH.id)]
    worst = [(names[JOBS[2].id], "parked", "check", 1, "poison"), (names[JOBS[1].id], "failed", "check", 1, "too long")]
    assert worst == said[:2]
    assert {(names[JOBS[0].id], "done", "check", 1, None), ("Who?", "queued", "check", 0, None)} == set(said[2:])
    assert said[:1] == [
        (one.name, one.status, one.task, one.attempts, one.error) for one in board.documents(BATCH.id, 1)
    ]


def test_a_task_is_parked_after_its_attempts(store: GraphStore) -> None:
    """It is queued again until it was tried often enough, then listed with its error until somebody retries it."""
    board = submitted(store, JOBS[:1], attempts=2)
    assert FIRST[0] == board.fail(claimed(board, FIRST[0]), "no", Spent(1.0))
    assert None is board.fail(claimed(board, FIRST[0]), "poison", Spent(1.0))
    assert None is board.claim(FIRST[0].job, "me")
    parked = [Parked(JOBS[0].id, JOBS[0].document, _name(JOBS[0]), "check", 2, "poison")]
    assert parked == board.parked() == board.parked(BATCH.id)
    assert [] == board.parked("b1:none")
    found = board.progress(BATCH.id)
    assert (BatchStatus.PARKED, 1, "1 of 1 were tried too often") == (found.status, found.parked, found.reason)
    assert Spent(2.0) == found.spent
    assert FIRST[:1] == board.retry(BATCH.id)
    again = claimed(board, FIRST[0])
    assert (1, []) == (again.attempt, board.parked())
    board.finish(again)
    assert (BatchStatus.COMPLETE, 1, 0, 0) == counted(board)


def _name(job: Job) -> str | None:
    return next(document.name for document in DOCUMENTS if document.id == job.document)


def test_what_is_released_was_not_tried(store: GraphStore) -> None:
    """However often a task is given back, it is not parked, and never looks as if it had stood still."""
    board = submitted(store, JOBS[:1], attempts=1)
    seen = set()
    for _ in range(3):
        mine = claimed(board, FIRST[0])
        assert 1 == mine.attempt
        seen |= {(one.attempt, one.beat) for one in board.unfinished()}
        assert FIRST[0] == board.release(mine)
        assert not board.beat(mine)
    assert 3 == len(seen)


def test_what_stands_still_is_taken_away(store: GraphStore) -> None:
    """A task seen unchanged is queued again, its attempt counted; one that has a beat more is not."""
    board = submitted(store, JOBS[:1], attempts=2)
    mine = claimed(board, FIRST[0])
    [seen] = board.unfinished(queued=False)
    assert Seen(FIRST[0], JobStatus.RUNNING, 1, seen.beat) == seen
    assert board.beat(mine)
    assert None is board.expire(seen, "stood still")
    [seen] = board.unfinished()
    assert FIRST[0] == board.expire(seen, "stood still")
    assert not board.beat(mine)
    assert None is board.release(mine)
    assert None is board.fail(mine, "late", Spent(1.0))
    claimed(board, FIRST[0])
    [seen] = board.unfinished()
    assert None is board.expire(seen, "stood still")
    assert ["stood still"] == [one.error for one in board.parked()]
    assert Spent() == board.progress(BATCH.id).spent


def test_running_tasks_are_seen_first(store: GraphStore) -> None:
    """Of many tasks those being worked on are seen whatever the limit, then queued ones by job."""
    board = submitted(store)
    queue = by_id(FIRST)
    claimed(board, queue[2])
    assert [queue[2], queue[0]] == [seen.task for seen in board.unfinished(2)]
    assert [queue[2]] == [seen.task for seen in board.unfinished(queued=False)]
    board.pause(BATCH.id, "lunch")
    assert [] == board.unfinished()


def test_a_batch_is_paused_resumed_and_cancelled(store: GraphStore) -> None:
    """While it is not active none of its tasks is taken; what is being worked on may finish."""
    board = submitted(store)
    mine = claimed(board, FIRST[0])
    board.pause(BATCH.id, "lunch")
    assert None is board.claim(FIRST[1].job, "me")
    assert (BatchStatus.PARKED, "lunch") == (board.progress(BATCH.id).status, board.progress(BATCH.id).reason)
    board.finish(mine)
    assert by_id(FIRST[1:]) == board.resume(BATCH.id)
    board.cancel(BATCH.id)
    assert (BatchStatus.CANCELLED, 1, 0, 0) == counted(board)
    assert None is board.claim(FIRST[1].job, "me")
    assert by_id(FIRST[1:]) == board.submit(BATCH, JOBS, FIRST)
    for task in FIRST[1:]:
        board.finish(claimed(board, task))
    board.cancel(BATCH.id)
    assert (BatchStatus.COMPLETE, 3, 0, 0) == counted(board)


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(seconds=2.0), "2.0 seconds of work"),
        (Budget(calls=4), "4 calls of a language model"),
        (Budget(tokens=100), "100 tokens"),
    ],
)
def test_a_batch_stops_at_its_budget(store: GraphStore, budget: Budget, said: str) -> None:
    """What is spent counts in every active batch; at its budget it is parked, and goes on under a larger one."""
    small, other = replace(BATCH, budget=budget), replace(BATCH, id="b1:other", bulk=True)
    board = submitted(store, batch=small)
    board.submit(other, JOBS, FIRST)
    assert (2, False) == (len(claimed(board, FIRST[0]).batches), claimed(board, FIRST[1]).bulk)
    board.submit(small, JOBS, FIRST)
    third = claimed(board, FIRST[2])
    assert budget.tokens == third.tokens_left or None is third.tokens_left
    board.finish(third, spent=Spent(2.5, 4, 100))
    found = board.progress(BATCH.id)
    assert (BatchStatus.PARKED, f"the budget of {said} is spent") == (found.status, found.reason)
    assert BatchStatus.RUNNING == board.progress("b1:other").status
    for again in (board.resume, board.retry):
        with pytest.raises(InputError, match="give a larger budget"):
            again(BATCH.id)
    assert [] == board.resume(BATCH.id, Budget(3.0, 5, 101))
    assert (Budget(3.0, 5, 101), Spent(2.5, 4, 100)) == (board.progress(BATCH.id).budget, found.spent)


def test_what_is_left_is_the_most_that_any_batch_leaves(store: GraphStore) -> None:
    """A task of two batches may use what the larger budget leaves, and is bulk where both are."""
    board = submitted(store, batch=replace(BATCH, budget=Budget(tokens=100), bulk=True))
    board.submit(replace(BATCH, id="b1:other", budget=Budget(tokens=500), bulk=True), JOBS, FIRST)
    first = claimed(board, FIRST[0])
    assert (500, True) == (first.tokens_left, first.bulk)
    board.finish(first, spent=Spent(tokens=40))
    assert 460 == claimed(board, FIRST[1]).tokens_left
    board.submit(replace(BATCH, id="b1:third"), JOBS, FIRST)
    third = claimed(board, FIRST[2])
    assert (None, False) == (third.tokens_left, third.bulk)


def test_the_same_work_is_not_done_twice(store: GraphStore) -> None:
    """Submitting again what is done creates nothing and gives nothing to send; a batch that shares it is complete."""
    board = submitted(store, JOBS[:1])
    board.finish(claimed(board, FIRST[0]))
    before = counts(store)
    assert [] == board.submit(BATCH, JOBS[:1], FIRST[:1])
    assert before == counts(store)
    assert [] == board.submit(replace(BATCH, id="b1:late", created_at=None), JOBS[:1], FIRST[:1])
    assert before | {"Batch": 2} == counts(store)
    late = board.progress("b1:late")
    assert (BatchStatus.COMPLETE, 1, 0.0) == (late.status, late.done, late.seconds)
    assert ["b1:late", BATCH.id] == [one.id for one in board.batches()]
    assert ["b1:late"] == [one.id for one in board.batches(limit=1)]


@pytest.mark.parametrize(
    "act",
    [
        lambda board: board.progress("b1:none"),
        lambda board: board.pause("b1:none", "lunch"),
        lambda board: board.cancel("b1:none"),
        lambda board: board.resume("b1:none"),
        lambda board: board.retry("b1:none"),
    ],
)
def test_a_batch_that_is_not_there_is_said(embedded: GraphStore, act: Callable[[Board], object]) -> None:
    """Whatever is asked of it is NotFound."""
    with pytest.raises(NotFound, match="no run 'b1:none'"):
        act(Board(embedded))


class Unanswered:
    """A store that writes, and then fails where it is told to."""

    def __init__(self, store: GraphStore) -> None:
        self._store, self.fails = store, False

    def write(self, *steps: Step) -> list[Row]:
        rows = self._store.write(*steps)
        if self.fails:
            self.fails = False
            raise InputError("no answer")
        return rows


def test_a_claim_whose_answer_was_lost_is_still_ours(store: GraphStore) -> None:
    """Asking again gives the claim that was granted, not a second attempt; others do not get it."""
    submitted(store, JOBS[:1])
    broken = Unanswered(store)
    board = Board(broken)  # type: ignore[arg-type]
    broken.fails = True
    with pytest.raises(InputError):
        board.claim(FIRST[0].job, "me")
    assert None is Board(store).claim(FIRST[0].job, "me")
    assert 1 == claimed(board, FIRST[0]).attempt


def test_users_can_ask_for_jobs(store: GraphStore) -> None:
    """Jobs and batches are nodes like all others."""
    board = submitted(store, attempts=1)
    board.fail(claimed(board, FIRST[0]), "poison")
    asked = (
        "MATCH (j:Job {status: 'parked'})-[:CHECKS]->(d:Document) RETURN j.id AS id, j.error AS error, d.name AS name"
    )
    assert ((JOBS[0].id, "poison", _name(JOBS[0])),) == store.query(asked, {}).rows
    asked = "MATCH (j:Job)-[:PART_OF]->(b:Batch) RETURN b.state AS state, count(j) AS jobs"
    assert (("active", 3),) == store.query(asked, {}).rows


def _many(count: int) -> list[Job]:
    return [Job(identity.job_id("ask", None, None, str(n)), "ask", None, None, str(n)) for n in range(count)]


def test_eight_claiming_at_once_get_each_task_once(neo4j_store: BoltStore) -> None:
    """Of 50 tasks that eight threads ask for in their own order, each is given to one."""
    jobs = _many(50)
    board = submitted(neo4j_store, jobs)

    def take(thread: int) -> list[str]:
        order = jobs[thread * 6 :] + jobs[: thread * 6]
        found = [board.claim(job.id, f"thread {thread}") for job in order]
        return [one.job.id for one in found if one]

    with ThreadPoolExecutor(8) as pool:
        taken = [task for found in pool.map(take, range(8)) for task in found]
    assert sorted(job.id for job in jobs) == sorted(taken)


def _migrated(uri: str) -> list[str]:
    from claimgraph.kgstore.engines.bolt import connect

    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
    with connect(uri, user, password) as store:
        return migrate(store)


def test_two_processes_may_migrate_at_once(neo4j_store: BoltStore) -> None:
    """Both find the schema there, each record once, and the next finds nothing to do."""
    neo4j_store._driver.execute_query("MATCH (m:Migration) DELETE m")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(_migrated, [os.environ["NEO4J_URI"]] * 2)
    assert [] == migrate(neo4j_store)
    applied = [row["id"] for row in neo4j_store.read("migrations")]
    assert sorted(set(applied)) == applied
