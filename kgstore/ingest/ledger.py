"""Record the fetches into a graph, and derive its version from them.

The version is a hash over the fetches into the graph: those that are complete by their id and, where their content can
change, a digest of it; others by their id and how far they came. So a graph loaded in part never has the version of the
whole, and loading the same files into it again ends in the same version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import fetch_id, scope_version
from claimgraph.kgstore.naming import named
from claimgraph.kgstore.records import graph_row
from claimgraph.kgstore.store import GraphStore, Row, Step

RUNNING, COMPLETE, INCOMPLETE = "running", "complete", "incomplete"


class Ledger:
    """The fetches of some files into one graph, and the steps that record them."""

    def __init__(self, store: GraphStore, graph: str, files: Sequence[Path]) -> None:
        """Reads every file once for its digest. Raises InputError where one cannot be read."""
        self._graph = graph
        self._ids = {path: fetch_id(digest(path), graph) for path in files}
        self._known = {row["id"]: row for row in store.read("fetches_into", target=graph)}

    def id(self, path: Path) -> str:
        """Return id of the fetch of one of the files."""
        return self._ids[path]

    def steps(self, status: str, rows: dict[Path, int]) -> list[Step]:
        """Record how many rows of which files are in the store, and the graph's version with them."""
        now = datetime.now(UTC)
        fetches: list[Row] = []
        for path, count in rows.items():
            about = {"id": self._ids[path], "source": path.name, "target": self._graph}
            fetches.append(named("Fetch", {**about, "status": status, "rows": count, "retrievedAt": now}))
        self._known |= {fetch["id"]: {**fetch, "content": None} for fetch in fetches}
        return [version_step(self._graph, self._known.values()), ("put_fetches", fetches)]


def version_step(graph: str, fetches: Iterable[Row]) -> Step:
    """Return the step that gives a world graph the version of all fetches into it: id, status, rows and content of
    each.
    """
    return ("put_graphs", [graph_row(graph, "world", scope_version(list(map(_member, fetches))), datetime.now(UTC))])


def digest(path: Path) -> str:
    """Return the SHA-256 of the file on disk, in hex."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error


def _member(row: Row) -> str:
    identity = str(row["id"])
    if row["content"]:
        return f"{identity} {row['status']} {row['content']}"
    return identity if row["status"] == COMPLETE else f"{identity} {row['rows']}"
