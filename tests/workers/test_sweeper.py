"""What brokers lose and killed workers leave is put right, by the sweeper's own clock."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore import identity
from claimgraph.kgstore.engines.embedded import EmbeddedStore, open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.errors import StoreUnreachable
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import Batch, BatchStatus, Job, Seen, Task, TaskLease
from claimgraph.settings import Settings
from claimgraph.workers.execution.sweeper import SHARES, Sweeper
from claimgraph.workers.messaging.app import make_app
from claimgraph.workers.sweeping import Sweeping

LEASE = 60.0


@dataclass
class Scene:
    """A board with tasks, a clock that is moved by hand, and queues that hold what they are said to."""

    board: Board
    tasks: list[Task]
    batch: str
    now: float = 1000.0
    depths: dict[str, int | None] = field(default_factory=dict)

    def sweeper(self) -> Sweeper:
        """One that looks at this scene."""
        return Sweeper(self.board, lambda queue: self.depths.get(queue, 0), LEASE, lambda: self.now)

    def claim(self, task: Task) -> TaskLease:
        """Take a task."""
        claimed = self.board.claim(task.job, "worker")
        assert claimed is not None
        return claimed

    def pass_time(self, sweeper: Sweeper, seconds: float) -> list[Task]:
        """Sweep as often as a worker does; all that it sends meanwhile."""
        sent = []
        for _ in range(round(seconds / (LEASE / SHARES))):
            self.now += LEASE / SHARES
            sent += sweeper.sweep()
        return sent


def scene_of(store: EmbeddedStore, count: int = 1, attempts: int = 3) -> Scene:
    """A batch of questions, each with one task on the processor's queue."""
    jobs = [Job(identity.job_id("ask", None, None, f"{n}"), "ask", None) for n in range(count)]
    tasks = [Task(job.id, "ask", "cpu") for job in jobs]
    batch = Batch(identity.batch_id("ask", [job.id for job in jobs]), "ask", "{}")
    board = Board(store, attempts)
    board.submit(batch, jobs, tasks)
    return Scene(board, tasks, batch.id)


@pytest.fixture
def scene(embedded: EmbeddedStore) -> Scene:
    """A scene with one task."""
    return scene_of(embedded)


def test_a_silent_task_is_queued_again(scene: Scene) -> None:
    """A running task that stands still for a lease is sent again, and can be taken for the second time."""
    [task] = scene.tasks
    scene.claim(task)
    sweeper = scene.sweeper()
    assert [] == sweeper.sweep()
    assert [task] == scene.pass_time(sweeper, LEASE)
    assert 2 == scene.claim(task).attempt


def test_a_beating_task_is_left_alone(scene: Scene) -> None:
    """However long a task takes, it is its worker's as long as it shows that it is worked on."""
    claimed, sweeper = scene.claim(scene.tasks[0]), scene.sweeper()
    for _ in range(10):
        assert [] == scene.pass_time(sweeper, LEASE / 2)
        assert scene.board.beat(claimed)


def test_a_task_that_kills_its_workers_is_parked(embedded: EmbeddedStore) -> None:
    """What was tried too often is not sent again: it waits for a person, with the reason."""
    scene = scene_of(embedded, attempts=1)
    scene.claim(scene.tasks[0])
    sweeper = scene.sweeper()
    assert [] == scene.pass_time(sweeper, 3 * LEASE)
    assert ["no sign of life from its worker for 60 seconds"] == [one.error for one in scene.board.parked()]


def test_two_sweepers_expire_a_task_once(scene: Scene) -> None:
    """The second to find a task silent finds it queued already."""
    scene.claim(scene.tasks[0])
    first, second = scene.sweeper(), scene.sweeper()
    first.sweep(), second.sweep()
    assert (scene.tasks, []) == (scene.pass_time(first, LEASE), scene.pass_time(second, LEASE / 2))
    assert 2 == scene.claim(scene.tasks[0]).attempt


def test_a_pause_between_sweeps_is_not_silence(scene: Scene) -> None:
    """Time in which the store was not seen, as when it was down, counts as little: nobody could be seen then."""
    scene.claim(scene.tasks[0])
    sweeper = scene.sweeper()
    sweeper.sweep()
    scene.now += 100 * LEASE
    assert [] == sweeper.sweep()


