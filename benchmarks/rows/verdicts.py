"""Verdicts asked for by outcome, time, entity and staleness, in a store of many, beside the same store without indexes.

In the embedded store by default: 5,000 verdicts, 100,000 with --full. `python -m benchmarks.rows.verdicts COUNT
SECONDS` does the same on the Neo4j that NEO4J_URI names, which must be empty, with COUNT verdicts or as many as that
many seconds load; times are by the clock there, since the work is the server's.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.figures import COLUMNS, Figure
from claimgraph import cypher
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.engines.bolt import connect
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate, statements
from claimgraph.kgstore.model import Claim, Document, Extraction, Outcome, Run, Span, Status, Verdict
from claimgraph.kgstore.reads import current_verdicts
from claimgraph.kgstore.store import GraphStore, Step
from claimgraph.kgstore.upkeep.stale import stale_on

CLAIMS = 20
"""Claims of a made document."""
ASKED = 40
"""Questions of a kind."""
ASKED_PLAIN = 10
"""Questions of a kind without indexes, where each takes seconds in a large store."""
START = datetime(2026, 1, 1, tzinfo=UTC)
TOGETHER = 200
"""Documents a write: one each would be mostly the server's parsing and ending of transactions."""
INDEXES = ("verdict_outcome", "verdict_created", "entity_folded_name", "claim_folded_subject", "claim_folded_object")
OUTCOMES = (Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO)


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield p95 of each kind of query over a made embedded store."""
    with tempfile.TemporaryDirectory() as folder, open_embedded(Path(folder)) as store:
        migrate(store)
        documents = (100_000 if full else 5_000) // CLAIMS
        for first in range(0, documents, TOGETHER):
            _judged(store, range(first, min(first + TOGETHER, documents)))
        store.settle()
        yield from _figures(store, time.process_time)


def _judged(store: GraphStore, numbers: range) -> None:
    """Store documents of claims with a verdict each; those of every tenth document are stale."""
    of_each = [_steps(number) for number in numbers]
    store.write(*((steps[0][0], [row for _, rows in steps for row in rows]) for steps in zip(*of_each, strict=True)))


def _steps(number: int) -> list[Step]:
    """Return the steps of a document, the same queries whatever the document."""
    pick, text = random.Random(number), f"Text {number}."
    key = identity.document_id(text)
    document = Document(key, text, name=f"text {number}", created_at=START)
    claims = []
    for at in range(CLAIMS):
        triple = _person(pick.randrange(2 * number + 40)), "met", _person(pick.randrange(2 * number + 40))
        claims.append(
            Claim(identity.claim_id(key, at, at + 5, *triple), key, *triple, " ".join(triple), Span(at, at + 5))
        )
    extraction = Extraction(document, (Span(0, len(text)),), tuple(claims))
    run = Run(identity.run_id("check", "made", "{}", key, ""), "made", "{}", START, START, "finished")
    moment = START + timedelta(minutes=number)
    verdicts = [
        Verdict(
            identity.verdict_id(claim.id, "made", "{}", ""), claim.id, pick.choice(OUTCOMES), Status.COMPLETE, "made",
            "a made one", 0.5, created_at=moment,
        )
        for claim in claims
    ]  # fmt: skip
    graph = claim_kg(extraction, identity.claim_graph(key))
    stale = [{"id": verdict.id, "stale": True} for verdict in verdicts if number % 10 == 0]
    judged = records.verdict_steps(run, verdicts)
    return [*records.extraction_steps(extraction, graph), *judged, ("put_stale", stale)]


def _person(number: int) -> str:
    return f"Person {number}"


def _figures(store: GraphStore, clock: Callable[[], float]) -> Iterator[Figure]:
    count = sum(row["verdicts"] for row in store.read("verdict_counts"))
    documents = count // CLAIMS
    asked = {kind: _p95(query, documents, clock) for kind, query in _queries(store).items()}
    for index in INDEXES:
        store.schema(f"DROP INDEX {index} IF EXISTS")
    plain = {kind: _p95(query, documents, clock, ASKED_PLAIN) for kind, query in _queries(store).items()}
    for _, text in cypher.migrations():
        for statement in statements(text):
            store.schema(statement)
    for kind in asked:
        yield Figure(
            f"verdicts by {kind}, p95 of {ASKED}", asked[kind], "the same without indexes", plain[kind], "20 ms",
            asked[kind] <= 0.02, {"verdicts": count},
        )  # fmt: skip


def _queries(store: GraphStore) -> dict[str, Callable[[random.Random, int], object]]:
    return {
        "outcome": lambda pick, _: current_verdicts(store, outcome=pick.choice(OUTCOMES)),
        "time": lambda pick, documents: current_verdicts(
            store, since=START + timedelta(minutes=pick.randrange(documents * 9 // 10, documents))
        ),
        "entity": lambda pick, documents: current_verdicts(store, entity=_person(pick.randrange(documents))),
        "staleness, of a document": lambda pick, documents: stale_on(
            store, identity.document_id(f"Text {10 * pick.randrange(documents // 10)}.")
        ),
    }


def _p95(
    query: Callable[[random.Random, int], object], documents: int, clock: Callable[[], float], asked: int = ASKED
) -> float:
    pick, times = random.Random(0), []
    query(pick, documents)
    for _ in range(asked):
        start = clock()
        query(pick, documents)
        times.append(clock() - start)
    return sorted(times)[int(0.95 * asked) - 1]


def on_neo4j(verdicts: int, seconds: float) -> None:
    """Load so many verdicts, for at most so many seconds, into the Neo4j of the environment and print the figures."""
    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ["NEO4J_PASSWORD"]
    with connect(os.environ["NEO4J_URI"], user, password) as store:
        migrate(store)
        end, number = time.monotonic() + seconds, 0
        while number * CLAIMS < verdicts and time.monotonic() < end:
            _judged(store, range(number, number + TOGETHER))
            number += TOGETHER
        store.settle()
        print(COLUMNS)
        for figure in _figures(store, time.perf_counter):
            print(figure.row(), flush=True)


if __name__ == "__main__":
    on_neo4j(int(sys.argv[1]), float(sys.argv[2]))
