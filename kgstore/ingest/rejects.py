"""Write the file of unusable lines, for a person to correct and load again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.kgstore.ingest.lines import Broken


class Rejects:
    """Rejected lines as TSV: file, line number, reason, and the line itself last, so that it may hold tabs.

    The file is made with the first rejected line. `first` describes it in words. A context manager.
    """

    def __init__(self, path: Path, read: Sequence[Path]) -> None:
        """Raises UsageError where `path` is one of the files that are read."""
        if any(path.exists() and path.samefile(file) for file in read if file.exists()):
            raise UsageError(f"{path} is read, so rejected lines cannot be written to it; name another file")
        self.path = path
        self.count = 0
        self.first: str | None = None
        self._file: TextIO | None = None

    def add(self, source: Path, item: Broken) -> None:
        """Write one line. Raises InputError where the file cannot be written."""
        try:
            if self._file is None:
                self._file = self.path.open("w", encoding="utf-8", errors="backslashreplace")
                self._file.write("file\tline\treason\ttext\n")
            reason = " ".join(item.reason.split())
            self._file.write(f"{source.name}\t{item.line}\t{reason}\t{item.text}\n")
        except OSError as error:
            raise InputError(
                f"cannot write {self.path}: {error.strerror}; name another file with --rejected"
            ) from error
        self.count += 1
        self.first = self.first or f"{source.name} line {item.line}: {reason}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()
