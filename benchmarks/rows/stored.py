"""The embedded store: facts written, opened, exported, and dropped; a hub among them."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, of_process, processor
from claimgraph.kgstore.arrays.export import export_arrays
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.forget import drop_graph

OPEN = """
import sys, time
from pathlib import Path
import kglite
from benchmarks.figures import memory_peak
from claimgraph.kgstore.engines.embedded import open_embedded
started = time.process_time()
with open_embedded(Path(sys.argv[1])) as store:
    print(time.process_time() - started, memory_peak())
"""
PLAIN = (
    "UNWIND $rows AS row MERGE (s:Plain {id: row.s}) MERGE (o:Plain {id: row.o}) CREATE (s)-[:SAID {id: row.id}]->(o)"
)


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield ingest, a hub's ingest, opening, export and drop of a made graph."""
    facts = 206_205 if full else 20_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        usual, hub = folder / "usual.tsv", folder / "hub.tsv"
        _file(usual, facts, lambda pick: pick.randrange(facts // 12))
        _file(hub, facts // 2, lambda _: 0)
        with open_embedded(folder / "store") as store:
            migrate(store)
            written = processor(lambda: _ingest(store, usual, "usual"))
            plain = processor(lambda: _plainly(store, 500)) / 500 * facts
            yield Figure(
                "ingest, the constraint kept", written, "a statement a fact", plain, "40,000 facts/s",
                facts / written >= 40_000, {"facts": facts, "facts/s": round(facts / written)},
            )  # fmt: skip
            heavy = processor(lambda: _ingest(store, hub, "hub"))
            usual_rate = written / 2
            yield Figure(
                "ingest of half as many facts into one hub", heavy, "the usual rate", usual_rate, "the usual rate",
                heavy <= 1.25 * usual_rate, {"facts": facts // 2},
            )  # fmt: skip
            drop_graph(store, "hub")
        yield _opening(folder / "store", facts)
        with open_embedded(folder / "store") as store:
            export = processor(lambda: export_arrays(store, ["usual"], folder / "cache"))
            rows = processor(lambda: _into_networkx(store))
            yield Figure(
                "export to arrays", export, "rows into networkx", rows, "0.3 s", export <= 0.3, {"facts": facts}
            )
            gone = processor(lambda: drop_graph(store, "usual"))
            yield Figure("drop of a graph", gone, "its ingest", written, "5 s", gone <= 5, {"facts": facts})


def _opening(store: Path, facts: int) -> Figure:
    opened, memory = map(float, of_process(OPEN, str(store))[1].split())
    content = (store / "graph.kgl").read_bytes()
    read = processor(lambda: [_read(store / "graph.kgl") for _ in range(20)]) / 20
    counts = {"facts": facts, "MB file": round(len(content) / 1e6, 1), "MB memory": round(memory)}
    return Figure("opening the store", opened, "reading its file", read, "within 5 times", opened <= 5 * read, counts)


def _read(path: Path) -> int:
    return sum(path.read_bytes()[::4096])


def _ingest(store: GraphStore, path: Path, graph: str) -> None:
    ingest(store, path, graph, rejected=path.with_suffix(".rejected"))


def _file(path: Path, facts: int, target: object) -> None:
    pick = random.Random(0)
    rows = (f"s{pick.randrange(facts // 12)}\tr{pick.randrange(50)}\to{target(pick)}\n" for _ in range(facts))  # type: ignore[operator]
    path.write_text("".join(rows))


def _plainly(store: GraphStore, count: int) -> None:
    """Write facts one statement each, in transactions of their own."""
    for number in range(count):
        row = {"s": f"s{number}", "o": f"o{number % 50}", "id": str(number)}
        with store._session.begin() as transaction:  # type: ignore[attr-defined]
            transaction.cypher(PLAIN, params={"rows": [row]})


def _into_networkx(store: GraphStore) -> None:
    import networkx as nx

    from claimgraph.kgstore.reads import graph_facts

    graph = nx.MultiDiGraph()
    for page in graph_facts(store, "usual"):
        for row in page:
            graph.add_edge(row["subject"], row["object"], key=row["id"], name=row["name"])
