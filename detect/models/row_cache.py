"""Cache vectors of sentences and scores of entailment across runs: evidence is read repeatedly, and models are slow.

Both are rows of numbers in two append-only files a model, shared by all processes of a machine. One file holds the
rows, `keys` the first 16 bytes of the sha256 of what each was computed from, in the same order. Rows are written before
keys and a record counts once its key is whole, so a torn tail is recognised by the lengths and cut off by the next
writer. A graph database or SQLite was rejected: the rows are read as one memory-mapped matrix. Vectors are kept in half
precision: it changes a cosine by less than 0.0005, a fifth of what the model's int8 weights change.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore import metric_hooks
from claimgraph.kgstore.model import EntailmentModel

_KEY = 16


class RowCache:
    """Rows by key, in `folder`/<model>-<width> or, without a folder, in memory only.

    Needs no closing: files are open only while they are read or written. Writers of several processes wait for each
    other; readers never wait. Not thread-safe.
    """

    def __init__(
        self,
        folder: Path | None,
        model: str,
        width: int,
        *,
        file: str,
        dtype: type[np.floating[Any]],
        whole: Callable[[NDArray[np.float32]], NDArray[np.bool_]],
    ) -> None:
        """`file` is the rows' file name; `whole` returns for each of many rows whether it is valid."""
        self._folder = folder and folder / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', model)}-{width}"
        self._file, self._whole = file, whole
        self._bytes = width * np.dtype(dtype).itemsize
        self._rows: dict[bytes, int] = {}
        self._matrix: NDArray[np.floating[Any]] = np.zeros((0, width), dtype)
        if self._folder:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._refresh()

    def __len__(self) -> int:
        return len(self._rows)

    def missing(self, keys: Sequence[bytes]) -> set[bytes]:
        """Return those of the keys that no process has stored completely."""
        absent = {key for key in keys if key not in self._rows}
        if absent and self._folder:
            self._refresh()
            absent = {key for key in keys if key not in self._rows}
        return absent | self._damaged([key for key in keys if key not in absent])

    def get(self, keys: Sequence[bytes]) -> NDArray[np.float32]:
        """Return rows for the keys, shape (len(keys), width). Raises KeyError for a missing one."""
        return self._matrix[[self._rows[key] for key in keys]].astype(np.float32)

    def put(self, keys: Sequence[bytes], values: NDArray[np.float32]) -> None:
        """Append distinct keys with their rows, shape (len(keys), width)."""
        rows = values.astype(self._matrix.dtype)
        if self._folder is None:
            self._index(keys)
            self._matrix = np.concatenate([self._matrix, rows])
            return
        with self._locked():
            self._cut_torn_tail()
            _append(self._folder / self._file, rows.tobytes())
            _append(self._folder / "keys", b"".join(keys))
        self._refresh()

    def _index(self, keys: Sequence[bytes]) -> None:
        """Index the keys of the next rows; where one is stored twice the later row holds."""
        start = len(self._matrix)
        self._rows.update((key, start + offset) for offset, key in enumerate(keys))

    def _damaged(self, keys: Sequence[bytes]) -> set[bytes]:
        """Return keys whose row was never written through (a power cut)."""
        distinct = sorted(set(keys))
        return {
            key for key, whole in zip(distinct, self._whole(RowCache.get(self, distinct)), strict=True) if not whole
        }

    def _refresh(self) -> None:
        """Index rows that were appended, by this process or another; all anew where the files were removed."""
        assert self._folder is not None
        size = min(self._records())
        if size < len(self._matrix):
            self._rows.clear()
            self._matrix = self._matrix[:0]
        known = len(self._matrix)
        if size > known:
            with (self._folder / "keys").open("rb") as file:
                file.seek(known * _KEY)
                block = file.read((size - known) * _KEY)
            self._index([block[i : i + _KEY] for i in range(0, len(block), _KEY)])
            shape = (size, self._matrix.shape[1])
            self._matrix = np.memmap(self._folder / self._file, self._matrix.dtype, "r", shape=shape)

    def _records(self) -> tuple[int, int]:
        """Return the number of whole records in the keys and in the rows."""
        assert self._folder is not None
        return _size(self._folder / "keys") // _KEY, _size(self._folder / self._file) // self._bytes

    def _cut_torn_tail(self) -> None:
        assert self._folder is not None
        size = min(self._records())
        for name, record in (("keys", _KEY), (self._file, self._bytes)):
            if _size(self._folder / name) > size * record:
                with (self._folder / name).open("r+b") as file:
                    file.truncate(size * record)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        assert self._folder is not None
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


class VectorCache(RowCache):
    """Unit vectors by key. A row that is no unit vector counts as missing."""

    def __init__(self, folder: Path | None, model: str, dimension: int = 384) -> None:
        super().__init__(folder, model, dimension, file="vectors.f16", dtype=np.float16, whole=_unit)

    def get(self, keys: Sequence[bytes]) -> NDArray[np.float32]:
        """Return rows for the keys, scaled to length 1, shape (len(keys), dimension). Raises KeyError for a missing
        one.
        """
        rows = super().get(keys)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


def _unit(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    whole: NDArray[np.bool_] = np.abs(np.linalg.norm(rows, axis=1) - 1) < 0.01
    return whole


_BLOCK = 256
"""Pairs computed before they are stored: the most that a killed run loses."""


class ScoreCache(RowCache):
    """P(entailment), P(neutral), P(contradiction) by key, as the model gave them, nan included."""

    def __init__(self, folder: Path | None, model: str) -> None:
        super().__init__(folder, model, 3, file="scores.f32", dtype=np.float32, whole=_probable)


class CachedEntailment:
    """A model that computes each distinct pair once, now and in later runs. Implements EntailmentModel.

    Thread-safe: calls wait for each other.
    """

    def __init__(self, model: EntailmentModel, cache: ScoreCache) -> None:
        self.model = model.model
        self._entailment = model
        self._cache = cache
        self._lock = threading.Lock()

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return scores of shape (len(pairs), 3), from the cache where it has them."""
        keys = [_key(*pair) for pair in pairs]
        with self._lock:
            missing = self._cache.missing(keys)
            metric_hooks.looked_up("scores", len(set(keys)) - len(missing), len(missing))
            wanted = [item for item in dict(zip(keys, pairs, strict=True)).items() if item[0] in missing]
            for start in range(0, len(wanted), _BLOCK):
                block = wanted[start : start + _BLOCK]
                metric_hooks.computed("entailment", len(block))
                self._cache.put([key for key, _ in block], self._entailment.entail([pair for _, pair in block]))
            return self._cache.get(keys)


def _key(premise: str, hypothesis: str) -> bytes:
    """Return the hash of a pair; the length separates premise and hypothesis."""
    return hashlib.sha256(f"{len(premise)} {premise}{hypothesis}".encode("utf-8", "surrogatepass")).digest()[:16]


def _probable(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask of valid rows, which sum to 1, or are one probability and nan twice; zeros were never written
    through.
    """
    whole: NDArray[np.bool_] = np.where(np.isnan(rows[:, 1]), rows[:, 0] >= 0, np.abs(rows.sum(axis=1) - 1) < 0.01)
    return whole
