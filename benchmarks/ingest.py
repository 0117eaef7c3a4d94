"""Facts a second into each engine, in one run: `python benchmarks/ingest.py TRIPLES [--entities F] [--relations F]`.

Figures of one machine and moment mean little; the ratio of the engines, and of a second load to the first, mean more.
The embedded store is made in a temporary folder; Neo4j is the one NEO4J_URI names, and must hold no graph called
`benchmark`, which is dropped afterwards.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from claimgraph.kgstore.engines.bolt import connect
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.forget import drop_graph

GRAPH = "benchmark"


def main() -> None:
    """Load the file twice into each engine and print wall time, this process's CPU time and facts a second."""
    arguments = _arguments()
    rates = {}
    for engine in ("embedded", *(["neo4j"] if os.environ.get("NEO4J_URI") else [])):
        with _store(engine) as store:
            rates[engine] = _rate(store, engine, "first load", arguments)
            _rate(store, engine, "second load", arguments)
    if "neo4j" in rates:
        print(f"embedded to neo4j, first load: {rates['embedded'] / rates['neo4j']:.2f} to 1")


def _rate(store: GraphStore, engine: str, title: str, given: argparse.Namespace) -> float:
    wall, cpu = time.perf_counter(), time.process_time()
    rejected = Path(tempfile.gettempdir()) / "benchmark.rejected.tsv"
    report = ingest(store, given.path, GRAPH, entities=given.entities, relations=given.relations, rejected=rejected)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    rate = report.facts / wall
    counts = f"{report.facts:,} facts, {report.new:,} new"
    print(f"{engine:9} {title:12} {counts}: {wall:.1f} s, CPU {cpu:.1f} s, {rate:,.0f}/s", flush=True)
    return rate


@contextmanager
def _store(engine: str) -> Iterator[GraphStore]:
    with tempfile.TemporaryDirectory() as folder:
        if engine == "embedded":
            opened: GraphStore = open_embedded(Path(folder))
        else:
            user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ["NEO4J_PASSWORD"]
            opened = connect(os.environ["NEO4J_URI"], user, password)
        with opened as store:
            migrate(store)
            assert not store.read("graph_size", graph=GRAPH)[0]["facts"], f"the store holds a graph {GRAPH!r}"
            yield store
            drop_graph(store, GRAPH)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Facts a second into each engine.")
    parser.add_argument("path", type=Path)
    parser.add_argument("--entities", type=Path)
    parser.add_argument("--relations", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
