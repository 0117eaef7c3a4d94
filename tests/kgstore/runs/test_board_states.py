"""The board does what its oracle does, whatever happens in whichever order, and whatever is asked for twice."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import engines
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from oracle_board import OracleBoard

from claimgraph.kgstore import identity
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import Batch, BatchState, Budget, Job, JobStatus, Seen, Spent, Task, TaskLease
from claimgraph.kgstore.store import GraphStore, Row, Step

ATTEMPTS = 2
JOBS = [Job(identity.job_id("ask", None, None, str(number)), "ask", None, None, str(number)) for number in range(3)]
BATCHES = [
    (Batch("b1:all", "ask", "{}", Budget(calls=12)), JOBS),
    (Batch("b1:two", "ask", "{}", bulk=True), JOBS[:2]),
]
TASKS = ("fetch", "check", "after")
ANY = st.integers(0, 10**6)


class Forgetful:
    """A store that may do a write twice, as after an answer that was lost."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self.twice = False

    def read(self, name: str, /, **params: Any) -> list[Row]:
        return self._store.read(name, **params)

    def write(self, *steps: Step) -> list[Row]:
        if self.twice:
            self._store.write(*steps)
        return self._store.write(*steps)


def task_of(job: Job, name: str) -> Task:
    """A task of a job."""
    return Task(job.id, name, "cpu")


def one_of(members: list[Any], number: int) -> Any:
    """The member a number stands for."""
    return members[number % len(members)]


class Boards(RuleBasedStateMachine):
    """Board and oracle side by side."""

    @initialize(twice=st.booleans())
    def open(self, twice: bool) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._opened = engines.open_clean("embedded", Path(self._folder.name))
        self._store = Forgetful(self._opened)
        self._store.twice = twice
        self.board, self.oracle = Board(self._store, ATTEMPTS), OracleBoard(ATTEMPTS)  # type: ignore[arg-type]
        self.claims: list[TaskLease] = []
        self.sights: list[tuple[Seen, int]] = []

    def teardown(self) -> None:
        self._opened.close()
        self._folder.cleanup()

    @rule(number=ANY)
    def submit(self, number: int) -> None:
        batch, jobs = one_of(BATCHES, number)
        first = [task_of(job, TASKS[0]) for job in jobs]
        assert self.oracle.submit(batch, jobs, first) == self.board.submit(batch, jobs, first)

    @precondition(lambda self: self.oracle.jobs)
    @rule(number=ANY)
    def claim(self, number: int) -> None:
        task = one_of([state.task for state in self.oracle.tasks()], number)
        found = self.board.claim(task.job, "me")
        assert self.oracle.can_claim(task) == (found is not None)
        if found is not None:
            active = self.oracle.active(task.job)
            assert tuple(kept.batch.id for kept in active) == found.batches
            assert all(kept.batch.bulk for kept in active) == found.bulk
            self.oracle.claim(task, found.holder)
            assert self.oracle.jobs[task.job].notes == json.loads(found.job.notes)
            self.claims.append(found)

    @precondition(lambda self: self.claims)
    @rule(number=ANY, calls=st.integers(0, 2), fails=st.booleans())
    def finish(self, number: int, calls: int, fails: bool) -> None:
        claimed: TaskLease = one_of(self.claims, number)
        following = TASKS[TASKS.index(claimed.task.name) + 1 :]
        then = task_of(claimed.job, following[0]) if following and not fails else None
        notes, failed, spent = {claimed.task.name: calls}, "unknown" if fails else None, Spent(float(calls), calls)
        ours = self.oracle.ours(claimed)
        if ours:
            self.oracle.finish(claimed, notes, then, failed, spent)
        found = self.board.finish(claimed, notes=notes, then=then, failed=failed, spent=spent)
        if ours:
            assert then == found
        assert found is None or found in [seen.task for seen in self.oracle.tasks() if seen.status is JobStatus.QUEUED]

    @precondition(lambda self: self.claims)
    @rule(number=ANY)
    def release(self, number: int) -> None:
        claimed: TaskLease = one_of(self.claims, number)
        ours = self.oracle.ours(claimed)
        found = self.board.release(claimed)
        if ours:
            self.oracle.release(claimed)
            assert claimed.task == found

    @precondition(lambda self: self.claims)
    @rule(number=ANY, calls=st.integers(0, 2))
    def fail(self, number: int, calls: int) -> None:
        claimed: TaskLease = one_of(self.claims, number)
        ours, spent = self.oracle.ours(claimed), Spent(float(calls), calls)
        found = self.board.fail(claimed, "broken", spent)
        if ours:
            self.oracle.spend(claimed, spent)
            assert self.oracle.fail(claimed.task, "broken") == found

    @precondition(lambda self: self.claims)
    @rule(number=ANY)
    def beat(self, number: int) -> None:
        claimed: TaskLease = one_of(self.claims, number)
        ours = self.oracle.ours(claimed)
        assert ours == self.board.beat(claimed)
        if ours:
            self.oracle.beat(claimed)

    @rule()
    def look(self) -> None:
        self.sights += [(seen, self.oracle.changes(seen.task)) for seen in self.board.unfinished()]

    @precondition(lambda self: self.sights)
    @rule(number=ANY)
    def expire(self, number: int) -> None:
        seen, changes = one_of(self.sights, number)
        stands_still = self.oracle.is_running(seen.task) and self.oracle.changes(seen.task) == changes
        found = self.board.expire(seen, "stood still")
        if stands_still:
            assert self.oracle.fail(seen.task, "stood still") == found
        else:
            assert found is None or not self.oracle.is_running(seen.task)

    @precondition(lambda self: self.oracle.batches)
    @rule(number=ANY, state=st.sampled_from(BatchState))
    def ask(self, number: int, state: BatchState) -> None:
        batch = one_of(sorted(self.oracle.batches), number)
        if state is BatchState.PAUSED:
            self.board.pause(batch, "lunch")
        elif state is BatchState.CANCELLED:
            self.board.cancel(batch)
        elif self.oracle.is_spent(batch):
            with pytest.raises(InputError, match="calls are spent"):
                self.board.resume(batch)
            return
        else:
            assert self.oracle.queued(batch) == self.board.resume(batch)
        self.oracle.ask(batch, state, "lunch" if state is BatchState.PAUSED else None)

    @precondition(lambda self: self.oracle.batches)
    @rule(number=ANY)
    def retry(self, number: int) -> None:
        batch = one_of(sorted(self.oracle.batches), number)
        if not self.oracle.is_spent(batch):
            assert self.oracle.retry(batch) == self.board.retry(batch)

    @invariant()
    def they_agree(self) -> None:
        found = [(seen.task, seen.status, seen.attempt) for seen in self.board.unfinished()]
        assert self.oracle.unfinished() == found
        for batch, kept in self.oracle.batches.items():
            now = self.board.progress(batch)
            counts = (now.status, now.total, now.done, now.failed, now.parked, now.spent.calls)
            assert self.oracle.progress(batch) == counts
            if now.reason and kept.state is BatchState.PAUSED:
                assert kept.reason == now.reason


def test_the_board_does_what_its_oracle_does() -> None:
    """Random transitions, some asked for twice, leave the same tasks, counts and answers as plain dictionaries do."""
    run_state_machine_as_test(Boards, settings=settings(max_examples=12, stateful_step_count=30, deadline=None))
