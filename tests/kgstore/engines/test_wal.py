"""The log's damage is told from its ordinary cut-off end."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.engines.snapshot import MAGIC, Log, inspect

many = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _frame(number: int, payload: bytes) -> bytes:
    body = bytes([number]) + payload
    return len(body).to_bytes(4, "little") + zlib.crc32(body).to_bytes(4, "little") + body


FRAMES = [_frame(number, b"payload %d" % number * number) for number in range(1, 6)]
WHOLE = MAGIC + b"".join(FRAMES)


def _inspect(folder: Path, data: bytes) -> Log:
    path = folder / "log"
    path.write_bytes(data)
    return inspect(path)


def test_a_whole_log(tmp_path: Path) -> None:
    """All frames are counted, from the first one's number to the file's end; a missing or empty log is whole."""
    assert Log(5, 1, len(WHOLE), None) == _inspect(tmp_path, WHOLE)
    assert Log(0, None, 0, None) == _inspect(tmp_path, b"") == inspect(tmp_path / "missing")


@pytest.mark.parametrize("keep", range(len(WHOLE)))
def test_a_log_cut_anywhere_is_whole_up_to_the_cut(tmp_path: Path, keep: int) -> None:
    """What a killed process leaves is never damage, and no frame before the cut is lost."""
    log = _inspect(tmp_path, WHOLE[:keep])
    ends = [len(MAGIC) + len(b"".join(FRAMES[:n])) for n in range(6)]
    assert (None, sum(end <= keep for end in ends[1:])) == (log.damaged_at, log.frames)


@many
@given(at=st.integers(0, len(WHOLE) - 1), change=st.integers(1, 255))
def test_any_altered_byte_is_damage(tmp_path: Path, at: int, change: int) -> None:
    """A byte changed anywhere is found, in a length, a sum, a payload or the magic."""
    data = bytearray(WHOLE)
    data[at] ^= change
    assert _inspect(tmp_path, bytes(data)).damaged_at is not None


def test_zeros_at_the_end_are_a_cut(tmp_path: Path) -> None:
    """A file system that lengthened the file before the power went leaves zeros, which were no frame."""
    assert Log(5, 1, len(WHOLE), None) == _inspect(tmp_path, WHOLE + bytes(100))
