"""Whatever is killed while documents are in flight: each ends with one verdict a claim and method, as in one process.
In all cases the clock of every second worker is a month ahead of this machine's, that of the others a month behind.

Neo4j, Redis and RabbitMQ are this module's own. `make test` kills each service and the workers once; what is marked
`soak` is for `make soak`, which does all of it with more documents. Workers live on from case to case where they can:
what a case leaves in them, the next one finds.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Event
from urllib.parse import urlsplit

import pytest
from forwarding import forwarding, free_port
from neo4j.exceptions import ClientError
from oracle_bert import write_random_bert
from own_services import Services, skip_unless_allowed
from redis import Redis
from survival import DOCUMENTS, LEASE, Scene, contents, items, reference
from worker_processes import wait_until

from claimgraph.cypher import migrations
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.runs.jobs import BatchStatus, JobStatus
from claimgraph.settings import Settings
from claimgraph.workers.messaging.broker_inspection import answering
from claimgraph.workers.submission.submit import Item

skip_unless_allowed()

BROKERS = ("redis", "rabbitmq")
soak = pytest.mark.soak
on_each = pytest.mark.parametrize("made", BROKERS, indirect=True)
on_redis = pytest.mark.parametrize("made", ["redis"], indirect=True)
on_rabbitmq = pytest.mark.parametrize("made", ["rabbitmq"], indirect=True)


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    made = Services(tmp_path_factory.mktemp("services"))
    yield made
    made.run("down")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small entailment model."""
    return write_random_bert(tmp_path_factory.mktemp("bert"), labels=("contradiction", "entailment", "neutral"))


