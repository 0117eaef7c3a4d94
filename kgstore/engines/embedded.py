"""The embedded engine: kglite in this process, for one person on one machine.

The whole graph is in memory; every `write` is one transaction and one flushed frame of the log, so it holds all or
nothing and survives a kill -9 at any point. kglite's transactions share structure with the graph instead of copying
it: on 200,000 facts one takes 0.3 ms plus the flush. A second process is refused while one writes (shared.py lets
it ask the first); it can read a snapshot (`read_only`). Files: `graph.kgl`, its log `graph.kgl-wal`, and
`graph.kgl.lock` with `.lock-owner`.
"""

from __future__ import annotations

import ctypes
import os
import threading
import warnings
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from claimgraph import cypher
from claimgraph.kgstore.engines.snapshot import FILE, PrivateCopy, check_files, way_out
from claimgraph.kgstore.errors import InputError, StoreConflict, StoreDamaged, StoreError, StoreLocked, UsageError
from claimgraph.kgstore.store import DEFAULT_LIMITS, QueryLimits, Row, Step, StoreInfo, Table, batches

if TYPE_CHECKING:
    import kglite


def open_embedded(folder: Path, *, read_only: bool = False) -> EmbeddedStore:
    """Open the store in `folder`, making it where there is none.

    `read_only` opens a copy of what is committed now, which is removed on close, and is never refused because of a
    writer. Raises StoreLocked with the writer's pid, StoreDamaged with the way out, StoreError where the folder
    cannot be used.
    """
    with _border(folder):
        if not read_only:
            folder.mkdir(parents=True, exist_ok=True)
            return EmbeddedStore(folder, _open(folder))
        copy = PrivateCopy(folder)
        try:
            return EmbeddedStore(folder, _open(copy.folder, "normal"), copy=copy)
        except BaseException:
            copy.remove()
            raise


