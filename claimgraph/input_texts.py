"""Read a text from an argument: the text itself, a file, or standard input. Bad input gets one clear line."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document

_MIB = 1024 * 1024


def read_argument(argument: str, max_mib: float) -> Document:
    """Return the document an argument means: `-` is standard input, an existing path is read, anything else is the
    text.

    Raises InputError for a word that looks like a path and is none, and for what read_file refuses.
    """
    if argument == "-":
        return _document(sys.stdin.buffer.read(int(max_mib * _MIB) + 1), "standard input", max_mib)
    if len(argument) < 4096 and "\0" not in argument and Path(argument).is_file():
        return read_file(Path(argument), max_mib)
    if _looks_like_path(argument):
        raise InputError(f"no file {argument!r}; to check a single word as text, give it on standard input with -")
    return document_from_text(argument, max_mib, "the text")


def document_from_text(text: str, max_mib: float, where: str) -> Document:
    """Return the document of a text given directly; `where` names it in errors."""
    return _document(text.encode("utf-8", "surrogatepass"), where, max_mib)


def read_file(path: Path, max_mib: float) -> Document:
    """Return the document in a UTF-8 file. Raises InputError: not readable, too large, binary, not UTF-8, or empty."""
    try:
        with path.open("rb") as file:
            data = file.read(int(max_mib * _MIB) + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    return _document(data, str(path), max_mib, name=path.name)


def _document(data: bytes, where: str, max_mib: float, name: str | None = None) -> Document:
    if len(data) > max_mib * _MIB:
        raise InputError(f"{where}: larger than {max_mib:g} MiB; split it, or raise CLAIMGRAPH_MAX_TEXT")
    if b"\0" in data[:8192]:
        raise InputError(f"{where}: a binary file, not a text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 (byte {error.start} is 0x{data[error.start]:02x})") from error
    if not text.strip():
        raise InputError(f"{where}: empty")
    return Document(document_id(text), text, name=name, source=None if name is None else where)


def _looks_like_path(argument: str) -> bool:
    if any(c.isspace() for c in argument):
        return False
    return "/" in argument or "\\" in argument or Path(argument).suffix[1:].isalnum()


def parse_since(text: str) -> datetime:
    """Return an aware UTC time from an ISO 8601 date or time; a date without a time is its midnight in UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{text!r} is no ISO 8601 date such as 2026-01-31 or 2026-01-31T12:00:00+00:00") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
