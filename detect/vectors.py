"""Vectors kept across runs: two append-only files a model, shared by all processes of a machine.

`vectors.f16` holds the rows, `keys` the first 16 bytes of each text's sha256, in the same order. Rows are written
before keys and a record counts once its key is whole, so a torn tail is recognised by the lengths and cut off by the
next writer. A graph database or SQLite was rejected: the rows are read as one memory-mapped matrix. Half precision
changes a cosine by less than 0.0005, a fifth of what the model's int8 weights change.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_KEY = 16


class VectorCache:
    """Unit vectors by key, in `folder`/<model> or, without a folder, in memory only.

    Needs no closing: files are open only while they are read or written. Writers of several processes wait for each
    other; readers never wait. Not thread-safe.
    """

    def __init__(self, folder: Path | None, model: str, dimension: int = 384) -> None:
        self._folder = folder and folder / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', model)}-{dimension}"
        self._dimension = dimension
        self._rows: dict[bytes, int] = {}
        self._matrix = np.zeros((0, dimension), np.float16)
        if self._folder:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._refresh()

    def __len__(self) -> int:
        return len(self._rows)

    def missing(self, keys: Sequence[bytes]) -> set[bytes]:
        """Those of the keys that no process has stored whole."""
        absent = {key for key in keys if key not in self._rows}
        if absent and self._folder:
            self._refresh()
            absent = {key for key in absent if key not in self._rows}
        return absent | self._damaged([key for key in keys if key not in absent])

    def get(self, keys: Sequence[bytes]) -> NDArray[np.float32]:
        """Rows for the keys, scaled to length 1, shape (len(keys), dimension). Raises KeyError for a missing one."""
        rows: NDArray[np.float32] = self._matrix[[self._rows[key] for key in keys]].astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    def put(self, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        """Append distinct keys with their vectors, shape (len(keys), dimension)."""
        rows = vectors.astype(np.float16)
        if self._folder is None:
            self._index(keys)
            self._matrix = np.concatenate([self._matrix, rows])
            return
        with self._locked():
            self._cut_torn_tail()
            _append(self._folder / "vectors.f16", rows.tobytes())
            _append(self._folder / "keys", b"".join(keys))
        self._refresh()

    def _index(self, keys: Sequence[bytes]) -> None:
        """Keys of the next rows; where one is stored twice the later row holds."""
        start = len(self._matrix)
        self._rows.update((key, start + offset) for offset, key in enumerate(keys))

    def _damaged(self, keys: Sequence[bytes]) -> set[bytes]:
        """Keys whose row was never written through (a power cut): no unit vector."""
        distinct = sorted(set(keys))
        norms = np.linalg.norm(self._matrix[[self._rows[key] for key in distinct]].astype(np.float32), axis=1)
        return {key for key, norm in zip(distinct, norms, strict=True) if not abs(norm - 1) < 0.01}

    def _refresh(self) -> None:
        """Take in what was appended, by this process or another."""
        assert self._folder is not None
        size = min(self._records())
        known = len(self._matrix)
        if size > known:
            with (self._folder / "keys").open("rb") as file:
                file.seek(known * _KEY)
                block = file.read((size - known) * _KEY)
            self._index([block[i : i + _KEY] for i in range(0, len(block), _KEY)])
            shape = (size, self._dimension)
            self._matrix = np.memmap(self._folder / "vectors.f16", np.float16, "r", shape=shape)

    def _records(self) -> tuple[int, int]:
        """Whole records in the keys and in the vectors."""
        assert self._folder is not None
        keys, vectors = (_size(self._folder / name) for name in ("keys", "vectors.f16"))
        return keys // _KEY, vectors // (2 * self._dimension)

    def _cut_torn_tail(self) -> None:
        assert self._folder is not None
        size = min(self._records())
        for name, record in (("keys", _KEY), ("vectors.f16", 2 * self._dimension)):
            if _size(self._folder / name) > size * record:
                with (self._folder / name).open("r+b") as file:
                    file.truncate(size * record)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        assert self._folder is not None
        with (self._folder / "lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)
