"""Read any file of labelled rows: JSON lines, plain, .gz or .bz2, one line of error with file and number."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.ingest.lines import Broken, SourceFile

JsonRow = dict[str, Any]
T = TypeVar("T")


def read_rows(
    path: Path, made: Callable[[JsonRow], T], needs: str = "", limit: int | None = None, seed: int = 0
) -> Iterator[tuple[int, T]]:
    """Yield the number of each line with what is made of its row, in order; with `limit` of a random
    sample of so many, the same for one seed.

    Raises InputError for a line that is no JSON object, and where `made` raises ValueError, LookupError or TypeError:
    with what a row `needs`, else with that error.
    """
    wanted = None if limit is None else _sample(path, limit, seed)
    for index, (number, text) in enumerate(numbered(path)):
        if wanted is not None and index not in wanted:
            continue
        try:
            found = made(_object(text))
        except (ValueError, LookupError, TypeError) as error:
            raise InputError(f"{path}, line {number}: {needs or error}") from error
        yield number, found


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers from 1. Raises InputError for one that is no text."""
    with SourceFile(path) as source:
        for line in source.numbered():
            if isinstance(line, Broken):
                raise InputError(f"{path}, line {line.line}: {line.reason}")
            yield line


def dataset_name(path: Path) -> str:
    """Return the file's name without its endings."""
    name = path.name.removesuffix(".gz").removesuffix(".bz2")
    return name.removesuffix(".jsonl").removesuffix(".tsv")


def string(row: JsonRow, key: str) -> str:
    """Return the string under a key. Raises ValueError where there is none."""
    if not isinstance(row.get(key), str):
        raise ValueError(f"`{key}` is no string")
    return str(row[key])


def _sample(path: Path, limit: int, seed: int) -> set[int]:
    total = sum(1 for _ in numbered(path))
    return set(random.Random(seed).sample(range(total), min(limit, total)))


def _object(text: str) -> JsonRow:
    row = json.loads(text)
    if not isinstance(row, dict):
        raise ValueError("no JSON object")
    return row