class EmbeddedStore:
    """A GraphStore on kglite. Threads may share it: writes take turns, reads see the last committed write."""

    def __init__(self, folder: Path, session: kglite.Session, copy: PrivateCopy | None = None) -> None:
        self._folder = folder
        self._session = session
        self._copy = copy
        self._pid = os.getpid()
        self._closed = False
        self._writing = threading.Lock()
        _keep_over_forks(self)

    def info(self) -> StoreInfo:
        """Return the engine, its version and the folder."""
        import kglite

        return StoreInfo("embedded", kglite.__version__, str(self._folder), alone=True)

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Return rows of the named read query. A full-text index found stale is brought up to date first."""
        with self._use():
            view = self._session.cypher(cypher.load(name), params=params, timeout_ms=0)
            if any("is stale" in warning for warning in view.warnings):
                self._refresh()
                view = self._session.cypher(cypher.load(name), params=params, timeout_ms=0)
            return [{key: _utc(value) for key, value in row.items()} for row in view.to_list()]

    def write(self, *steps: Step) -> list[Row]:
        """Run the steps in one transaction, whose memory grows with its rows: about 1 KB a fact until it ends."""
        self._refuse_if_read_only()
        rows: list[Row] = []
        with self._use(), self._writing, self._session.begin() as transaction:
            for name, members in steps:
                rows = []
                for batch in batches(members):
                    view = transaction.cypher(cypher.load(name), params={"rows": batch}, timeout_ms=0)
                    rows += view.to_list()
        return [{key: _utc(value) for key, value in row.items()} for row in rows]

    def schema(self, statement: str) -> None:
        """Run one schema statement."""
        self._refuse_if_read_only()
        with self._use(), self._writing:
            self._session.execute(statement)

    def settle(self) -> None:
        """Bring the full-text index up to date: kglite leaves out what more than 1,000 writes added or changed."""
        with self._use():
            self._refresh()

    def query(self, text: str, params: Mapping[str, Any], limits: QueryLimits = DEFAULT_LIMITS) -> Table:
        """Run a user's Cypher in a process of its own on a copy, since kglite's limits do not stop every query."""
        from claimgraph.kgstore.query.guard import admit
        from claimgraph.kgstore.query.sandbox import run_sandboxed

        statement = admit(text)
        with self._use(), PrivateCopy(self._copy.folder if self._copy else self._folder) as copy:
            return run_sandboxed(copy.path, statement, params, limits)

    def close(self) -> None:
        """Fold the log into the file and let the next writer in; in a forked child this does nothing."""
        if self._closed or os.getpid() != self._pid:
            return
        with self._writing, _border(self._folder):
            self._session.close()
            self._closed = True
        if self._copy:
            self._copy.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if not self._closed and os.getpid() == self._pid:
            warnings.warn(f"{self._folder} was not closed", ResourceWarning, stacklevel=2, source=self)

    @contextmanager
    def _use(self) -> Iterator[None]:
        if os.getpid() != self._pid:
            raise StoreError(f"{self._folder} was opened by process {self._pid}; open it again after a fork")
        if self._closed:
            raise StoreError(f"{self._folder} is closed")
        with _border(self._folder):
            yield

    def _refuse_if_read_only(self) -> None:
        if self._copy:
            raise UsageError(f"{self._folder} was opened read-only")

    def _refresh(self) -> None:
        with self._writing:
            for index in self._session.cypher("CALL db.text_index.list()").to_list():
                wanted = {"kind": index["type"], "column": index["text_column"]}
                self._session.execute("CALL db.text_index.refresh({type: $kind, text_column: $column})", params=wanted)


_OPEN: weakref.WeakSet[EmbeddedStore] = weakref.WeakSet()


@cache
def _register() -> None:
    os.register_at_fork(after_in_child=_abandon)


def _keep_over_forks(store: EmbeddedStore) -> None:
    """Ensure that a forked child never frees the store: kglite would then take the lock away from this process."""
    _register()
    _OPEN.add(store)


def _abandon() -> None:
    for store in _OPEN:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(store._session))


def _open(folder: Path, durable: str = "full") -> kglite.Session:
    import kglite

    kglite.set_query_warning_policy("silent")
    check_files(folder)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        session = kglite.open_session(str(folder / FILE), durable=durable)  # type: ignore[arg-type]
    if any("held damage" in str(warning.message) for warning in said):
        raise StoreDamaged(f"the log of {folder} is altered; {way_out(folder)}")
    return session


@contextmanager
def _border(folder: Path) -> Iterator[None]:
    """Translate the errors of kglite and the file system."""
    import kglite

    try:
        yield
    except kglite.WriterLeaseHeldError as error:
        pid = os.getpid() if error.holder.get("self") else error.holder.get("pid")
        holder = "this process" if error.holder.get("self") else f"process {pid}" if pid else "another process"
        raise StoreLocked(f"{folder} is open for writing in {holder}; close it there first", pid) from None
    except (kglite.TransactionConflictError, kglite.ConstraintViolationError) as error:
        raise StoreConflict(f"two writers met in {folder}; try again") from error
    except kglite.FileFormatError as error:
        raise StoreDamaged(f"{_line(error)}; {way_out(folder)}") from error
    except (UnicodeEncodeError, TypeError) as error:
        if isinstance(error, TypeError) and "type 'str'" not in str(error):
            raise
        raise InputError("not Unicode text: half a surrogate pair") from error
    except (kglite.KgError, OSError) as error:
        raise StoreError(f"{folder}: {_line(error)}") from error


def _line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


_TIMELESS = frozenset({str, int, float, bool, type(None)})


def _utc(value: Any) -> Any:
    """Return the value with its times, also within lists, in UTC."""
    if isinstance(value, list):
        return value if _TIMELESS.issuperset(map(type, value)) else [_utc(item) for item in value]
    return value.astimezone(UTC) if isinstance(value, datetime) else value
