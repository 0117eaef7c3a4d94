"""Export a graph of the store as arrays, kept on disk by version.

Reading 200,000 facts through a database takes seconds, reading the arrays made of them tens of milliseconds. They lie
in one folder a set of graphs and version: numbers as .npy (memory-mapped), strings as JSON lists, which Python reads
faster than anything that decodes one at a time. A folder is written beside and renamed, so that it is whole or missing,
whoever else writes; pickles were rejected: loading one runs its code.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.identity import scope_version
from claimgraph.kgstore.naming import relation_name
from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.kgstore.upkeep.stale import graph_versions

_PAGE = 100_000
"""Facts queried at a time: the embedded engine scans the whole graph for each page."""

_IDS = 10_000
_VERSIONS = 2
"""Versions of the same graphs that are kept."""

_NUMBERS = ("subject", "predicate", "object")
_STRINGS = ("nodes", "names", "facts", "predicates", "relations")


def export_arrays(store: GraphStore, graphs: Sequence[str], cache: Path | None) -> GraphArrays:
    """Return the facts of the named graphs as one graph of arrays; from `cache` where that holds this version of them.

    Of other versions of the same graphs all but the one used last are removed from the cache: two stores may share it.
    None keeps nothing. Raises NotFound for a graph the store does not hold.
    """
    wanted = sorted(set(graphs))
    version = graphs_version(store, wanted)
    if cache is None:
        return _read(store, wanted, version)
    folder = arrays_folder(cache, wanted, version)
    return _load(folder, version) or _remake(folder, _read(store, wanted, version))


def arrays_folder(cache: Path, graphs: Sequence[str], version: str) -> Path:
    """Return the folder of the arrays of a version and of all derived files; removed with that version."""
    return cache / "graphs" / scope_version(sorted(set(graphs))) / version


def graphs_version(store: GraphStore, graphs: Sequence[str]) -> str:
    """Return one version for some graphs together, which changes with any of theirs. Raises NotFound."""
    graphs = sorted(set(graphs))
    versions = graph_versions(store, graphs)
    for graph in graphs:
        if graph not in versions:
            raise NotFound("graph", graph)
    return scope_version([f"{graph}@{versions[graph]}" for graph in graphs])


def _read(store: GraphStore, graphs: Sequence[str], version: str) -> GraphArrays:
    facts = [
        (row["id"], row["subject"], row["predicate"], row["object"])
        for graph in graphs
        for page in _pages(store, graph)
        for row in page
    ]
    nodes = {end for fact in facts for end in (fact[1], fact[3])}
    return assemble(version, facts, names_of(store, nodes), relations_of(store, (fact[2] for fact in facts)))


def assemble(
    version: str, facts: Iterable[tuple[str, str, str, str]], names: dict[str, str], relations: dict[str, str]
) -> GraphArrays:
    """Return arrays from facts (id, subject, predicate and object by id) in any order, and names of nodes and
    predicates.

    The name of a node without one is its id, that of a predicate is made from its id (naming.relation_name).
    """
    ordered = sorted(facts)
    nodes = sorted({end for _, subject, _, object in ordered for end in (subject, object)})
    kinds = sorted({predicate for _, _, predicate, _ in ordered})
    node, kind = ({key: at for at, key in enumerate(keys)} for keys in (nodes, kinds))
    return GraphArrays(
        version,
        nodes,
        [names.get(key) or key for key in nodes],
        [fact for fact, _, _, _ in ordered],
        np.array([node[subject] for _, subject, _, _ in ordered], dtype=np.int32),
        np.array([kind[predicate] for _, _, predicate, _ in ordered], dtype=np.int32),
        np.array([node[object] for _, _, _, object in ordered], dtype=np.int32),
        kinds,
        [relations.get(key) or relation_name(key) for key in kinds],
    )


def _pages(store: GraphStore, graph: str) -> Iterator[list[Row]]:
    """Yield rows of the graph's facts; ids are hashes, so equal ranges of them hold about equally many."""
    pages = 1 + min(store.read("graph_size", graph=graph)[0]["facts"] // _PAGE, 4095)
    bounds = ["", *(f"f1:{4096 * page // pages:03x}" for page in range(1, pages)), "~"]
    for first, before in pairwise(bounds):
        yield store.read("export_facts", graph=graph, first=first, before=before)


def names_of(store: GraphStore, nodes: Iterable[str]) -> dict[str, str]:
    """Return names of entities and literals by id."""
    wanted = sorted(set(nodes))
    named = _by_id(store, "export_entities", wanted)
    return named | _by_id(store, "export_literals", [key for key in wanted if key not in named])


def relations_of(store: GraphStore, predicates: Iterable[str]) -> dict[str, str]:
    """Return names of predicates by id."""
    return _by_id(store, "predicate_names", sorted(set(predicates)))


def _by_id(store: GraphStore, query: str, ids: Sequence[str]) -> dict[str, str]:
    pages = (ids[start : start + _IDS] for start in range(0, len(ids), _IDS))
    return {row["id"]: row["name"] for page in pages for row in store.read(query, ids=page)}


def _remake(folder: Path, graph: GraphArrays) -> GraphArrays:
    """Save the graph in the folder, with one older version beside it."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _save(folder, graph)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {(error.strerror or str(error)).lower()}") from error
    versions = [path for path in folder.parent.iterdir() if not path.name.startswith(".")]
    for older in sorted(versions, key=_used)[:-_VERSIONS]:
        shutil.rmtree(older, ignore_errors=True)
    return graph


def _used(folder: Path) -> float:
    """Return the time the folder was last loaded, 0 for one that was removed meanwhile."""
    return folder.stat().st_mtime if folder.exists() else 0.0


def _save(folder: Path, graph: GraphArrays) -> None:
    """Write beside, then rename; the loser of a race leaves the winner's, which holds the same."""
    beside = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
    try:
        for key in _NUMBERS:
            np.save(beside / f"{key}.npy", getattr(graph, key))
        for key in _STRINGS:
            (beside / f"{key}.json").write_text(json.dumps(list(getattr(graph, key))), encoding="ascii")
        beside.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _load(folder: Path, version: str) -> GraphArrays | None:
    """Return the graph in the folder; None where it is incomplete."""
    try:
        numbers = {key: np.load(folder / f"{key}.npy", mmap_mode="r") for key in _NUMBERS}
        strings = {key: json.loads((folder / f"{key}.json").read_bytes()) for key in _STRINGS}
        os.utime(folder)
    except (OSError, ValueError):
        return None
    return GraphArrays(version, **numbers, **strings) if _whole(numbers, strings) else None


def _whole(numbers: dict[str, Any], strings: dict[str, Any]) -> bool:
    """Return whether all columns fit together: a file truncated or replaced on disk must not become evidence."""
    facts = len(strings["facts"])
    ends = max(int(numbers[key].max(initial=-1)) for key in ("subject", "object"))
    return (
        all(column.shape == (facts,) and column.dtype == np.int32 for column in numbers.values())
        and len(strings["nodes"]) == len(strings["names"]) > ends
        and len(strings["predicates"]) == len(strings["relations"]) > int(numbers["predicate"].max(initial=-1))
    )
