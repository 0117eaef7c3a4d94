"""What the queue costs and what a second worker brings: `scripts/services run -- python benchmarks/workers`.

SummEval's 688 summaries, equal ones once, are checked against their articles, four ways on the same Neo4j, which must
be empty: one Checker in a loop, the flow of workers in this process, one worker, two workers; each with one thread
for models, a cache folder of its own, and models and query plans warmed up on 16 other summaries. Prints documents a
second, the processor's milliseconds a document (of Python; Neo4j's are not counted), and the ratios. With --rounds
the summaries are cut into as many parts, and the ways take turns at each, so that other work on the machine falls on
all of them.

--memory N then has one worker check N short documents, no two alike, and prints its memory after each 500 of them.
The figures of one machine and moment mean little; the ratios of one run mean more.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from claimgraph import wiring
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import BatchStatus, Task
from claimgraph.kgstore.upkeep.transfer import refuse_filled
from claimgraph.settings import SHIPPED_ENTAILMENT, Settings, load_settings
from claimgraph.workers.execution import local
from claimgraph.workers.messaging.app import make_app, sender
from claimgraph.workers.submission.submit import Asked, Item, submit

SHARED = Path(__file__).resolve().parents[3] / "shared"
WARM = 16
EVERY = 500
SHORT = 20, 60
"""Words of a document and of its context where memory is watched: thousands of whole ones would take hours."""
_WIPE = "MATCH (n) WHERE NOT n:Migration CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"
_WORKER = [sys.executable, "-c", "from claimgraph.cli import main; main()", "worker", "--concurrency", "1"]
_TICKS = os.sysconf("SC_CLK_TCK")
_MIB = 2**20


@dataclass
class Took:
    """Documents, and seconds by the clock and by processors."""

    documents: int = 0
    seconds: float = 0.0
    worked: float = 0.0

    @property
    def rate(self) -> float:
        """Documents a second."""
        return self.documents / self.seconds


Way = Callable[[Settings, Sequence[Item], Sequence[Item]], Took]
"""From settings, what to warm up on, and what to measure."""


def main() -> None:
    """Measure and print."""
    args = _arguments()
    settings = replace(load_settings(), entailment=args.entailment, model_threads=1)
    with wiring.open_store(settings) as store:
        refuse_filled(store)
    items = list(islice(_items(args.data), args.limit + WARM))
    warm, rest = items[:WARM], items[WARM:]
    took = {way: Took() for way in args.ways}
    _measured(WAYS["in process"], settings, warm, warm)
    for number in range(args.rounds):
        for name, so_far in took.items():
            found = _measured(WAYS[name], settings, warm, rest[number :: args.rounds])
            so_far.documents += found.documents
            so_far.seconds += found.seconds
            so_far.worked += found.worked
            print(f"  round {number + 1}, {name}: {found.rate:.2f} a second", file=sys.stderr)
    _report(took)
    if args.memory:
        _measured(_memory, settings, warm, list(_distinct(items, args.memory)))


def direct(settings: Settings, warm: Sequence[Item], items: Sequence[Item]) -> Took:
    """One Checker, document after document."""
    with wiring.Checker(settings) as checker:

        def check(some: Sequence[Item]) -> None:
            for item in some:
                assert item.document
                checker.check(item.document, context=item.context)

        check(warm)
        return _timed(len(items), lambda: check(items), time.process_time)


def in_process(settings: Settings, warm: Sequence[Item], items: Sequence[Item]) -> Took:
    """Submitted, and performed in this process. Each submission has models of its own, so they are warmed up too."""
    with wiring.open_store(settings) as store:

        def check(some: Sequence[Item]) -> None:
            submit(settings, store, some, Asked(), tasks.extend)
            local.run(store, settings, tasks)

        tasks: list[Task] = []
        check(warm)
        tasks = []
        return _timed(len(items), lambda: check(items), time.process_time)


def one_worker(settings: Settings, warm: Sequence[Item], items: Sequence[Item]) -> Took:
    """Submitted, and performed by a worker of one process."""
    return _by_workers(1, settings, warm, items)


def two_workers(settings: Settings, warm: Sequence[Item], items: Sequence[Item]) -> Took:
    """The same by two workers."""
    return _by_workers(2, settings, warm, items)


WAYS: dict[str, Way] = {
    "direct": direct,
    "in process": in_process,
    "one worker": one_worker,
    "two workers": two_workers,
}


def _by_workers(count: int, settings: Settings, warm: Sequence[Item], items: Sequence[Item]) -> Took:
    with _workers(count, settings) as workers:
        for part in range(count):
            _submitted(settings, warm[part::count])
        return _timed(len(items), lambda: _submitted(settings, items), lambda: sum(map(_processor_seconds, workers)))


def _memory(settings: Settings, warm: Sequence[Item], items: Sequence[Item]) -> Took:
    with _workers(1, settings) as [worker]:
        _submitted(settings, warm)
        print(f"memory of a worker after {len(warm)} documents: {_memory_of(worker) / _MIB:.0f} MiB", flush=True)

        def check() -> None:
            for start in range(0, len(items), EVERY):
                _submitted(settings, items[start : start + EVERY])
                done = min(start + EVERY, len(items))
                print(f"after {done} more: {_memory_of(worker) / _MIB:.0f} MiB", flush=True)

        return _timed(len(items), check, lambda: _processor_seconds(worker))


def _submitted(settings: Settings, items: Sequence[Item]) -> None:
    """Submit, and wait for the end."""
    with wiring.open_store(settings) as store:
        run = submit(settings, store, items, Asked(), sender(make_app(settings))).run
        board = Board(store)
        while (now := board.progress(run)).status is not BatchStatus.COMPLETE:
            assert not now.parked, board.parked(run)
            time.sleep(0.25)


def _timed(documents: int, work: Callable[[], object], worked: Callable[[], float]) -> Took:
    begun, start = worked(), time.perf_counter()
    work()
    return Took(documents, time.perf_counter() - start, worked() - begun)


def _measured(way: Way, settings: Settings, warm: Sequence[Item], items: Sequence[Item]) -> Took:
    """With an empty cache folder and an empty store, which is left empty."""
    from neo4j import GraphDatabase

    cache = Path(tempfile.mkdtemp(prefix="claimgraph-"))
    try:
        return way(replace(settings, cache=cache), warm, items)
    finally:
        shutil.rmtree(cache)
        auth = (settings.neo4j_username, settings.neo4j_password or "")
        with GraphDatabase.driver(str(settings.neo4j_uri), auth=auth) as driver, driver.session() as session:
            session.run(_WIPE).consume()


@contextmanager
def _workers(count: int, settings: Settings) -> Iterator[list[int]]:
    """Process ids of workers, ended in the end."""
    environment = os.environ | {"CLAIMGRAPH_CACHE": str(settings.cache), "CLAIMGRAPH_MODEL_THREADS": "1"}
    environment |= {"CLAIMGRAPH_ENTAILMENT": settings.entailment}
    log = subprocess.DEVNULL
    started = [subprocess.Popen(_WORKER, env=environment, stdout=log, stderr=log) for _ in range(count)]
    try:
        yield [worker.pid for worker in started]
    finally:
        for worker in started:
            worker.terminate()
        for worker in started:
            worker.wait()


def _family(pid: int) -> list[int]:
    """A process and all under it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in _family(int(child)))]


