"""Copy an embedded store consistently while another process may be writing it.

kglite's read-only open sees the last checkpoint only. A copy of file and log opened like a store of one's own sees
every committed write. Between the two copies a checkpoint may fold the log into the file, so the copy counts only if
the file is the same before and after and the copied log is whole; else it is made again. Asking the writer for a backup
was rejected: it may be another program, and busy.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from claimgraph.kgstore.engines.wal import inspect
from claimgraph.kgstore.errors import StoreDamaged, StoreError

FILE = "graph.kgl"
LOG = "graph.kgl-wal"
_ATTEMPTS = 50


def copy_store(folder: Path, target: Path) -> Path:
    """Copy the store in `folder`, if there is one, into the empty folder `target`; return the path of the copied file.

    Raises StoreDamaged where the log is, and StoreError where a busy writer gave no moment to copy in.
    """
    for _ in range(_ATTEMPTS):
        before = _file_state(folder)
        _copy(folder / FILE, target / FILE)
        _copy(folder / LOG, target / LOG)
        log = inspect(target / LOG)
        if _file_state(folder) == before and log.damaged_at is None:
            if log.end:
                os.truncate(target / LOG, log.end)
            return target / FILE
        time.sleep(0.02)
    check_files(folder)
    raise StoreError(f"{folder} is written too busily to copy; try again")


def check_files(folder: Path) -> None:
    """Raise StoreDamaged, with the way out, where the log is altered or the file it continues is gone."""
    log = inspect(folder / LOG)
    if log.damaged_at is not None:
        raise StoreDamaged(
            f"{folder / LOG} is altered at byte {log.damaged_at}: {log.frames} writes before that are whole, what"
            f" follows is not; {way_out(folder)}, or delete that file to go on from the last checkpoint"
        )
    if log.frames and log.first != 1 and not (folder / FILE).exists():
        raise StoreDamaged(f"{folder / FILE} is missing, though its log is there; {way_out(folder)}")


def way_out(folder: Path) -> str:
    """Return the advice for a damaged store."""
    return f"move {folder} aside and run `claimgraph restore FILE` with a backup"


def _file_state(folder: Path) -> tuple[int, int, int] | None:
    try:
        state = (folder / FILE).stat()
    except FileNotFoundError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def _copy(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    if source.exists():
        shutil.copyfile(source, target)
