"""Bring a damaged embedded store back to the last write that is whole.

Writes after an altered one may rest on it, so they are not applied; the altered log is kept beside the store for who
wants to look. A store whose main file is altered has nothing to go back to here: that is what backups are for.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.snapshot import LOG, inspect
from claimgraph.kgstore.errors import NotFound, StoreError, StoreLocked

_LOCK = "graph.kgl.lock"


@dataclass(frozen=True, slots=True)
class Salvage:
    """What a repair kept: whole writes of the log, and the altered bytes it left out, which lie in `aside`."""

    writes: int
    lost: int = 0
    aside: Path | None = None


def salvage(folder: Path) -> Salvage:
    """Cut the log of the store in `folder` before its first altered byte, and see that the store then opens.

    Changes nothing where nothing is altered. Raises NotFound for no store, StoreLocked while a process holds it, and
    StoreDamaged with the way out where the main file is what is damaged: nothing is changed then.
    """
    if not folder.is_dir():
        raise NotFound("store", str(folder))
    log = inspect(folder / LOG)
    if log.damaged_at is None:
        open_embedded(folder, read_only=True).close()
        return Salvage(log.frames)
    try:
        with (folder / _LOCK).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            aside = _aside(folder)
            lost = (folder / LOG).stat().st_size - log.end
            shutil.copyfile(folder / LOG, aside)
            os.truncate(folder / LOG, log.end)
    except BlockingIOError:
        raise StoreLocked(f"{folder} is open in another process; close it there first") from None
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror or error}") from error
    try:
        open_embedded(folder, read_only=True).close()
    except StoreError:
        aside.replace(folder / LOG)
        raise
    return Salvage(log.frames, lost, aside)


def _aside(folder: Path) -> Path:
    """Return a name beside the log that is free."""
    names = (folder / f"{LOG}.damaged{f'-{number}' if number else ''}" for number in range(10_000))
    return next(name for name in names if not name.exists())