def _processor_seconds(pid: int) -> float:
    fields = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in _family(pid)]
    return sum(int(row[11]) + int(row[12]) for row in fields) / _TICKS


def _memory_of(pid: int) -> int:
    """Resident bytes of all its processes; what they share counts in each."""
    pages = [int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in _family(pid)]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE")


def _items(data: Path) -> Iterator[Item]:
    """Summaries with their articles; equal ones once, since they are one job."""
    with gzip.open(data, "rt", encoding="utf-8") as file:
        rows = map(json.loads, file)
        pairs = dict.fromkeys((row["output"], row["context"]) for row in rows)
    return (Item(_document(output), _document(context)) for output, context in pairs)


def _distinct(items: Sequence[Item], count: int) -> Iterator[Item]:
    """As many short items, no two documents and no two contexts of different rounds alike."""
    for number in range(count):
        item, again = items[number % len(items)], number // len(items) + 1
        assert item.document
        assert item.context
        said, context = (
            " ".join(whole.text.split()[:words])
            for whole, words in zip((item.document, item.context), SHORT, strict=True)
        )
        yield Item(_document(f"{said}. So said reader {again}."), _document(f"{context}. So wrote reporter {again}."))


def _document(text: str) -> Document:
    return Document(identity.document_id(text), text)


def _report(took: dict[str, Took]) -> None:
    print(f"{'':12} {'documents':>9} {'a second':>9} {'ms of processor each':>21}")
    for name, found in took.items():
        worked = 1000 * found.worked / found.documents
        print(f"{name:12} {found.documents:9} {found.rate:9.2f} {worked:21.0f}")
    ratios = [
        ("overhead of the flow, against one Checker", "direct", "in process"),
        ("overhead of the queue, against the flow in process (goal: below 15 %)", "in process", "one worker"),
    ]
    for what, base, other in ratios:
        if base in took and other in took:
            print(f"{what}: {took[base].rate / took[other].rate - 1:.1%}")
    if "one worker" in took and "two workers" in took:
        print(f"two workers over one (goal: 1.7): {took['two workers'].rate / took['one worker'].rate:.2f}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "closed" / "summeval.jsonl.gz")
    parser.add_argument("--entailment", default=SHIPPED_ENTAILMENT, help="as CLAIMGRAPH_ENTAILMENT")
    parser.add_argument("--limit", type=int, default=688 - WARM, help="how many summaries are measured")
    parser.add_argument("--rounds", type=int, default=1, help="in how many turns")
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--memory", type=int, default=0, metavar="N", help="documents to watch a worker's memory over")
    return parser.parse_args()


if __name__ == "__main__":
    main()
