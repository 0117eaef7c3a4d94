"""Measure how functional each relation of some graphs is, kept on disk by version.

PARIS (Suchanek et al. 2011, section 4.3): subjects / facts, the harmonic mean of 1 / number of objects a subject.
Measured in the graph, since most graphs do not declare which of their relations have one value. Counting costs a second
for 200,000 facts on the embedded engine, so the numbers lie beside the graph's arrays.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from claimgraph.kgstore.arrays.export import arrays_folder, graphs_version
from claimgraph.kgstore.store import GraphStore

_FILE = "functionality.json"


def functionality(store: GraphStore, graphs: Sequence[str], cache: Path | None) -> dict[str, float]:
    """Return subjects / facts in (0, 1] by predicate id over the graphs together; from `cache` where that holds this
    version.

    None keeps nothing. Raises NotFound for a graph the store does not hold.
    """
    version = graphs_version(store, graphs)
    if cache is None:
        return _counted(store, graphs)
    path = arrays_folder(cache, graphs, version) / _FILE
    if not path.is_file():
        _write(path, _counted(store, graphs))
    found: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _counted(store: GraphStore, graphs: Sequence[str]) -> dict[str, float]:
    rows = store.read("functionality", graphs=sorted(set(graphs)))
    return {row["predicate"]: row["subjects"] / row["facts"] for row in rows}


def _write(path: Path, found: dict[str, float]) -> None:
    """Write beside and rename, so that a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        json.dump(found, file, sort_keys=True)
    Path(file.name).replace(path)
