"""The embedded engine as files and processes: locked, read beside a writer, killed, damaged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from claimgraph.kgstore import records
from claimgraph.kgstore.engines.embedded import EmbeddedStore, open_embedded
from claimgraph.kgstore.engines.migrations import migrate, pending
from claimgraph.kgstore.engines.salvage import salvage
from claimgraph.kgstore.engines.snapshot import remove_left_copies
from claimgraph.kgstore.errors import NotFound, StoreDamaged, StoreError, StoreLocked, UsageError
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.reads import load_document

WRITER = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from claimgraph.kgstore import records
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.model import Document

store = open_embedded(Path(sys.argv[1]))
migrate(store)
for number in range(int(sys.argv[2])):
    store.write(*records.document_steps([Document(f"d{number}", "x" * 500, created_at=datetime.now(UTC))]))
    print(number, flush=True)
print("done", flush=True)
sys.stdin.read()
"""
"""Writes documents d0, d1, ..., says each number once it is committed, and keeps the store open."""
_LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
"""
"""Has no file grow beyond 50 kB, as on a full disk."""


@contextmanager
def _writer(folder: Path, documents: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", WRITER, str(folder), str(documents)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _lines_until(process: subprocess.Popen[str], last: str) -> list[str]:
    assert process.stdout
    lines = []
    for line in process.stdout:
        lines.append(line.strip())
        if line.strip() == last:
            return lines
    raise AssertionError(f"the writer ended after {lines[-1:]}")


def _documents(store: EmbeddedStore) -> int:
    count = store.query("MATCH (d:Document) RETURN count(d) AS n", {}).rows[0][0]
    assert isinstance(count, int)
    return count


def _filled(folder: Path, documents: int) -> Path:
    """A store whose log holds all writes, as after a kill; the path of the log."""
    with _writer(folder, documents) as process:
        _lines_until(process, "done")
    return folder / "graph.kgl-wal"


def test_a_second_writer_is_refused_with_the_holders_pid(tmp_path: Path) -> None:
    """StoreLocked in one line that names the process; after its death the store opens."""
    with _writer(tmp_path, 1) as process:
        _lines_until(process, "done")
        with pytest.raises(StoreLocked, match=f"process {process.pid}") as refused:
            open_embedded(tmp_path)
        assert 1 == len(str(refused.value).splitlines())
    with open_embedded(tmp_path) as store:
        assert 1 == _documents(store)
        with pytest.raises(StoreLocked, match="this process"):
            open_embedded(tmp_path)


def test_a_reader_beside_a_busy_writer_sees_every_committed_write(tmp_path: Path) -> None:
    """Each snapshot holds at least what was acknowledged before it was opened, and is removed when closed."""
    with _writer(tmp_path, 2_000) as process:
        for last in ("0", "100", "500"):
            _lines_until(process, last)
            with open_embedded(tmp_path, read_only=True) as store:
                assert store._copy is not None
                copy = store._copy.folder
                assert copy.exists()
                assert [] == pending(store)
                assert _documents(store) > int(last)
                with pytest.raises(UsageError, match="read-only"):
                    store.write()
            assert not copy.exists()


def test_reading_no_store_finds_nothing(tmp_path: Path) -> None:
    """A read-only open of a folder that is not there answers with nothing and makes nothing."""
    with open_embedded(tmp_path / "none", read_only=True) as store:
        assert [] == store.read("graphs")
    assert not (tmp_path / "none").exists()


def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    """After kill -9 in the middle of writing, every write that had returned is there."""
    with _writer(tmp_path, 100_000) as process:
        acknowledged = len(_lines_until(process, "300"))
        os.kill(process.pid, signal.SIGKILL)
        assert process.stdout
        acknowledged += sum(line.endswith("\n") for line in process.stdout)
    with open_embedded(tmp_path) as store:
        assert all(load_document(store, f"d{number}") for number in range(acknowledged))
        assert _documents(store) in (acknowledged, acknowledged + 1)


def test_a_log_cut_off_in_a_write_opens_with_the_writes_before(tmp_path: Path) -> None:
    """A torn last frame was never acknowledged: the store opens without it, writer and reader alike."""
    log = _filled(tmp_path, 5)
    os.truncate(log, log.stat().st_size - 3)
    for read_only in (True, False):
        with open_embedded(tmp_path, read_only=read_only) as store:
            assert 4 == _documents(store)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("place", ["length", "middle", "end", "magic"])
def test_a_damaged_log_is_an_error_with_the_way_out(tmp_path: Path, place: str, read_only: bool) -> None:
    """An altered byte anywhere in the log is StoreDamaged, which says how to go on, and changes no file."""
    log = _filled(tmp_path, 5)
    data = bytearray(log.read_bytes())
    data[{"magic": 2, "length": 5, "middle": len(data) // 2, "end": len(data) - 1}[place]] ^= 0x11
    log.write_bytes(data)
    with pytest.raises(StoreDamaged, match="claimgraph restore"):
        open_embedded(tmp_path, read_only=read_only)
    assert data == log.read_bytes()


@pytest.mark.parametrize("place", ["length", "middle", "end", "magic"])
def test_a_damaged_log_is_repaired_to_its_last_whole_write(tmp_path: Path, place: str) -> None:
    """The writes before the altered one are there again, the log as it was lies beside, and the store takes writes."""
    log = _filled(tmp_path, 5)
    data = bytearray(log.read_bytes())
    data[{"magic": 2, "length": 5, "middle": len(data) // 2, "end": len(data) - 1}[place]] ^= 0x11
    log.write_bytes(data)
    found = salvage(tmp_path)
    assert data == (found.aside or Path()).read_bytes()
    assert len(data) == found.lost + log.stat().st_size
    with open_embedded(tmp_path) as store:
        migrate(store)
        kept = _documents(store)
        assert kept == {"magic": 0, "length": 0, "end": 4}.get(place, kept) < 5
        store.write(*records.document_steps([Document("later", "x", created_at=datetime.now(UTC))]))
        assert kept + 1 == _documents(store)
    assert salvage(tmp_path).aside is None


def test_a_repair_changes_nothing_that_is_whole_or_held(tmp_path: Path) -> None:
    """A whole store, one that is open elsewhere, one whose main file is damaged, and none at all stay as they are."""
    with pytest.raises(NotFound):
        salvage(tmp_path / "none")
    with _writer(tmp_path, 3) as process:
        _lines_until(process, "done")
        log = tmp_path / "graph.kgl-wal"
        whole = log.read_bytes()
        assert (None, whole) == (salvage(tmp_path).aside, log.read_bytes())
        log.write_bytes(whole[:-1] + b"\0")
        with pytest.raises(StoreLocked):
            salvage(tmp_path)
        log.write_bytes(whole)
    with open_embedded(tmp_path):
        pass
    file = tmp_path / "graph.kgl"
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(StoreDamaged, match="claimgraph restore"):
        salvage(tmp_path)


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    """A write that the disk has no room for is a StoreError; what was written before is there, once there is room."""
    command = [sys.executable, "-c", _LIMITED + WRITER, str(tmp_path), "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        said, failed = process.communicate(timeout=120)
    assert 0 != process.returncode
    assert "StoreError" in failed.splitlines()[-1]
    acknowledged = len(said.splitlines())
    assert acknowledged > 10
    with open_embedded(tmp_path) as store:
        assert _documents(store) in (acknowledged, acknowledged + 1)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("damage", ["cut", "altered", "gone"])
def test_a_damaged_store_file_is_an_error_with_the_way_out(tmp_path: Path, damage: str, read_only: bool) -> None:
    """A half-written, altered or deleted file is StoreDamaged, even where its log is whole."""
    with open_embedded(tmp_path) as store:
        migrate(store)
        store.write(*records.document_steps([Document("d1", "x" * 5000, created_at=datetime.now(UTC))]))
    _filled(tmp_path, 3)
    file = tmp_path / "graph.kgl"
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] + (data[len(data) // 2 + 1 :] if damage == "altered" else b""))
    if damage == "gone":
        file.unlink()
    with pytest.raises(StoreDamaged, match="claimgraph restore"):
        open_embedded(tmp_path, read_only=read_only)


def test_two_processes_migrating_at_once(tmp_path: Path) -> None:
    """One migrates, the other is told who does; tried again it finds nothing to do."""
    with _writer(tmp_path, 0) as one, _writer(tmp_path, 0) as two:
        for process in (one, two):
            assert process.stdin
            process.stdin.close()
        codes = [process.wait() for process in (one, two)]
    assert 0 in codes
    with open_embedded(tmp_path) as store:
        assert [] == pending(store)


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    """A file where the folder should be is one line, no traceback."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        open_embedded(tmp_path / "file" / "store")