@pytest.fixture(scope="module")
def expected(model: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What one process stores."""
    folder = tmp_path_factory.mktemp("reference")
    return reference(Settings(store=folder / "store", cache=folder / "cache", entailment=str(model)))


@pytest.fixture(scope="module")
def made(
    request: pytest.FixtureRequest, services: Services, model: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    name: str = request.param
    environment = services.up("neo4j") | services.up(name)
    made = Scene(services, name, tmp_path_factory.mktemp(name), environment, model)
    yield made
    made.kill_workers()
    made.store.close()
    services.run("down", name)


@pytest.fixture
def scene(made: Scene) -> Scene:
    """A clean store, a clean broker, and two workers that wait."""
    made.clean()
    made.staffed(2)
    return made


@soak
@on_each
def test_a_process_is_killed_in_mid_task(scene: Scene, expected: list[str]) -> None:
    """kill -9 of one process of a worker's pool: its task is taken up by another, and counts as one attempt."""
    scene.hold()
    run = scene.submit().run
    os.kill(scene.held()[0], signal.SIGKILL)
    scene.release()
    scene.completes(run, expected)


@pytest.mark.parametrize("made", ["redis", pytest.param("rabbitmq", marks=soak)], indirect=True)
def test_all_workers_are_killed(scene: Scene, expected: list[str]) -> None:
    """Two workers whose clocks are two months apart answer, and leave each other's tasks alone for as long as they
    take. After kill -9 of both in mid-task a fresh one does the rest."""
    scene.hold()
    run = scene.submit().run
    held = scene.held()
    assert 2 == len(answering(scene.settings, seconds=5))
    Event().wait(LEASE / 2)
    running = [attempts for state, attempts, _ in scene.jobs().values() if state == JobStatus.RUNNING.value]
    assert [1] * len(held) == running
    scene.kill_workers()
    scene.release()
    scene.start_worker()
    scene.completes(run, expected)


@on_each
def test_the_broker_is_killed_and_has_lost_all(scene: Scene, expected: list[str]) -> None:
    """kill -9 of the broker, which then knows neither queues nor messages: they are made and sent again."""
    scene.hold()
    run = scene.submit().run
    scene.held()
    scene.kill(scene.name)
    scene.forget()
    scene.up(scene.name)
    scene.release()
    scene.completes(run, expected)


@soak
@on_redis
def test_the_broker_is_emptied(scene: Scene, expected: list[str]) -> None:
    """A Redis that is emptied while all are connected, queues and bindings included: they are made again."""
    scene.hold()
    run = scene.submit().run
    scene.held()
    with Redis.from_url(str(scene.settings.broker_url)) as client:
        client.flushall()
    scene.release()
    scene.completes(run, expected)


@soak
@on_each
def test_the_broker_restarts(scene: Scene, expected: list[str]) -> None:
    """Workers finish the tasks they have while the broker is stopped, and go on when it is back."""
    scene.hold()
    run = scene.submit().run
    scene.held()
    scene.down(scene.name)
    scene.release()
    scene.wait(lambda: not scene.board.unfinished(queued=False))
    scene.up(scene.name)
    scene.completes(run, expected)


@on_redis
def test_neo4j_is_killed(scene: Scene, expected: list[str]) -> None:
    """kill -9 of Neo4j while results wait to be stored: they are stored when it is back."""
    scene.hold()
    run = scene.submit().run
    scene.held()
    scene.kill("neo4j")
    scene.release()
    scene.up("neo4j")
    scene.completes(run, expected)


@on_redis
def test_files_of_the_machine_are_not_read(made: Scene) -> None:
    """LOAD CSV of a local file is refused by the Neo4j that scripts/services starts."""
    with (
        closing(made.store._driver.session(database=made.store._database)) as session,
        pytest.raises(ClientError, match="allow_csv_import_from_file_urls"),
    ):
        session.run("LOAD CSV FROM 'file:///etc/hostname' AS row RETURN row").consume()


@soak
@on_rabbitmq
def test_neo4j_restarts(scene: Scene, expected: list[str]) -> None:
    """Neo4j stopped and started in the middle of all."""
    scene.hold()
    run = scene.submit().run
    scene.held()
    scene.release()
    scene.down("neo4j")
    scene.up("neo4j")
    scene.completes(run, expected)


@soak
@on_redis
def test_neo4j_is_slow(scene: Scene, expected: list[str]) -> None:
    """Each answer of Neo4j comes late, by a fifth of a second with 16 documents and by less with more: work takes
    minutes longer and ends the same, each task in its first attempt."""
    scene.kill_workers()
    port, url = free_port(), str(scene.settings.neo4j_uri)
    address = urlsplit(url)
    with forwarding(port, url, late=3.2 / DOCUMENTS):
        scene.start_worker(NEO4J_URI=address._replace(netloc=f"127.0.0.1:{port}").geturl()).ready()
        run = scene.submit().run
        scene.completes(run, expected)
        assert {1} == {attempts for _, attempts, _ in scene.jobs().values()}
        scene.kill_workers()


@soak
@on_redis
def test_a_poison_document_parks(scene: Scene, expected: list[str]) -> None:
    """A document that kills every process which works on it is parked after its attempts; all others are done."""
    poison = Item(document_from_text("Ada Adler was born in Paris. It kills.", 1, "poison"), items(1)[0].context)
    assert poison.document
    (scene.folder / "poison").write_text(poison.document.id)
    last = scene.ended(scene.submit(poison).run)
    assert (BatchStatus.PARKED, last.total - 1, 1) == (last.status, last.done, last.parked)
    [parked] = scene.board.parked(last.id)
    assert (poison.document.id, "check", 3) == (parked.document, parked.task, parked.attempts)
    assert "no sign of life" in parked.error
    [own] = set(contents(scene.store)) - set(expected)
    assert '"Document"' in own
    assert poison.document.id in own


@soak
@on_redis
def test_a_duplicate_submission_does_no_work(scene: Scene, expected: list[str]) -> None:
    """Submitted again in flight and when all is done: the same run, no new job, and no task is taken a second time."""
    first, second = scene.submit(), scene.submit()
    assert (first.run, first.total, 0) == (second.run, second.total, second.new)
    scene.completes(first.run, expected)
    before = scene.jobs()
    again = scene.submit()
    assert (first.run, first.total, 0) == (again.run, again.total, again.new)
    scene.completes(first.run, expected)
    assert before == scene.jobs()


@soak
@on_each
def test_the_broker_falls_silent(scene: Scene, expected: list[str]) -> None:
    """Bytes between worker and broker are swallowed for a while: what was sent meanwhile is done soon after."""
    scene.kill_workers()
    silent, port, url = Event(), free_port(), str(scene.settings.broker_url)
    address = urlsplit(url)
    through = address._replace(netloc=f"{address.netloc.rpartition('@')[0]}@127.0.0.1:{port}").geturl()
    with forwarding(port, url, silent):
        scene.start_worker(CELERY_BROKER_URL=through).ready()
        silent.set()
        run = scene.submit().run
        Event().wait(30)
        silent.clear()
        wait_until(lambda: scene.board.progress(run).done > 0, 60)
        scene.completes(run, expected)
        scene.kill_workers()


@soak
@on_each
def test_a_broker_that_refuses_at_first(scene: Scene, expected: list[str]) -> None:
    """With the broker down work can be submitted and a worker started; both find each other when it is up."""
    scene.kill_workers()
    scene.down(scene.name)
    submitted = scene.submit()
    assert submitted.total == submitted.unsent
    scene.start_worker().says("Cannot connect")
    scene.up(scene.name)
    scene.completes(submitted.run, expected)


@soak
@on_redis
def test_two_workers_migrate_at_once(scene: Scene, expected: list[str]) -> None:
    """Workers that are started together on an empty database make its schema once, and work."""
    scene.kill_workers()
    scene.empty()
    scene.staffed(2)
    assert [name for name, _ in migrations()] == [row["id"] for row in scene.store.read("migrations")]
    scene.completes(scene.submit().run, expected)


@soak
@on_redis
def test_the_clock_goes_backwards(scene: Scene, expected: list[str]) -> None:
    """A worker whose clock goes back ten minutes every second takes up what killed ones left, and what was lost."""
    scene.hold()
    run = scene.submit().run
    scene.held()
    scene.kill_workers()
    scene.down(scene.name)
    scene.forget()
    scene.up(scene.name)
    scene.release()
    scene.start_worker(SURVIVAL_CLOCK="back")
    scene.completes(run, expected)
    scene.kill_workers()


@soak
@on_each
@pytest.mark.parametrize("seed", range(2))
def test_anything_is_killed_at_any_time(scene: Scene, expected: list[str], seed: int) -> None:
    """A dozen disasters, one after another as the work goes on, each at a moment nobody has chosen."""
    chance = Random(seed)
    run = scene.submit().run
    for _ in range(12):
        if scene.goes_on(run, chance.randint(1, len(scene.jobs()) // 4)):
            chance.choice(scene.disasters)()
    scene.completes(run, expected)
