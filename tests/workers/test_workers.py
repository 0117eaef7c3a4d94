"""Workers on a real broker and a real Neo4j."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

import films
import pytest
from forwarding import forwarding, free_port
from kombu import Connection, Consumer, Message
from oracle_bert import write_random_bert
from worker_processes import PATIENCE, broker_url, wait_until, workers

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import reads
from claimgraph.kgstore.errors import InputError, QueueUnreachable, StoreDenied, UsageError
from claimgraph.kgstore.model import Status, Verdict
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import BatchStatus, JobStatus, Task
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings, load_settings
from claimgraph.wiring import Checker
from claimgraph.workers.execution import local
from claimgraph.workers.execution.task_flow import Send
from claimgraph.workers.messaging import broker
from claimgraph.workers.messaging.app import make_app, sender
from claimgraph.workers.submission import submit
from claimgraph.workers.submission.submit import Asked, Item
from claimgraph.workers.tasks.task_table import BULK, CPU, NET, QUEUES
from claimgraph.workers.worker import wait_for_store, work

CONTEXT = document_from_text("Marie Curie was born in Warsaw. She discovered radium in 1898.", 1, "the context")
PLACES = ("Paris", "Warsaw")
DOCUMENTS = [document_from_text(f"Marie Curie was born in {place}. She liked radium.", 1, place) for place in PLACES]
ASKED = Asked(methods=("fused", "factalign"))


@pytest.fixture
def made(tmp_path: Path) -> Settings:
    """The services of the environment, and a small entailment model."""
    broker_url()
    folder = write_random_bert(tmp_path / "bert", labels=("contradiction", "entailment", "neutral"))
    return replace(load_settings(), cache=tmp_path / "cache", entailment=str(folder), lease_seconds=2.0)


def submitted(made: Settings, store: GraphStore) -> str:
    """The id of a run of all documents, sent to the broker."""
    items = [Item(document, CONTEXT) for document in DOCUMENTS]
    return submit.submit(made, store, items, ASKED, sender(make_app(made))).run


def said(store: GraphStore) -> list[Verdict]:
    """All verdicts on the documents, by id, but for when they were given."""
    claims = [claim.id for document in DOCUMENTS for claim in reads.load_claims(store, document.id)]
    found = [replace(verdict, created_at=None) for verdict in reads.load_verdicts(store, claims)]
    return sorted(found, key=lambda verdict: verdict.id)


def test_workers_find_what_one_process_finds(neo4j_store: GraphStore, made: Settings, tmp_path: Path) -> None:
    """Two workers check documents as Checker does in one process."""
    run, board = submitted(made, neo4j_store), Board(neo4j_store)
    with workers(tmp_path, [], [], CLAIMGRAPH_ENTAILMENT=str(made.entailment)) as started:
        wait_until(
            lambda: board.progress(run).status is BatchStatus.COMPLETE,
            alive=lambda: all(worker.process.poll() is None for worker in started),
            why=lambda: f"{board.progress(run)}\n" + "\n".join(worker.said() for worker in started),
        )
        assert [0, 0] == [worker.terminate() for worker in started]
    with Checker(replace(made, neo4j_uri=None, store=tmp_path / "store")) as checker:
        for document in DOCUMENTS:
            for method in sorted(ASKED.methods, key=("factalign", "fused").index):
                checker.check(document, context=CONTEXT, method=method)
        assert said(checker.store) == said(neo4j_store)


def test_a_worker_told_to_end_loses_nothing(neo4j_store: GraphStore, made: Settings, tmp_path: Path) -> None:
    """SIGTERM lets the running task end, takes no other, and leaves no trace of a failed attempt."""
    run, board = submitted(made, neo4j_store), Board(neo4j_store)
    with workers(tmp_path, [], CLAIMGRAPH_ENTAILMENT=str(made.entailment)) as [worker]:
        wait_until(lambda: bool(board.unfinished(queued=False)), why=worker.said)
        assert 0 == worker.terminate()
    left = board.unfinished()
    assert {(JobStatus.QUEUED, 0)} >= {(seen.status, seen.attempt) for seen in left}
    assert board.progress(run).status is not BatchStatus.COMPLETE
    local.run(neo4j_store, made, [seen.task for seen in left])
    assert (BatchStatus.COMPLETE, len(DOCUMENTS)) == (board.progress(run).status, board.progress(run).done)


def test_a_damaged_model_fails_its_jobs_in_one_line(neo4j_store: GraphStore, made: Settings, tmp_path: Path) -> None:
    """A worker whose model file has another byte says so, and checks the document once the file is mended."""
    with as_file(files("claimgraph.detect") / "data" / "entailment") as shipped:
        folder = Path(shutil.copytree(shipped, tmp_path / "model"))
    used, asked = replace(made, entailment=str(folder)), Asked(methods=("fused",))
    model = folder / "model.onnx"
    whole = model.read_bytes()
    model.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    board, send = Board(neo4j_store), sender(make_app(used))
    with workers(tmp_path, [], CLAIMGRAPH_ENTAILMENT=str(folder)) as [worker]:
        run = submit.submit(used, neo4j_store, [Item(DOCUMENTS[0], CONTEXT)], asked, send).run
        for failed, status in ((1, Status.MODEL_FAILED), (0, Status.COMPLETE)):
            wait_until(
                lambda: board.progress(run).status is BatchStatus.COMPLETE,
                alive=lambda: worker.process.poll() is None,
                why=lambda: f"{board.progress(run)}\n{worker.said()}",
            )
            ended = board.progress(run)
            assert (failed, 1 - failed, 0) == (ended.failed, ended.done, ended.parked)
            assert {status} == {verdict.status for verdict in said(neo4j_store)}
            model.write_bytes(whole)
            send(board.retry(run))
        assert "is damaged: its sha256 is" in worker.said()
        assert "Traceback" not in worker.said()


BROKERS = pytest.mark.parametrize("variable", ["CELERY_BROKER_URL", "CLAIMGRAPH_TEST_RABBITMQ_URL"])


def a_task(name: str, queue: str) -> Task:
    """A task that nobody has heard of."""
    return Task(f"j1:{name}-{queue}", name, queue)


@contextmanager
def quiet(url: str) -> Iterator[tuple[Send, Connection]]:
    """What sends to the broker, and a connection to it, with nothing in the queues before and after."""
    app = make_app(Settings(neo4j_uri="bolt://127.0.0.1:1", broker_url=url))
    with app, app.connection_for_read() as connection:
        channel = connection.channel()
        for queue in app.conf.task_queues:
            queue(channel).declare()
            queue(channel).purge()
        yield sender(app), connection
        for queue in app.conf.task_queues:
            queue(channel).purge()


def taken(connection: Connection, count: int, *queues: str) -> list[str]:
    """The names of so many messages in these queues, in the order in which a worker of one process is given them."""
    found: list[str] = []

    def receive(_: list[object], message: Message) -> None:
        found.append(message.headers["task"].removeprefix("claimgraph."))
        message.ack()

    named = [queue for queue in broker.queues() if queue.name in map(broker.wire, queues)]
    channel = connection.channel()
    with Consumer(channel, named, callbacks=[receive], accept=["json"], prefetch_count=1):
        while len(found) < count:
            connection.drain_events(timeout=60)
    return found


@BROKERS
@pytest.mark.usefixtures("servers")
def test_the_depth_of_a_queue_is_known(variable: str) -> None:
    """Messages that wait are counted, a queue at a time, on either broker; of a queue that is not there it is 0."""
    with quiet(broker_url(variable)) as (send, connection):
        send([a_task("check", CPU), a_task("ask", CPU)])
        wait_until(lambda: 2 == broker.depth(connection, CPU))
        assert [0, 0] == [broker.depth(connection, BULK), broker.depth(connection, "gpu")]
        assert ["check", "ask"] == taken(connection, 2, CPU)


@pytest.mark.usefixtures("servers")
def test_bulk_work_waits_for_all_other() -> None:
    """On Redis a worker of all queues takes from bulk only where nothing else waits."""
    with quiet(broker_url()) as (send, connection):
        send([a_task("retrofit", BULK), a_task("check", CPU), a_task("fetch", NET)])
        assert ["check", "fetch", "retrofit"] == [
            *sorted(taken(connection, 2, *QUEUES)),
            *taken(connection, 1, *QUEUES),
        ]


@BROKERS
def test_a_person_calls_a_task_by_its_name(
    variable: str, neo4j_store: GraphStore, made: Settings, tmp_path: Path
) -> None:
    """Pruning, retrieval and the comparison of graphs are Celery tasks whose result goes back to who called."""
    films.fill(neo4j_store, tmp_path)
    made = replace(made, broker_url=broker_url(variable))
    app = make_app(made)
    with app, workers(tmp_path, ["--queues", "cpu"], CELERY_BROKER_URL=str(made.broker_url)) as [worker]:
        asked = {"queue": broker.wire(CPU), "ignore_result": False}
        pruned = app.send_task("claimgraph.prune", ["who directed the silent river?"], **asked)
        compared = app.send_task("claimgraph.compare", ["films", "films"], **asked)
        wrong = app.send_task("claimgraph.retrieve", ["who?", ["nowhere"]], **asked)
        assert "wd:Q1" == pruned.get(timeout=PATIENCE)["linked"][0]["id"], worker.said()
        assert 1.0 == compared.get(timeout=PATIENCE)["similarity"]
        with pytest.raises(Exception, match="no graph 'nowhere'"):
            wrong.get(timeout=PATIENCE)


def test_who_submits_does_not_wait_for_a_broker() -> None:
    """Without a broker the sender gives up at once, and says how many tasks it did not send, and no password."""
    for url in ("redis://:secret@127.0.0.1:1/0", "amqp://me:secret@127.0.0.1:1//"):
        app = make_app(Settings(neo4j_uri="bolt://127.0.0.1:1", broker_url=url))
        with app, pytest.raises(QueueUnreachable) as caught:
            sender(app)([a_task("check", CPU), a_task("ask", CPU)])
        assert 2 == caught.value.unsent
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(broker_url="redis://127.0.0.1:1"), "NEO4J_URI"),
        (Settings(neo4j_uri="bolt://127.0.0.1:1"), "CELERY_BROKER_URL"),
    ],
)
def test_worker_needs_neo4j_and_a_broker(settings: Settings, says: str) -> None:
    """The embedded store, or no broker, is refused in one line that says what to set."""
    with pytest.raises(UsageError, match=says):
        make_app(settings)


def test_worker_refuses_a_queue_that_is_not_there() -> None:
    """A queue that no task waits in is refused, with those there are."""
    with pytest.raises(InputError, match="no queue 'gpu'; there are cpu, net, bulk"):
        work(Settings(), ["cpu", "gpu"])


@pytest.mark.usefixtures("neo4j_store")
def test_worker_does_not_wait_for_a_wrong_password() -> None:
    """A store that refuses the password will not change its mind: the worker ends, in one line."""
    with pytest.raises(StoreDenied, match="refused the user name or password"):
        wait_for_store(replace(load_settings(), neo4j_password="wrong"))


@pytest.mark.usefixtures("neo4j_store")
def test_worker_waits_for_its_store(caplog: pytest.LogCaptureFixture) -> None:
    """A Neo4j that does not answer yet is waited for, and that is said once; then it is migrated."""
    there, port = load_settings(), free_port()
    away = replace(there, neo4j_uri=f"bolt://127.0.0.1:{port}")
    waiting = threading.Thread(target=wait_for_store, args=(away, 0.05))
    waiting.start()
    wait_until(lambda: any("waiting" in record.getMessage() for record in caplog.records))
    with forwarding(port, str(there.neo4j_uri)):
        waiting.join(60)
    assert not waiting.is_alive()
    assert 1 == sum("waiting" in record.getMessage() for record in caplog.records)
