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


def read_argument(argument: str, max_mib: float, *, fetch: bool = False, private: bool = False) -> Document:
    """Return the document an argument means: `-` is standard input, an existing path is read, an address is fetched
    where `fetch` says so (one that is not public, where `private` does), anything else is the text.

    Raises InputError for a word that looks like a path and is none, for a folder, and for what read_file refuses.
    """
    if argument == "-":
        return _standard_input(max_mib)
    if _is_address(argument):
        return _fetched(argument, max_mib, fetch=fetch, private=private)
    path = Path(argument)
    if argument and len(argument) < 4096 and "\0" not in argument and path.exists():
        if path.is_dir():
            raise InputError(f"{argument} is a folder: `claimgraph submit {argument}` checks all its texts as one run")
        return read_file(path, max_mib)
    if _looks_like_path(argument):
        raise InputError(f"no file {argument!r}; to check a single word as text, give it on standard input with -")
    return document_from_bytes(argument.encode("utf-8", "surrogatepass"), "the text", max_mib)


def read_contexts(
    arguments: Sequence[str], max_mib: float, *, fetch: bool = False, private: bool = False
) -> list[Document]:
    """Return the documents of contexts, in order: files, folders, patterns such as `sources/*.md`, `-`, addresses.

    Each is named as short as tells it from the others. Raises InputError for what is not there or cannot be read.
    """
    found = [one for argument in arguments for one in _contexts(argument, max_mib, fetch=fetch, private=private)]
    names = [one.name for one in found]
    return [replace(one, name=one.source) if names.count(one.name) > 1 else one for one in found]


def _contexts(argument: str, max_mib: float, *, fetch: bool, private: bool) -> Iterator[Document]:
    if argument == "-":
        yield _standard_input(max_mib)
    elif _is_address(argument):
        yield _fetched(argument, max_mib, fetch=fetch, private=private)
    else:
        for path, name in text_files(argument):
            yield replace(read_file(path, max_mib), name=name)


def text_files(argument: str) -> list[tuple[Path, str]]:
    """Return the files that an argument means, by path, each with its name: one file, the texts of a folder and those
    in it without hidden ones, by their relative paths, or what matches a pattern such as `drafts/*.md`.

    Raises InputError for a folder without texts or that cannot be read, and for a pattern that nothing matches.
    """
    path = Path(argument)
    if path.is_dir():
        return [(file, file.relative_to(path).as_posix()) for file in _in_folder(path)]
    if path.exists() or not set(argument) & set("*?["):
        return [(path, path.name)]
    return [(file, file.name) for file in _matching(path)]


def _matching(pattern: Path) -> list[Path]:
    root = Path(pattern.anchor)
    found = sorted(path for path in root.glob(str(pattern.relative_to(pattern.anchor))) if path.is_file())
    if not found:
        raise InputError(f"no file matches {str(pattern)!r}")
    return found


def _in_folder(folder: Path) -> list[Path]:
    paths = []
    for inside, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths += [Path(inside, name) for name in names if _is_text(name)]
    if not paths:
        raise InputError(f"{folder}: no file there ends in {' or '.join(SUFFIXES)}")
    return sorted(paths)


def _refuse(error: OSError) -> None:
    raise InputError(f"{error.filename}: {error.strerror}")


def _is_text(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES


def _standard_input(max_mib: float) -> Document:
    return document_from_bytes(sys.stdin.buffer.read(int(max_mib * _MIB) + 1), "standard input", max_mib)


def _fetched(address: str, max_mib: float, *, fetch: bool, private: bool) -> Document:
    if not fetch:
        raise UsageError(f"{address} is an address: --fetch-urls allows to fetch it")
    from claimgraph.input_texts.fetching import fetched

    return fetched(address, max_mib, private=private)


def _is_address(argument: str) -> bool:
    return argument.startswith(("http://", "https://")) and not any(c.isspace() for c in argument)


def _looks_like_path(argument: str) -> bool:
    if any(c.isspace() for c in argument):
        return False
    return "/" in argument or "\\" in argument or Path(argument).suffix[1:].isalnum()
