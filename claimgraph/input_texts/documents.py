"""Read one document from a text, or from a file in any format that is known, within limits."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from claimgraph.input_texts.formats import FORMATS, Unreadable
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document

_MIB = 1024 * 1024
SUFFIXES = (".txt", ".md", *FORMATS)
"""Endings of the files of a folder that are read."""


def document_from_text(text: str, max_mib: float, where: str) -> Document:
    """Return the document of a text given directly; `where` names it in errors."""
    return document_from_bytes(text.encode("utf-8", "surrogatepass"), where, max_mib)


def read_file(path: Path, max_mib: float) -> Document:
    """Return the document in a file: PDF, Word and HTML by its ending, else UTF-8 text.

    Raises InputError: not readable, too large, binary, not UTF-8, or without text; MissingExtra for a format whose
    reader is not installed.
    """
    try:
        with path.open("rb") as file:
            data = file.read(int(max_mib * _MIB) + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    return document_from_bytes(data, str(path), max_mib, name=path.name, suffix=path.suffix)


def document_from_bytes(
    data: bytes, where: str, max_mib: float, *, name: str | None = None, suffix: str = ""
) -> Document:
    """Return the document in the bytes of a file with that ending; with a name its source is `where`."""
    if len(data) > max_mib * _MIB:
        raise InputError(f"{where}: larger than {max_mib:g} MiB; split it, or raise CLAIMGRAPH_MAX_TEXT")
    read = FORMATS.get(suffix.lower())
    try:
        text = read(data) if read else _plain(data)
    except Unreadable as error:
        raise InputError(f"{where}: {error}") from error
    if read and len(text) > max_mib * _MIB:
        raise InputError(f"{where}: its text is larger than {max_mib:g} MiB; split it, or raise CLAIMGRAPH_MAX_TEXT")
    if not text.strip():
        raise InputError(f"{where}: {'no text in it; if it is a scan, recognise its text first' if read else 'empty'}")
    return Document(document_id(text), text, name=name, source=None if name is None else where)


def parse_since(text: str) -> datetime:
    """Return an aware UTC time from an ISO 8601 date or time; a date without a time is its midnight in UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{text!r} is no ISO 8601 date such as 2026-01-31 or 2026-01-31T12:00:00+00:00") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _plain(data: bytes) -> str:
    if b"\0" in data[:8192]:
        raise Unreadable(f"a binary file, not a text; formats that are read: {', '.join(SUFFIXES)}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"not UTF-8 (byte {error.start} is 0x{data[error.start]:02x})") from error
