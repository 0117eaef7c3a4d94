"""A whole store in one file, and back: `.jsonl.gz`, the same bytes for the same content on either engine.

The first line is a header with the format's version and the migrations the store had, then come the records of
transfer.py, one a line, and last a trailer with the number of lines and the SHA-256 of all before it. A file is read
through to its trailer before anything of it is written, so a cut-off backup changes no store; a restore that is stopped
leaves a store that is used for nothing but the same restore again. With a key all of it is sealed (sealing.py). A plain
tar of engine files was rejected: it binds a backup to an engine and its version.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from claimgraph import cypher
from claimgraph.kgstore.engines.migrations import bring_along
from claimgraph.kgstore.engines.unfinished import unfinished
from claimgraph.kgstore.errors import InputError, StoreConflict
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.sealing import sealed, unsealed
from claimgraph.kgstore.upkeep.transfer import EdgeRecord, NodeRecord, Record, load_whole, records, refuse_filled
from claimgraph.kgstore.values.typed_json import decode, encode

_FORMAT = "claimgraph-dump"
_VERSION = 1
_ATTEMPTS = 3


def dump(
    store: GraphStore, path: Path, *, key: bytes | None = None, moment: Callable[[], object] = lambda: None
) -> dict[str, int]:
    """Write all of the store to `path`, and return how many nodes and relationships.

    The file appears whole or not at all, readable by its owner only. `moment` returns another value after every write
    to the store; where it does, all is read anew, a few times. Raises InputError where the file cannot be written,
    StoreConflict where the store is never still.
    """
    for _ in range(_ATTEMPTS):
        with suppress(_Moved), _replacing(path) as file:
            return _write(store, file, key, moment)
    raise StoreConflict(f"{path} is unwritten: the store is written while it is read; stop the workers first")


class _Moved(Exception):
    """The store was written while it was read."""


def _write(store: GraphStore, file: IO[bytes], key: bytes | None, moment: Callable[[], object]) -> dict[str, int]:
    before, written = moment(), {"nodes": 0, "relationships": 0}
    migrations = [row["id"] for row in store.read("migrations")]
    header = {"format": _FORMAT, "version": _VERSION, "migrations": migrations}
    with sealed(file, key) as inner, gzip.GzipFile("", "wb", fileobj=inner, mtime=0) as packed:
        digest, lines = hashlib.sha256(), 0
        for line in _lines(records(store), header, written):
            packed.write(line)
            digest.update(line)
            lines += 1
        packed.write(_line({"lines": lines, "sha256": digest.hexdigest()}))
    if moment() != before:
        raise _Moved
    return written


def restore(store: GraphStore, path: Path, *, merge: bool = False, key: bytes | None = None) -> dict[str, int]:
    """Load a dump into an empty store, and return how many nodes and relationships.

    With `merge` the store may hold something: what has the same id is overwritten. A restore that was stopped is done
    again. What version 0.1.0 wrote becomes what this version stores. Raises InputError for a file that is damaged,
    newer, sealed with another key or none of ours, UsageError for a filled store.
    """
    found = _verify(path, key)
    work = f"restore of {path.name} (sha256 {found.sha256[:12]})"
    if not merge and unfinished(store) != work:
        refuse_filled(store)
    loaded = load_whole(store, (_record(line) for line in _body(path, key)), work)
    bring_along(store, [name for name, _ in cypher.migrations() if name not in found.migrations])
    return loaded


def verify(path: Path, key: bytes | None = None) -> dict[str, int]:
    """Read a dump through, and return how many nodes and relationships it holds. Raises InputError as restore does."""
    found = _verify(path, key)
    return {"nodes": found.nodes, "relationships": found.lines - found.nodes - 1}


def _lines(stream: Iterator[Record], header: dict[str, Any], written: dict[str, int]) -> Iterator[bytes]:
    yield _line(header)
    for record in stream:
        if isinstance(record, NodeRecord):
            written["nodes"] += 1
            yield _line({"node": record.label, "properties": _encoded(record.properties)})
        else:
            written["relationships"] += 1
            ends = {"from": record.source, "to": record.target}
            yield _line({"edge": record.kind, **ends, "properties": _encoded(record.properties)})


def _encoded(properties: dict[str, Any]) -> dict[str, Any]:
    return {key: encode(value) for key, value in properties.items()}


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _record(line: bytes) -> Record:
    value = json.loads(line)
    properties = {key: decode(inner) for key, inner in value["properties"].items()}
    if "node" in value:
        return NodeRecord(value["node"], properties)
    return EdgeRecord(value["edge"], value["from"], value["to"], properties)


@dataclass(frozen=True, slots=True)
class _Found:
    """The content of a dump that is whole."""

    migrations: list[str]
    sha256: str
    lines: int
    nodes: int


def _verify(path: Path, key: bytes | None) -> _Found:
    """Raise InputError unless all of the file is as it was written, by a version this one knows."""
    with _opened(path, key) as file:
        first = file.readline()
        migrations = _migrations(path, first)
        digest, lines, nodes, last = hashlib.sha256(first), 1, 0, b""
        for line in file:
            if last:
                digest.update(last)
                lines += 1
                nodes += last.startswith(b'{"node"')
            last = line
    if last != _line({"lines": lines, "sha256": digest.hexdigest()}):
        raise InputError(f"{path} is damaged: it is cut off or altered, and nothing of it was used")
    return _Found(migrations, digest.hexdigest(), lines, nodes)


def _migrations(path: Path, line: bytes) -> list[str]:
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != _FORMAT:
        raise InputError(f"{path} is no backup of claimgraph")
    known = {name for name, _ in cypher.migrations()}
    migrations: list[str] = header.get("migrations", [])
    if header.get("version") != _VERSION or not known.issuperset(migrations):
        raise InputError(f"{path} was written by a newer claimgraph; update claimgraph to restore it")
    return migrations


def _body(path: Path, key: bytes | None) -> Iterator[bytes]:
    """Yield the lines between header and trailer."""
    with _opened(path, key) as file:
        file.readline()
        held = b""
        for line in file:
            if held:
                yield held
            held = line


@contextmanager
def _opened(path: Path, key: bytes | None) -> Iterator[gzip.GzipFile]:
    try:
        with path.open("rb") as file, gzip.GzipFile(fileobj=unsealed(file, key, str(path)), mode="rb") as packed:
            yield packed
    except (EOFError, zlib.error) as error:
        raise InputError(f"{path} is damaged: it is cut off or altered, and nothing of it was used") from error
    except gzip.BadGzipFile as error:
        raise InputError(f"{path} is damaged, or no backup of claimgraph") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file that takes the place of `path` when all went well, and goes away when not."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
