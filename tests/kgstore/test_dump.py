"""A backup holds everything, fits either engine, and is whole or refused."""

from __future__ import annotations

import gzip
import io
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from filled import ANSWER, WORLD, fill, submit
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph import cypher
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate, pending
from claimgraph.kgstore.engines.unfinished import refuse_unfinished
from claimgraph.kgstore.errors import InputError, StoreConflict, StoreError, UsageError
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.records import answer_steps, document_steps
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep import transfer
from claimgraph.kgstore.upkeep.dump import dump, restore, verify
from claimgraph.kgstore.upkeep.forget import drop_graph
from claimgraph.kgstore.upkeep.sealing import MAGIC, PIECE, read_key, sealed, unsealed
from claimgraph.kgstore.upkeep.transfer import EDGES, NODES, copy, counts, records


@pytest.fixture
def other(tmp_path: Path) -> Iterator[GraphStore]:
    """A second, empty, embedded store."""
    with open_embedded(tmp_path / "other") as opened:
        migrate(opened)
        yield opened


def test_restored_and_dumped_again_is_the_same_file(store: GraphStore, other: GraphStore, tmp_path: Path) -> None:
    """A dump of a restored store is byte for byte the dump it came from, from whichever engine to the embedded one."""
    fill(store)
    store.write(*answer_steps([ANSWER]))
    submit(store)
    first, again, second = (tmp_path / f"{name}.jsonl.gz" for name in ("first", "again", "second"))
    written = dump(store, first)
    assert sum(counts(store).values()) == written["nodes"]
    assert written == restore(other, first)
    assert written == dump(store, again) == dump(other, second)
    assert first.read_bytes() == again.read_bytes() == second.read_bytes()


def test_a_copy_there_and_back_is_the_same(store: GraphStore, other: GraphStore, tmp_path: Path) -> None:
    """From the embedded engine everything arrives on any, back on the first, and a second restore changes nothing."""
    fill(other)
    other.write(*answer_steps([ANSWER]))
    submit(other)
    copy(other, store)
    assert list(records(other)) == list(records(store))
    dump(store, tmp_path / "a.jsonl.gz")
    restore(other, tmp_path / "a.jsonl.gz", merge=True)
    assert list(records(store)) == list(records(other))


def test_a_filled_store_is_not_overwritten(embedded: GraphStore, tmp_path: Path) -> None:
    """Restoring or copying into a store that holds something is refused with what it holds."""
    fill(embedded)
    path = tmp_path / "a.jsonl.gz"
    dump(embedded, path)
    with pytest.raises(UsageError, match="3 Claim"):
        restore(embedded, path)
    with pytest.raises(UsageError, match="is not empty"):
        copy(embedded, embedded)


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda data: data[:-40], "damaged"),
        (lambda data: data[: len(data) // 2], "damaged"),
        (lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:], "damaged"),
        (lambda data: gzip.compress(b"\n".join(gzip.decompress(data).split(b"\n")[:-2])), "damaged"),
        (lambda data: gzip.compress(gzip.decompress(data).replace(b"knows", b"loves")), "damaged"),
        (lambda data: gzip.compress(gzip.decompress(data).replace(b'"version":1', b'"version":2', 1)), "newer"),
        (lambda data: gzip.compress(gzip.decompress(data).replace(b"0001_", b"9001_", 1)), "newer"),
        (lambda _: gzip.compress(b"a,b\n1,2\n"), "no backup of claimgraph"),
        (lambda _: b"PK\x03\x04 something else", "no backup of claimgraph"),
        (lambda _: b"", "no backup of claimgraph"),
    ],
)
def test_a_damaged_file_changes_no_store(embedded: GraphStore, tmp_path: Path, harm: Any, said: str) -> None:
    """A file that is cut off, altered, newer or none of ours is refused in one line and nothing of it is written."""
    fill(embedded)
    path = tmp_path / "a.jsonl.gz"
    dump(embedded, path)
    path.write_bytes(harm(path.read_bytes()))
    before = list(records(embedded))
    with pytest.raises(InputError, match=said) as caught:
        restore(embedded, path, merge=True)
    assert 1 == len(str(caught.value).splitlines())
    assert before == list(records(embedded))