def test_sweeps_that_fail_are_not_silence(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweeper that cannot reach the store expires nothing when it can again."""
    scene.claim(scene.tasks[0])
    sweeper = scene.sweeper()
    sweeper.sweep()
    with monkeypatch.context() as down:
        down.setattr(scene.board, "unfinished", unreachable)
        for _ in range(20):
            scene.now += LEASE
            with pytest.raises(StoreUnreachable):
                sweeper.sweep()
    assert [] == sweeper.sweep()


def unreachable(**_: object) -> list[Seen]:
    """What a store that is down says."""
    raise StoreUnreachable("down")


def test_the_clock_on_the_wall_does_not_matter(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wall clock that goes back by years neither expires a task nor keeps it."""
    [task] = scene.tasks
    claimed, sweeper = scene.claim(task), scene.sweeper()
    sweeper.sweep()
    monkeypatch.setattr("claimgraph.kgstore.runs.board.datetime", Backwards)
    assert scene.board.beat(claimed)
    assert [] == scene.pass_time(sweeper, LEASE)
    assert [task] == scene.pass_time(sweeper, LEASE / SHARES)
    again = scene.claim(task)
    scene.board.finish(again)
    assert BatchStatus.COMPLETE == scene.board.progress(scene.batch).status


class Backwards(datetime):
    """A wall clock on which it is a year earlier whenever one looks."""

    looks = 0

    @classmethod
    def now(cls, _: object = None) -> datetime:  # type: ignore[override]
        """The time."""
        cls.looks += 1
        return datetime.now(UTC) - timedelta(days=365 * cls.looks)


@pytest.mark.parametrize(("depth", "sent"), [(0, 1), (1, 0), (None, 0)])
def test_a_lost_message_is_sent_again(scene: Scene, depth: int | None, sent: int) -> None:
    """A queued task is sent again where nothing waits in its queue; not where something does, or nobody knows."""
    sweeper = scene.sweeper()
    scene.depths["cpu"] = depth
    sweeper.sweep()
    assert scene.tasks * sent == scene.pass_time(sweeper, LEASE / 2)


def test_a_task_is_sent_again_twice_a_lease(scene: Scene) -> None:
    """Where messages are lost again and again, or a worker holds them, one is sent in half a lease."""
    sweeper = scene.sweeper()
    sweeper.sweep()
    assert scene.tasks * 5 == scene.pass_time(sweeper, 5 * LEASE / 2)


def test_other_queues_do_not_matter(scene: Scene) -> None:
    """Messages in other queues keep nothing from being sent again."""
    scene.depths |= {"bulk": 5, "net": None}
    sweeper = scene.sweeper()
    sweeper.sweep()
    assert scene.tasks == scene.pass_time(sweeper, LEASE / 2)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32), sweepers=st.integers(1, 3))
def test_all_is_done_in_the_end(tmp_path_factory: pytest.TempPathFactory, seed: int, sweepers: int) -> None:
    """However many messages are lost and workers killed, every task is done, and messages do not pile up."""
    chance, count = random.Random(seed), 5
    with open_embedded(tmp_path_factory.mktemp("store")) as store:
        migrate(store)
        scene = scene_of(store, count, attempts=10**6)
        watching = [scene.sweeper() for _ in range(sweepers)]
        queue, names = list(scene.tasks), {task.job for task in scene.tasks}
        for _ in range(2000):
            queue = [task for task in queue if chance.random() > 0.1]
            if queue and (claimed := scene.board.claim(queue.pop(0).job, "worker")) and chance.random() < 0.5:
                scene.board.finish(claimed)
                names.remove(claimed.job.id)
            scene.now += chance.uniform(0, LEASE / SHARES)
            for sweeper in watching:
                scene.depths["cpu"] = len(queue)
                queue += sweeper.sweep()
            assert max(Counter(task.job for task in queue).values(), default=0) <= 2
            if not names:
                break
        assert (set(), BatchStatus.COMPLETE) == (names, scene.board.progress(scene.batch).status)


def test_the_thread_survives_outages(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Without store and broker the thread says so once, goes on, and ends when it is told to."""
    nowhere = Settings(
        neo4j_uri="bolt://127.0.0.1:1", broker_url="redis://127.0.0.1:1", cache=tmp_path, lease_seconds=0.5
    )
    sweeping = Sweeping(nowhere, make_app(nowhere))
    sweeping.start()
    while not caplog.records:
        sweeping._thread.join(0.05)
        assert sweeping._thread.is_alive()
    sweeping._thread.join(0.5)
    sweeping.stop(60)
    assert not sweeping._thread.is_alive()
    said = [record.getMessage() for record in caplog.records if record.name == "claimgraph.workers.sweeping"]
    assert ["sweeping waits: nothing answers at bolt://127.0.0.1:1; is Neo4j running there?"] == said
