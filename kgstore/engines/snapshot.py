"""Copy an embedded store consistently while another process may be writing it.

kglite's read-only open sees the last checkpoint only. A copy of file and log opened like a store of one's own sees
every committed write. Between the two copies a checkpoint may fold the log into the file, so the copy counts only if
the file is the same before and after and the copied log is whole; else it is made again. Asking the writer for a backup
was rejected: it may be another program, and busy.

The log is checked before kglite opens it. A process killed in mid-write leaves a truncated last frame: work never
acknowledged, which recovery rightly drops. Any other fault is committed work that was damaged. kglite opens both with a
warning, and takes some damage (a flipped length) for a truncated end, so the frames are walked here: five bytes of
magic, then frames of a length, a CRC-32 (both 32 bits, little-endian) and a payload that begins with the frame's number
as a varint.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
import tempfile
import time
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from claimgraph.kgstore.errors import StoreDamaged, StoreError

MAGIC = b"KWAL\r"
_HEADER = struct.Struct("<II")


@dataclass(frozen=True, slots=True)
class Log:
    """The content of a log: whole frames up to byte `end`, the number of the first one, and where damage begins
    if any.
    """

    frames: int
    first: int | None
    end: int
    damaged_at: int | None


def inspect(path: Path) -> Log:
    """Walk the log; a missing or empty one is whole."""
    data = path.read_bytes() if path.exists() else b""
    if not data:
        return Log(0, None, 0, None)
    if not data.startswith(MAGIC):
        return Log(0, None, 0, None if MAGIC.startswith(data) else 0)
    at, frames, first = len(MAGIC), 0, None
    while (after := _after(data, at)) is not None:
        first = _number(data, at) if frames == 0 else first
        at, frames = after, frames + 1
    return Log(frames, first, at, None if _cut_short(data, at) else at)


def _after(data: bytes, at: int) -> int | None:
    """Return the end of the whole frame at `at`, or None where there is none."""
    if at + _HEADER.size >= len(data):
        return None
    length, crc = _HEADER.unpack_from(data, at)
    start, end = at + _HEADER.size, at + _HEADER.size + length
    whole = length > 0 and end <= len(data) and zlib.crc32(memoryview(data)[start:end]) == crc
    return end if whole else None


def _number(data: bytes, at: int) -> int:
    number = shift = 0
    for byte in data[at + _HEADER.size : at + _HEADER.size + 10]:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return number


def _cut_short(data: bytes, at: int) -> bool:
    """Return whether the rest after the last whole frame is nothing, zeros, or a frame that a dying process began.

    A frame of full length with a wrong sum was altered, and so was a length that hides whole frames behind it, or that
    does not fit a payload whose sum is right.
    """
    rest = memoryview(data)[at:]
    if len(rest) < _HEADER.size or not any(rest):
        return True
    length, crc = _HEADER.unpack_from(rest)
    payload = rest[_HEADER.size :]
    if length <= len(payload) or (payload and zlib.crc32(payload) == crc):
        return False
    return not any(_plausible(data, later) for later in range(at + 1, len(data)))


def _plausible(data: bytes, at: int) -> bool:
    return at + _HEADER.size < len(data) and data[at + 3] == 0 and _after(data, at) is not None


FILE = "graph.kgl"
LOG = "graph.kgl-wal"
_ATTEMPTS = 50
_PREFIX = "claimgraph-copy-"
_IN_USE = "in-use"


class PrivateCopy:
    """A copy of the store in `source`, in a temporary folder of its own, locked as long as this process lives."""

    def __init__(self, source: Path) -> None:
        """Raises what copy_store raises. Copies of processes that are gone are removed."""
        remove_left_copies()
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._lock = (self.folder / _IN_USE).open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            self.path = copy_store(source, self.folder)
        except BaseException:
            self.remove()
            raise

    def remove(self) -> None:
        """Remove the copy. Calling it twice is fine."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.close()

    def __enter__(self) -> PrivateCopy:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def remove_left_copies() -> None:
    """Remove the copies that killed processes left, whose texts nobody else would ever remove; another user's stay."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            ours = folder.lstat().st_uid == os.getuid()
            if ours and any((folder / name).exists() for name in (FILE, LOG)):
                with (folder / _IN_USE).open("r+") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)


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
            f" follows is not; `claimgraph repair` goes back to these, or {way_out(folder)}"
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