KEY = b"k" * 32


def test_a_sealed_backup_needs_its_key(embedded: GraphStore, other: GraphStore, tmp_path: Path) -> None:
    """Nothing of the texts stands in a sealed file; with its key it is restored, with another or none it is refused."""
    fill(embedded)
    path, plain = tmp_path / "sealed", tmp_path / "plain"
    written = dump(embedded, path, key=KEY)
    dump(embedded, plain)
    assert b"knows" in gzip.decompress(plain.read_bytes())
    assert written == verify(path, KEY) == verify(plain)
    for key, said in ((None, "give the file with its key"), (KEY[1:] + b"x", "another key")):
        with pytest.raises(InputError, match=said):
            restore(other, path, key=key)
    with pytest.raises(InputError, match="is not sealed"):
        verify(plain, KEY)
    assert written == restore(other, path, key=KEY)
    assert list(records(embedded)) == list(records(other))


@settings(max_examples=40, deadline=None)
@given(size=st.sampled_from([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7]), data=st.data())
def test_any_harm_to_a_sealed_file_is_found(size: int, data: st.DataObject) -> None:
    """Of a file of any size all comes back; cut anywhere, or with a bit flipped, it is refused."""
    content, file = random.Random(size).randbytes(size), io.BytesIO()
    with sealed(file, KEY) as inner:
        for start in range(0, size, 10_000):
            inner.write(content[start : start + 10_000])
    whole = file.getvalue()
    assert content == unsealed(io.BytesIO(whole), KEY, "it").read()
    at = data.draw(st.integers(len(MAGIC) + 1, len(whole) - 1))
    flipped = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
    for harmed in (whole[:at], flipped):
        with pytest.raises(InputError, match="damaged"):
            unsealed(io.BytesIO(harmed), KEY, "it").read()


def test_a_key_is_long_enough(tmp_path: Path) -> None:
    """A key file that is short or missing is one line that says how to make one."""
    (tmp_path / "key").write_text("secret\n")
    with pytest.raises(InputError, match="openssl rand"):
        read_key(tmp_path / "key")
    with pytest.raises(InputError, match="No such file"):
        read_key(tmp_path / "none")


def test_half_a_restore_is_never_used(other: GraphStore, tmp_path: Path, monkeypatch: Any) -> None:
    """A restore that is stopped leaves a store that is refused, also by another file, until the same is done again."""
    with open_embedded(tmp_path / "store") as source:
        migrate(source)
        fill(source)
        dump(source, tmp_path / "a.jsonl.gz")
        dump(source, tmp_path / "b.jsonl.gz", key=KEY)
        drop_graph(source, WORLD)
        dump(source, tmp_path / "c.jsonl.gz")
    monkeypatch.setattr(transfer, "_BATCH", 3)
    steps = count(1)

    def stopped(*given: Any) -> Any:
        if next(steps) == 4:
            raise KeyboardInterrupt
        return type(other).write(other, *given)

    with monkeypatch.context() as patch:
        patch.setattr(other, "write", stopped)
        with pytest.raises(KeyboardInterrupt):
            restore(other, tmp_path / "a.jsonl.gz")
    assert counts(other)
    with pytest.raises(StoreError, match=r"the restore of a\.jsonl\.gz .* was stopped; run the same command again"):
        refuse_unfinished(other)
    assert [] == pending(other)
    with pytest.raises((StoreError, UsageError)):
        restore(other, tmp_path / "c.jsonl.gz")
    restore(other, tmp_path / "a.jsonl.gz")
    refuse_unfinished(other)
    with open_embedded(tmp_path / "third") as third:
        migrate(third)
        restore(third, tmp_path / "b.jsonl.gz", key=KEY)
        assert list(records(third)) == list(records(other))