def test_a_closed_store_says_so(embedded: EmbeddedStore) -> None:
    """Use after close is one clear error."""
    embedded.close()
    with pytest.raises(StoreError, match="is closed"):
        embedded.read("graphs")


def test_leaving_it_open_warns(tmp_path: Path) -> None:
    """A store that is forgotten says that it was not closed."""
    store = open_embedded(tmp_path)
    with pytest.warns(ResourceWarning, match="was not closed"):
        store.__del__()
    store.close()


def test_a_dying_child_leaves_the_parent_its_lock(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """A forked child that ends in the ordinary way does not free the parent's store for others."""
    child = os.fork()
    if child == 0:
        embedded.__dict__.clear()
        os._exit(0)
    os.waitpid(child, 0)
    with _writer(tmp_path / "store", 0) as process:
        assert process.stdin
        process.stdin.close()
        assert 0 != process.wait()


def test_a_copy_in_use_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies that killed processes left go with the next one that is made; one whose reader lives stays until it
    closes.
    """
    (scratch := tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    with open_embedded(tmp_path / "store") as store:
        store.write(*records.document_steps([Document("d0", "x", created_at=datetime.now(UTC))]))
    code = "import os, sys; from pathlib import Path; from claimgraph.kgstore.engines.embedded import open_embedded"
    code += "; store = open_embedded(Path(sys.argv[1]), read_only=True); os.kill(os.getpid(), 9)"
    command = [sys.executable, "-c", code, str(tmp_path / "store")]
    subprocess.run(command, env=os.environ | {"TMPDIR": str(scratch)}, check=False)
    [left] = scratch.iterdir()
    with monkeypatch.context() as other:
        other.setattr(os, "getuid", lambda: -1)
        remove_left_copies()
    assert [left] == list(scratch.iterdir())
    with open_embedded(tmp_path / "store", read_only=True) as first:
        [kept] = scratch.iterdir()
        with open_embedded(tmp_path / "store", read_only=True) as second:
            assert {kept} < set(scratch.iterdir())
            assert load_document(first, "d0") == load_document(second, "d0")
        assert [kept] == list(scratch.iterdir()) != [left]
    assert [] == list(scratch.iterdir())
