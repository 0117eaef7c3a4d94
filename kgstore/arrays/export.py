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
from itertools import chain, pairwise, repeat
from pathlib import Path
from typing import Any

import numpy as np

from claimgraph.kgstore.arrays.graph import GraphArrays, Numbers
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.identity import scope_version
from claimgraph.kgstore.naming import relation_name
from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.kgstore.upkeep.stale import graph_versions

_PAGE = 250_000
"""Facts queried at a time: the embedded engine scans the whole graph for each page, Neo4j collects a page in memory."""

_IDS = 10_000
_VERSIONS = 2
"""Versions of the same graphs that are kept."""

_NUMBERS = ("subject", "predicate", "object")
_GRAPHS = "graphs.json"
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
    return _load(folder, version, wanted) or _remake(folder, _read(store, wanted, version), wanted)


def arrays_folder(cache: Path, graphs: Sequence[str], version: str) -> Path:
    """Return the folder of the arrays of a version and of all derived files; removed with that version."""
    return cache / "graphs" / scope_version(sorted(set(graphs))) / version


def forget_arrays(cache: Path, graph: str) -> None:
    """Remove from the cache all arrays and derived files that a graph is part of, or may be."""
    for folder in (cache / "graphs").glob("*"):
        if any(_may_hold(version, graph) for version in folder.glob("*")):
            shutil.rmtree(folder, ignore_errors=True)


def _may_hold(folder: Path, graph: str) -> bool:
    try:
        return graph in json.loads((folder / _GRAPHS).read_bytes())
    except (OSError, ValueError):
        return True


def graphs_version(store: GraphStore, graphs: Sequence[str]) -> str:
    """Return one version for some graphs together, which changes with any of theirs. Raises NotFound."""
    graphs = sorted(set(graphs))
    versions = graph_versions(store, graphs)
    for graph in graphs:
        if graph not in versions:
            raise NotFound("graph", graph)
    return scope_version([f"{graph}@{versions[graph]}" for graph in graphs])


def _read(store: GraphStore, graphs: Sequence[str], version: str) -> GraphArrays:
    rows = [row for graph in graphs for page in fact_columns(store, graph) for row in page]
    columns = (list(chain.from_iterable(row[key] for row in rows)) for key in ("facts", "subjects", "objects"))
    facts, subjects, objects = columns
    predicates = list(chain.from_iterable(repeat(row["predicate"], len(row["facts"])) for row in rows))
    names = names_of(store, {*subjects, *objects})
    return _joined(version, (facts, subjects, predicates, objects), names, relations_of(store, predicates))


def assemble(
    version: str, facts: Iterable[tuple[str, str, str, str]], names: dict[str, str], relations: dict[str, str]
) -> GraphArrays:
    """Return arrays from facts (id, subject, predicate and object by id) in any order, and names of nodes and
    predicates.

    The name of a node without one is its id, that of a predicate is made from its id (naming.relation_name).
    """
    return _joined(version, tuple(zip(*facts, strict=True)) or ((), (), (), ()), names, relations)


def _joined(
    version: str, columns: tuple[Sequence[str], ...], names: dict[str, str], relations: dict[str, str]
) -> GraphArrays:
    """Return arrays from columns of facts: their ids, subjects, predicates and objects."""
    facts, subjects, predicates, objects = columns
    nodes, kinds = sorted({*subjects, *objects}), sorted(set(predicates))
    order = sorted(range(len(facts)), key=facts.__getitem__)
    return GraphArrays(
        version,
        nodes,
        [names.get(key) or key for key in nodes],
        [facts[at] for at in order],
        _numbered(subjects, nodes)[order],
        _numbered(predicates, kinds)[order],
        _numbered(objects, nodes)[order],
        kinds,
        [relations.get(key) or relation_name(key) for key in kinds],
    )


def _numbered(column: Sequence[str], keys: Sequence[str]) -> Numbers:
    """Return the place among the keys of each of a column, shape (m,)."""
    places = {key: at for at, key in enumerate(keys)}
    return np.fromiter(map(places.__getitem__, column), np.int32, len(column))


def fact_columns(store: GraphStore, graph: str) -> Iterator[list[Row]]:
    """Yield pages of ids of the graph's facts and their ends, a row a predicate with a list of each (export_facts).

    Ids are hashes, so that equal ranges of them hold about equally many.
    """
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


def _remake(folder: Path, graph: GraphArrays, names: Sequence[str]) -> GraphArrays:
    """Save the graph in the folder, with one older version beside it."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _save(folder, graph, names)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {(error.strerror or str(error)).lower()}") from error
    versions = [path for path in folder.parent.iterdir() if not path.name.startswith(".")]
    for older in sorted(versions, key=_used)[:-_VERSIONS]:
        shutil.rmtree(older, ignore_errors=True)
    return graph


def _used(folder: Path) -> float:
    """Return the time the folder was last loaded, 0 for one that was removed meanwhile."""
    return folder.stat().st_mtime if folder.exists() else 0.0


def _save(folder: Path, graph: GraphArrays, names: Sequence[str]) -> None:
    """Write beside, then rename; the loser of a race leaves the winner's, which holds the same."""
    beside = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
    try:
        for key in _NUMBERS:
            np.save(beside / f"{key}.npy", getattr(graph, key))
        for key in _STRINGS:
            (beside / f"{key}.json").write_text(json.dumps(list(getattr(graph, key))), encoding="ascii")
        (beside / _GRAPHS).write_text(json.dumps(names), encoding="ascii")
        beside.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _load(folder: Path, version: str, graphs: list[str]) -> GraphArrays | None:
    """Return the graph in the folder; None where it is incomplete."""
    try:
        if json.loads((folder / _GRAPHS).read_bytes()) != graphs:
            return None
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
