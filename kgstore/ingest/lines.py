"""Read numbered lines of a plain, gzip or bzip2 file, in bounded memory.

Compression is detected by the first bytes, not by the name, so a misnamed file is still read. A line that is not UTF-8
or longer than MAX_LINE becomes a Broken line: one bad byte in a dump of billions of lines must not end the reading. An
unreadable file (binary data, a truncated or damaged archive) raises InputError.
"""

from __future__ import annotations

import bz2
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

from claimgraph.kgstore.errors import InputError

MAX_LINE = 4 * 1024 * 1024
"""Longest line read, in bytes."""

_UNREADABLE = (OSError, EOFError, zlib.error)
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Broken:
    """An unusable line: its number (1-based), the reason, and the line itself cut to 1,000 characters."""

    line: int
    reason: str
    text: str


class SourceFile:
    """A file opened for reading its decompressed bytes; `position` and `size` are bytes of the file on disk.

    A context manager, and a readable binary stream for parsers that take one. Raises InputError where the file is
    missing, a folder, empty, binary, or where its compression breaks off.
    """

    def __init__(self, path: Path, file: io.BufferedReader | None = None) -> None:
        """`file` is one that is open already; `path` is then only its name in errors."""
        self.path = path
        try:
            self._file = file or path.open("rb")
        except OSError as error:
            raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
        self.size = os.fstat(self._file.fileno()).st_size
        self._stream = self._decompressed()

    @property
    def position(self) -> int:
        """Bytes of the file read so far, at most `size`."""
        return self._file.tell()

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` decompressed bytes, empty at the end."""
        try:
            return self._stream.read(size)
        except _UNREADABLE as error:
            raise _line_about(self.path, error) from error

    def numbered(self) -> Iterator[tuple[int, str] | Broken]:
        """Yield (number, text without its line end) for every line that is not blank, or a Broken one."""
        number = 0
        while data := self._line():
            number += 1
            if len(data) > MAX_LINE:
                self._skip_rest(data)
                yield broken(number, f"line longer than {MAX_LINE // 1024**2} MiB", data[:1000])
                continue
            try:
                text = data.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                yield broken(number, f"not UTF-8 at byte {error.start + 1}", data)
                continue
            if text and not text.isspace():
                yield number, text

    def close(self) -> None:
        """Close the file; twice is fine."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _line(self) -> bytes:
        try:
            return self._stream.readline(MAX_LINE + 1)
        except _UNREADABLE as error:
            raise _line_about(self.path, error) from error

    def _skip_rest(self, data: bytes) -> None:
        while data and not data.endswith(b"\n"):
            data = self._line()

    def _decompressed(self) -> BinaryIO:
        stream: BinaryIO = self._file
        magic = self._file.peek(4)[:4]
        if magic.startswith(b"\x1f\x8b"):
            stream = cast(BinaryIO, gzip.GzipFile(fileobj=self._file))
        elif magic.startswith(b"BZh"):
            stream = cast(BinaryIO, bz2.BZ2File(self._file))
        try:
            return self._checked(stream)
        except InputError:
            self.close()
            raise

    def _checked(self, stream: BinaryIO) -> BinaryIO:
        buffered = io.BufferedReader(cast(io.RawIOBase, stream), 1 << 16)
        try:
            start = buffered.peek(8192)[:8192]
        except _UNREADABLE as error:
            raise _line_about(self.path, error) from error
        if not start.strip():
            raise InputError(f"{self.path} is empty")
        if b"\0" in start:
            raise InputError(f"{self.path} is a binary file: give triples as text in UTF-8, plain or as .gz or .bz2")
        if start.startswith(_BOM):
            buffered.read(len(_BOM))
        return cast(BinaryIO, buffered)


def _line_about(path: Path, error: Exception) -> InputError:
    if isinstance(error, EOFError):
        return InputError(f"{path} breaks off: the compressed file is cut short")
    return InputError(f"{path} cannot be read on: {error}")


def broken(number: int, reason: str, text: str | bytes) -> Broken:
    """Return a Broken line whose text is cut to 1,000 characters and holds no line ends."""
    shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return Broken(number, reason, " ".join(shown[:1000].splitlines()))
