"""What a graph is made of: its Fetch records, and the version that follows from them.

The version is a hash over the fetches into the graph: those that are complete by their id, a running one by its id
and how far it came. So a graph loaded in part never has the version of the whole, and loading the same files into it
again ends in the same version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from kgstore.errors import InputError
from kgstore.identity import fetch_id, scope_version
from kgstore.store import GraphStore, Row, Step

RUNNING, COMPLETE = "running", "complete"


class Ledger:
    """The fetches of some files into one graph, and the steps that record them."""

    def __init__(self, store: GraphStore, graph: str, files: Sequence[Path]) -> None:
        """Reads every file once for its digest. Raises InputError where one cannot be read."""
        self._graph = graph
        self._ids = {path: fetch_id(digest(path), graph) for path in files}
        self._members = {
            row["id"]: _member(row["id"], row["status"], row["rows"])
            for row in store.read("fetches_into", target=graph)
        }

    def id(self, path: Path) -> str:
        """Id of the fetch of one of the files."""
        return self._ids[path]

    def steps(self, status: str, rows: dict[Path, int]) -> list[Step]:
        """Record how many rows of which files are in the store, and the graph's version with them."""
        now = datetime.now(UTC)
        fetches: list[Row] = []
        for path, count in rows.items():
            identity = self._ids[path]
            self._members[identity] = _member(identity, status, count)
            about = {"id": identity, "source": path.name, "target": self._graph}
            fetches.append({**about, "status": status, "rows": count, "retrievedAt": now})
        version = scope_version(list(self._members.values()))
        graph = {"id": self._graph, "name": self._graph, "kind": "world", "version": version, "updatedAt": now}
        return [("put_fetches", fetches), ("put_graphs", [graph])]


def digest(path: Path) -> str:
    """SHA-256 of the file as it lies, in hex."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error


def _member(identity: str, status: str, rows: int) -> str:
    return identity if status == COMPLETE else f"{identity} {rows}"
