"""A graph of the store as arrays: the same facts, kept a version, and never half of them."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from counted_store import Counted
from filled import WORLD, fill, world

from claimgraph.kgstore import records
from claimgraph.kgstore.arrays import export
from claimgraph.kgstore.arrays.export import assemble, export_arrays, forget_arrays, names_of, relations_of
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.arrays.neighbours import StoreNeighbours
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.reads import graph_facts, load_graph
from claimgraph.kgstore.store import GraphStore


def said(graph: GraphArrays) -> list[tuple[str, ...]]:
    """What the arrays say, fact by fact."""
    return [
        (
            graph.facts[i],
            graph.nodes[graph.subject[i]],
            graph.predicates[graph.predicate[i]],
            graph.nodes[graph.object[i]],
        )
        for i in range(len(graph.facts))
    ]


def test_the_arrays_say_what_the_store_says(store: GraphStore) -> None:
    """Facts, ends, names and relations are those of the graph read as nouns; literals and odd names among them."""
    fill(store)
    graph, nouns = export_arrays(store, [WORLD], None), load_graph(store, WORLD)
    assert [(f.id, f.subject, f.predicate, f.object) for f in nouns.facts] == said(graph)
    assert [nouns.nodes[node].name for node in graph.nodes] == list(graph.names)
    assert [nouns.triple(fact).text for fact in nouns.facts] == [graph.text(i) for i in range(len(graph.facts))]
    assert sorted(graph.nodes) == list(graph.nodes)


def test_several_graphs_are_one(store: GraphStore) -> None:
    """The facts of all named graphs stand together, in the order of their ids, however the graphs are listed."""
    fill(store)
    names = [row["name"] for row in store.read("graphs")]
    together = export_arrays(store, names, None)
    assert sorted(fact.id for name in names for fact in load_graph(store, name).facts) == list(together.facts)
    assert said(together) == said(export_arrays(store, names[::-1], None))
    assert together.version == export_arrays(store, names[::-1], None).version


def test_pages_are_one_graph(store: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph of many pages has the same arrays as facts that are read one by one."""
    fill(store)
    whole = export_arrays(store, [WORLD], None)
    facts = [(row["id"], row["subject"], row["predicate"], row["object"]) for row in chain(*graph_facts(store, WORLD))]
    simple = assemble(whole.version, facts, names_of(store, whole.nodes), relations_of(store, whole.predicates))
    monkeypatch.setattr(export, "_PAGE", 1)
    for other in (simple, export_arrays(store, [WORLD], None)):
        assert said(whole) == said(other)
        assert (whole.nodes, whole.names, whole.predicates, whole.relations) == (
            other.nodes, other.names, other.predicates, other.relations,
        )  # fmt: skip


def test_what_is_dropped_stands_in_no_array(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """Arrays of a graph, alone and with others, go with it; those of others stay, but what cannot be told goes."""
    fill(embedded)
    others = [row["name"] for row in embedded.read("graphs") if row["name"] != WORLD]
    for graphs in ([WORLD], [WORLD, *others], others):
        export_arrays(embedded, graphs, tmp_path)
    kept = export_arrays(embedded, others, tmp_path)
    forget_arrays(tmp_path, WORLD)
    assert 1 == len(list(tmp_path.glob("graphs/*")))
    counted = Counted(embedded)
    assert said(kept) == said(export_arrays(counted, others, tmp_path))
    assert ["graphs_by_name"] == counted.asked
    next(tmp_path.glob("graphs/*/*/graphs.json")).write_text("[")
    forget_arrays(tmp_path, WORLD)
    assert [] == list(tmp_path.glob("graphs/*"))


def test_an_unknown_graph_is_refused(embedded: EmbeddedStore) -> None:
    """A name the store does not hold is an error, not an empty graph."""
    with pytest.raises(NotFound):
        export_arrays(embedded, ["nowhere"], None)


def test_a_version_is_read_from_the_store_once(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """The second export reads files only, as memory maps; another version is read anew."""
    fill(embedded)
    first = export_arrays(embedded, [WORLD], tmp_path)
    counted = Counted(embedded)
    again = export_arrays(counted, [WORLD], tmp_path)
    assert ["graphs_by_name"] == counted.asked
    assert said(first) == said(again)
    assert isinstance(again.subject, np.memmap)
    embedded.write(("delete_facts", [{"id": fact.id} for fact in world().facts[1:]]))
    _put_version(embedded, "8")
    assert 1 == len(export_arrays(embedded, [WORLD], tmp_path).facts)


def test_of_older_versions_the_last_used_is_kept(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """Two stores may share a cache without taking turns in exporting; what nobody uses goes."""
    fill(embedded)
    used = [export_arrays(embedded, [WORLD], tmp_path).version]
    for version in "89":
        _put_version(embedded, version)
        used.append(export_arrays(embedded, [WORLD], tmp_path).version)
        for path in tmp_path.glob("graphs/*/*"):
            os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 10))
    assert set(used[1:]) == {path.name for path in tmp_path.glob("graphs/*/*")}


def _put_version(store: GraphStore, version: str) -> None:
    store.write(("put_graphs", [records.graph_row(WORLD, "world", version, datetime.now(UTC))]))


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def _replace(path: Path) -> None:
    path.write_text("[]")


def test_a_damaged_cache_is_made_again(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """Whichever file is gone, cut off or another's, the export is right, and the next one reads whole files."""
    fill(embedded)
    whole = said(export_arrays(embedded, [WORLD], tmp_path))
    for name in sorted(path.name for path in tmp_path.glob("graphs/*/*/*")):
        for harm in (
            Path.unlink,
            lambda path: path.write_bytes(path.read_bytes()[:-5]),
            lambda path: path.write_text("[]"),
        ):
            (path,) = tmp_path.glob(f"graphs/*/*/{name}")
            harm(path)
            assert whole == said(export_arrays(embedded, [WORLD], tmp_path))
            counted = Counted(embedded)
            assert whole == said(export_arrays(counted, [WORLD], tmp_path))
            assert ["graphs_by_name"] == counted.asked


def test_many_may_export_at_once(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """Threads that all find no cache end with the same graph and one whole folder."""
    fill(embedded)
    found: list[GraphArrays] = []
    threads = [
        threading.Thread(target=lambda: found.append(export_arrays(embedded, [WORLD], tmp_path))) for _ in "abcd"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [said(export_arrays(embedded, [WORLD], None))] * 4 == [said(graph) for graph in found]
    assert 1 == len(list((tmp_path / "graphs").glob("*/*"))) == len([*(tmp_path / "graphs").glob("*/.*")]) + 1


def test_a_cache_that_cannot_be_written_says_so(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """A file where the folder should be is one clear error."""
    fill(embedded)
    (tmp_path / "graphs").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        export_arrays(embedded, [WORLD], tmp_path)


def test_nodes_are_numbered_in_one_pass(embedded: EmbeddedStore) -> None:
    """Ids that can be read once only, as a generator's, have the numbers that they have in a list."""
    known = StoreNeighbours(embedded, ["test"], "1")
    assert [0, 1, 0] == known.numbers(iter(["x:a", "x:b", "x:a"])).tolist()
