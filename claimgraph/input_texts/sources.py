"""Turn the arguments of a command into documents: files, folders, patterns, standard input, addresses, or the text."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from claimgraph.input_texts.documents import SUFFIXES, document_from_bytes, read_file
from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.kgstore.model import Document

_MIB = 1024 * 1024


def read_argument(argument: str, max_mib: float, *, fetch: bool = False) -> Document:
    """Return the document an argument means: `-` is standard input, an existing path is read, an address is fetched
    where `fetch` says so, anything else is the text.

    Raises InputError for a word that looks like a path and is none, for a folder, and for what read_file refuses.
    """
    if argument == "-":
        return _standard_input(max_mib)
    if _is_address(argument):
        return _fetched(argument, max_mib, fetch=fetch)
    path = Path(argument)
    if argument and len(argument) < 4096 and "\0" not in argument and path.exists():
        if path.is_dir():
            raise InputError(f"{argument} is a folder: `claimgraph submit {argument}` checks all its texts as one run")
        return read_file(path, max_mib)
    if _looks_like_path(argument):
        raise InputError(f"no file {argument!r}; to check a single word as text, give it on standard input with -")
    return document_from_bytes(argument.encode("utf-8", "surrogatepass"), "the text", max_mib)


def read_contexts(arguments: Sequence[str], max_mib: float, *, fetch: bool = False) -> list[Document]:
    """Return the documents of contexts, in order: files, folders, patterns such as `sources/*.md`, `-`, addresses.

    Each is named as short as tells it from the others. Raises InputError for what is not there or cannot be read.
    """
    found = [one for argument in arguments for one in _contexts(argument, max_mib, fetch=fetch)]
    names = [one.name for one in found]
    return [replace(one, name=one.source) if names.count(one.name) > 1 else one for one in found]


def _contexts(argument: str, max_mib: float, *, fetch: bool) -> Iterator[Document]:
    if argument == "-":
        yield _standard_input(max_mib)
    elif _is_address(argument):
        yield _fetched(argument, max_mib, fetch=fetch)
    elif Path(argument).is_dir():
        yield from _in_folder(Path(argument), max_mib)
    elif Path(argument).exists() or not set(argument) & set("*?["):
        yield read_file(Path(argument), max_mib)
    else:
        yield from (read_file(path, max_mib) for path in _matching(Path(argument)))


def _matching(pattern: Path) -> list[Path]:
    root = Path(pattern.anchor)
    found = sorted(path for path in root.glob(str(pattern.relative_to(pattern.anchor))) if path.is_file())
    if not found:
        raise InputError(f"no file matches {str(pattern)!r}")
    return found


def _in_folder(folder: Path, max_mib: float) -> Iterator[Document]:
    """Yield the texts of a folder and those in it, hidden ones left out, by path; their names are relative to it."""
    paths = []
    for inside, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths += [Path(inside, name) for name in names if _is_text(name)]
    if not paths:
        raise InputError(f"{folder}: no file there ends in {' or '.join(SUFFIXES)}")
    for path in sorted(paths):
        yield replace(read_file(path, max_mib), name=path.relative_to(folder).as_posix())


def _is_text(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES


def _standard_input(max_mib: float) -> Document:
    return document_from_bytes(sys.stdin.buffer.read(int(max_mib * _MIB) + 1), "standard input", max_mib)


def _fetched(address: str, max_mib: float, *, fetch: bool) -> Document:
    if not fetch:
        raise UsageError(f"{address} is an address: --fetch-urls allows to fetch it")
    from claimgraph.input_texts.fetching import fetched

    return fetched(address, max_mib)


def _is_address(argument: str) -> bool:
    return argument.startswith(("http://", "https://")) and not any(c.isspace() for c in argument)


def _looks_like_path(argument: str) -> bool:
    if any(c.isspace() for c in argument):
        return False
    return "/" in argument or "\\" in argument or Path(argument).suffix[1:].isalnum()