def test_a_backup_is_of_one_moment(neo4j_store: BoltStore, tmp_path: Path, monkeypatch: Any) -> None:
    """Where the store is written while it is read, all is read anew; one that is never still is not half backed up."""
    fill(neo4j_store)
    path, pages, left = tmp_path / "a.jsonl.gz", transfer.pages, [1]

    def busy(store: GraphStore, label: str) -> Any:
        if label == "Claim" and left[0]:
            left[0] -= 1
            store.write(*document_steps([Document(f"d1:{left[0]}", "Late.", created_at=datetime.now(UTC))]))
        return pages(store, label)

    monkeypatch.setattr(transfer, "pages", busy)
    written = dump(neo4j_store, path, moment=neo4j_store.moment)
    assert sum(counts(neo4j_store).values()) == written["nodes"]
    left[0], before = 99, path.read_bytes()
    with pytest.raises(StoreConflict, match="stop the workers"):
        dump(neo4j_store, path, moment=neo4j_store.moment)
    assert before == path.read_bytes()


def test_a_dump_that_fails_leaves_the_old_file(embedded: GraphStore, tmp_path: Path, monkeypatch: Any) -> None:
    """A dump that breaks off leaves the file of before and nothing beside it."""
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(b"the one of before")
    fill(embedded)
    monkeypatch.setitem(NODES, "Verdict", "no_such_query")
    with pytest.raises(KeyError):
        dump(embedded, path)
    assert [path] == list(tmp_path.glob("*a.jsonl*")) + list(tmp_path.glob(".a*"))
    assert b"the one of before" == path.read_bytes()


def test_unknown_labels_are_no_gap(embedded: GraphStore, tmp_path: Path, monkeypatch: Any) -> None:
    """A store with nodes of a kind that dumps do not know is refused, rather than saved without them."""
    fill(embedded)
    monkeypatch.delitem(NODES, "Verdict")
    with pytest.raises(StoreError, match="Verdict"):
        dump(embedded, tmp_path / "a.jsonl.gz")


def _written(pattern: str) -> set[tuple[str, str]]:
    """(label or type, property) of all that queries which put or set something assign."""
    found: set[tuple[str, str]] = set()
    for name in cypher.names():
        text = cypher.load(name)
        kinds = dict(re.findall(pattern, text))
        found |= {
            (kinds[v], p) for v, p in re.findall(r"\b(\w+)\.(\w+) = (?!null)", text) if v in kinds and "SET" in text
        }
    return found


def test_every_property_that_is_written_is_dumped() -> None:
    """Each property that some query sets on a node or relationship is a column of the dump of its kind."""
    for label, name in _written(r"MERGE \((\w+):(\w+)"):
        assert label in ("Migration", "Turn") or f".{name} AS {name}" in cypher.load(NODES[label]), (label, name)
    edges = "".join(cypher.load(query) for query in EDGES.values())
    for kind, name in _written(r"MERGE \(\w+\)-\[(\w+):(\w+)"):
        assert f".{name} AS {name}" in edges, (kind, name)


def test_every_kind_of_relationship_can_be_loaded() -> None:
    """Each relationship that some query merges has its branch in load_relationships, and what version 0.1.0 had."""
    texts = [cypher.load(name) for name in cypher.names() if name.startswith("put_")]
    types = {kind for text in texts for kind in re.findall(r"MERGE \(\w+\)-\[\w*:(\w+)", text)}
    assert types | {"FOR", "STEP_OF"} == set(re.findall(r"'\w+ (\w+) \w+'", cypher.load("load_relationships")))
    assert set(NODES) | {"Signal", "Task"} == set(re.findall(r"row.label = '(\w+)'", cypher.load("load_nodes")))
