"""Workers, brokers and a Neo4j to be killed, the documents in flight meanwhile, and what must be there in the end."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from engines import wipe
from own_services import Services
from worker_processes import WorkerProcess, start_worker, wait_until

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.engines.bolt import BoltStore, connect
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.errors import StoreError
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import BatchStatus, Progress
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.transfer import NodeRecord, records
from claimgraph.settings import Settings
from claimgraph.wiring import Checker
from claimgraph.workers.messaging.app import make_app, sender
from claimgraph.workers.submission.submit import Asked, Item, Submitted, submit

DOCUMENTS = int(os.environ.get("CLAIMGRAPH_TEST_DOCUMENTS", "16"))
"""How many documents are in flight."""
PATIENCE = 300.0 + DOCUMENTS
"""Seconds until all is done: a loaded machine with 2 cores, on which Neo4j alone may need a minute to start."""
ASKED = Asked(methods=("rules", "grapheval"))
LEASE = 3.0
MONTH = 30 * 86_400

_FIRST = (
    "Ada Bruno Clara David Emma Felix Greta Hugo Irma Jonas Karla Linus Marta Nils Olga Paul Rosa Simon Tilda Viktor"
)
_LAST = (
    "Adler Brandt Conrad Dorn Ebner Falk Gruber Hansen Ibsen Jansen Keller Lindner Moser Neumann Olsen Peters Ritter "
    "Sander Thaler Ullmann Vogel Weber Zeller Albers Becker Carstens Dietrich Engel Fischer Gerber Hofmann Ickler "
    "Jaeger Kaiser Lehmann Maurer Nagel Ortmann Pohl Quandt Reimann Schuster Teller Urban Voss Winkler Zimmer Ahrens "
    "Berger Cordes"
)
_PLACES = "Vienna Paris Oslo Lisbon Prague Dublin Madrid Athens Warsaw Zagreb Helsinki Rome Berlin"


def items(count: int = DOCUMENTS) -> list[Item]:
    """Short texts of one to three claims, each with a context that supports some and refutes others. All differ."""
    names = [f"{first} {last}" for last in _LAST.split() for first in _FIRST.split()]
    return [_item(number, name) for number, name in zip(range(count), names, strict=False)]


def _item(number: int, name: str) -> Item:
    places = _PLACES.split()
    place, other = (places[(number + step) % len(places)] for step in (0, 1 + number % 5))
    context = f"{name} lives in {other}. {name} was born in {place}."
    said = [f"{name} was born in {other if number % 2 else place}.", f"{name} lives in {other}."]
    text = " ".join([*said, f"{name} married Adam."][: (1, 1, 2, 1, 3)[number % 5]])
    return Item(document_from_text(text, 1, f"text {number}"), document_from_text(context, 1, f"context {number}"))


def reference(settings: Settings) -> list[str]:
    """What a store holds after all items were checked in one process, with one verdict a claim and method."""
    with Checker(settings) as checker:
        for item in items():
            assert item.document
            reports = [checker.check(item.document, context=item.context, method=method) for method in ASKED.methods]
            told = Counter((verdict.claim, verdict.method) for report in reports for verdict in report.verdicts)
            assert {(claim.id, method): 1 for claim in reports[0].claims for method in ASKED.methods} == told
        return contents(checker.store)


def contents(store: GraphStore) -> list[str]:
    """All nodes and relationships but those of the queue, without the times at which they came about (a run's name has
    its day); a line each."""
    return sorted(_lines(store))


def _lines(store: GraphStore) -> Iterator[str]:
    for record in records(store):
        kind = record.label if isinstance(record, NodeRecord) else record.kind
        if kind.split()[0] not in ("Batch", "Job"):
            dated = {"name"} if kind == "Run" else set()
            given = {key: value for key, value in record.properties.items() if key not in dated}
            said = {key: value for key, value in given.items() if not isinstance(value, datetime)}
            ends = () if isinstance(record, NodeRecord) else (record.source, record.target)
            yield json.dumps([kind, *ends, said], sort_keys=True)


class Scene:
    """Workers on a broker and a Neo4j of their own. `name` is that of the broker, as scripts/services knows it."""

    def __init__(
        self, services: Services, name: str, folder: Path, environment: Mapping[str, str], model: Path
    ) -> None:
        self.name, self.folder, self._services, self._environment = name, folder, services, environment
        self.settings = Settings(
            neo4j_uri=environment["NEO4J_URI"],
            neo4j_username=environment["NEO4J_USERNAME"],
            neo4j_password=environment["NEO4J_PASSWORD"],
            broker_url=environment["CELERY_BROKER_URL"],
            entailment=str(model),
            cache=folder / "cache",
            lease_seconds=LEASE,
        )
        self.store = self._connected()
        self.board = Board(self.store)
        self.send = sender(make_app(self.settings))
        self.workers: list[WorkerProcess] = []
        self._started = 0

    def _connected(self) -> BoltStore:
        made = self.settings
        return connect(str(made.neo4j_uri), made.neo4j_username, str(made.neo4j_password), made.neo4j_database)

    def up(self, *names: str) -> None:
        """Start these services, or start them again."""
        for name in names:
            self._services.up(name)

    def kill(self, name: str) -> None:
        """kill -9 of a service."""
        assert 0 == self._services.run("kill", name).returncode

    def down(self, name: str) -> None:
        """Stop a service as it should be stopped."""
        assert 0 == self._services.run("down", name).returncode

    def forget(self) -> None:
        """Let a broker that is down have lost everything it knew (one in a container keeps it)."""
        for kept in ("redis/appendonlydir", "redis/dump.rdb", "rabbitmq/data"):
            path = self._services.folder / kept
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def start_worker(self, **settings: str) -> WorkerProcess:
        """One worker more, which may not be ready yet. Its clock is a month ahead or behind, by turns."""
        self._started += 1
        environment = {
            "PYTHONPATH": str(Path(__file__).parent),
            "SURVIVAL_CLOCK": str(MONTH if self._started % 2 else -MONTH),
            "SURVIVAL_FOLDER": str(self.folder),
            "CLAIMGRAPH_ENTAILMENT": str(self.settings.entailment),
            "CLAIMGRAPH_LEASE_SECONDS": str(LEASE),
        }
        worker = start_worker(
            self.folder,
            name=f"worker-{self._started}",
            main="import odd_worker; odd_worker.main()",
            **{**self._environment, **environment, **settings},
        )
        self.workers.append(worker)
        return worker

    def staffed(self, count: int) -> None:
        """Have so many workers, all ready."""
        self.workers = [worker for worker in self.workers if worker.process.poll() is None]
        for _ in range(count - len(self.workers)):
            self.start_worker()
        for worker in self.workers:
            worker.ready()

    def kill_workers(self) -> None:
        """kill -9 of all workers and all their processes."""
        for worker in self.workers:
            worker.kill()
        self.workers.clear()

    def clean(self) -> None:
        """An empty store, empty queues, nothing held."""
        self.release()
        (self.folder / "poison").unlink(missing_ok=True)
        self.up("neo4j", self.name)
        wipe(self.store)
        migrate(self.store)
        with make_app(self.settings) as app, app.connection_for_write() as connection:
            for queue in app.conf.task_queues:
                queue(connection.default_channel).declare()
                queue(connection.default_channel).purge()

    def empty(self) -> None:
        """A database without anything, schema included."""
        with closing(self.store._driver.session(database=self.store._database)) as session:
            session.run("MATCH (n) DETACH DELETE n").consume()
            for kind, kinds in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
                for [name] in session.run(f"SHOW {kinds} YIELD name, type WHERE type <> 'LOOKUP' RETURN name").values():
                    session.run(f"DROP {kind} {name}").consume()

    def jobs(self) -> dict[str, tuple[str, int, int]]:
        """State, attempts and beats of every job."""
        found = (one.properties for one in records(self.store) if isinstance(one, NodeRecord) and one.label == "Job")
        return {row["id"]: (row["status"], row["attempt"], row["beat"]) for row in found}

    def submit(self, *more: Item) -> Submitted:
        """Submit all items, and more."""
        return submit(self.settings, self.store, [*items(), *more], ASKED, self.send)

    def hold(self, after: int = 2) -> None:
        """Keep back results in every process, but for the first ones."""
        for mark in self.folder.glob("held-*"):
            mark.unlink()
        (self.folder / "hold").write_text(str(after))

    def held(self) -> list[int]:
        """The processes that are kept in mid-task, all workers' if each has one."""
        self.wait(lambda: len(self._marks()) >= len(self.workers))
        return self._marks()

    def release(self) -> None:
        """Keep back nothing any more."""
        (self.folder / "hold").unlink(missing_ok=True)

    def _marks(self) -> list[int]:
        return sorted(int(path.name.partition("-")[2]) for path in self.folder.glob("held-*"))

    def progress(self, run: str) -> Progress | None:
        """How far a run is; None where the store does not answer."""
        with suppress(StoreError):
            return self.board.progress(run)
        return None

    def ended(self, run: str) -> Progress:
        """The run when nothing of it is queued or running any more."""
        found: list[Progress] = []

        def over() -> bool:
            found[:] = [now for now in [self.progress(run)] if now]
            return bool(found) and _over(found[0])

        self.wait(over, lambda: f"{found} {self._unfinished()}")
        return found[0]

    def goes_on(self, run: str, steps: int) -> bool:
        """Wait until so many more documents are done; False where the run has ended before that."""
        begun = self.board.progress(run).done
        found: list[Progress] = []

        def far() -> bool:
            found[:] = [now for now in [self.progress(run)] if now]
            return bool(found) and (_over(found[0]) or found[0].done >= begun + steps)

        self.wait(far, lambda: f"{found} {self._unfinished()}")
        return not _over(found[0])

    @property
    def disasters(self) -> list[Callable[[], None]]:
        """What can happen, each with the repair that somebody makes."""
        return [
            self._lose_process,
            self._lose_workers,
            lambda: self._lose(self.name),
            lambda: self._lose(self.name, self.forget),
            lambda: self._lose("neo4j"),
            lambda: self._restart(self.name),
            lambda: self._restart("neo4j"),
        ]

    def _lose_process(self) -> None:
        pool = Path(f"/proc/{self.workers[0].process.pid}/task/{self.workers[0].process.pid}/children").read_text()
        for process in pool.split()[:1]:
            os.kill(int(process), signal.SIGKILL)

    def _lose_workers(self) -> None:
        self.kill_workers()
        self.start_worker()
        self.start_worker()

    def _lose(self, name: str, meanwhile: Callable[[], None] = lambda: None) -> None:
        self.kill(name)
        meanwhile()
        self.up(name)

    def _restart(self, name: str) -> None:
        self.down(name)
        self.up(name)

    def completes(self, run: str, expected: list[str]) -> None:
        """Wait for the run to complete by itself; then the store holds what one process would have stored."""
        last = self.ended(run)
        assert (BatchStatus.COMPLETE, last.total, 0, 0) == (last.status, last.done, last.failed, last.parked), last
        assert expected == contents(self.store)

    def _unfinished(self) -> str:
        with suppress(StoreError):
            return "\n".join(map(str, self.board.unfinished()[:5]))
        return "the store does not answer"

    def wait(self, true: Callable[[], bool], why: Callable[[], str] = lambda: "") -> None:
        """Wait for what workers do."""
        wait_until(true, PATIENCE, self._alive, lambda: f"{why()}\n" + "\n".join(map(_tail, self.workers)))

    def _alive(self) -> bool:
        return all(worker.process.poll() is None for worker in self.workers)


def _over(now: Progress) -> bool:
    return now.status not in (BatchStatus.QUEUED, BatchStatus.RUNNING)


def _tail(worker: WorkerProcess) -> str:
    return worker.said()[-3000:]
