"""A whole store in one file, and back: `.jsonl.gz`, the same bytes for the same content on either engine.

The first line is a header with the format's version and the migrations the store had, then come the records of
transfer.py, one a line, and last a trailer with the number of lines and the SHA-256 of all before it. A file is read
through to its trailer before anything of it is written, so a cut-off backup changes no store. A plain tar of engine
files was rejected: it binds a backup to an engine and its version.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from claimgraph import cypher
from claimgraph.kgstore.engines.migrations import bring_along
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.transfer import EdgeRecord, NodeRecord, Record, load, records, refuse_filled
from claimgraph.kgstore.values.typed_json import decode, encode

_FORMAT = "claimgraph-dump"
_VERSION = 1


def dump(store: GraphStore, path: Path) -> dict[str, int]:
    """Write all of the store to `path`, and return how many nodes and relationships.

    The file appears whole or not at all, readable by its owner only. Raises InputError where it cannot be written.
    """
    written = {"nodes": 0, "relationships": 0}
    migrations = [row["id"] for row in store.read("migrations")]
    with _replacing(path) as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        digest, lines = hashlib.sha256(), 0
        for line in _lines(records(store), {"format": _FORMAT, "version": _VERSION, "migrations": migrations}, written):
            packed.write(line)
            digest.update(line)
            lines += 1
        packed.write(_line({"lines": lines, "sha256": digest.hexdigest()}))
    return written


def restore(store: GraphStore, path: Path, *, merge: bool = False) -> dict[str, int]:
    """Load a dump into an empty store, and return how many nodes and relationships.

    With `merge` the store may hold something: what has the same id is overwritten, so a restore that was stopped can
    be done again. What version 0.1.0 wrote becomes what this version stores. Raises InputError for a file that is
    damaged, newer or none of ours, UsageError for a filled store.
    """
    if not merge:
        refuse_filled(store)
    migrated = _verify(path)
    loaded = load(store, (_record(line) for line in _body(path)))
    bring_along(store, [name for name, _ in cypher.migrations() if name not in migrated])
    return loaded


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


def _verify(path: Path) -> list[str]:
    """Return the migrations the store had. Raises InputError unless all of the file is as it was written, by a version
    this one knows.
    """
    with _opened(path) as file:
        first = file.readline()
        migrations = _migrations(path, first)
        digest, lines, last = hashlib.sha256(first), 1, b""
        for line in file:
            if last:
                digest.update(last)
                lines += 1
            last = line
    if last != _line({"lines": lines, "sha256": digest.hexdigest()}):
        raise InputError(f"{path} is damaged: it is cut off or altered, and nothing of it was used")
    return migrations


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


def _body(path: Path) -> Iterator[bytes]:
    """Yield the lines between header and trailer."""
    with _opened(path) as file:
        file.readline()
        held = b""
        for line in file:
            if held:
                yield held
            held = line


@contextmanager
def _opened(path: Path) -> Iterator[gzip.GzipFile]:
    try:
        with gzip.open(path, "rb") as file:
            yield file
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
