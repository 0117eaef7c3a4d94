"""Read labelled files as labelled.LabelledCase.

Rows are distinguished by their keys (labelled_rows.py), never by the file's name, so a file of a known schema works
wherever it comes from.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimgraph.evaluation.data.label_rules import LabelRule
from claimgraph.evaluation.data.labelled import LabelledCase
from claimgraph.evaluation.data.labelled_rows import case_of
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.ingest.lines import Broken, SourceFile


def read_labelled(
    path: Path, rule: LabelRule = LabelRule.FILE, limit: int | None = None, seed: int = 0
) -> Iterator[LabelledCase]:
    """Yield the cases of a JSON lines file (plain, .gz or .bz2), in order; with `limit` a random sample of so many
    rows.

    The sample is the same for the same file, limit and seed. Raises InputError, with file and line, for a row of no
    known schema and for a row that lacks what the label rule needs.
    """
    wanted = None if limit is None else _sample(path, limit, seed)
    dataset = dataset_name(path)
    for index, (number, text) in enumerate(_lines(path)):
        if wanted is None or index in wanted:
            try:
                yield replace(case_of(_object(text), dataset, rule), line=number)
            except ValueError as error:
                raise InputError(f"{path}, line {number}: {error}") from error


def dataset_name(path: Path) -> str:
    """Return the file's name without its endings."""
    return path.name.removesuffix(".gz").removesuffix(".bz2").removesuffix(".jsonl")


def _sample(path: Path, limit: int, seed: int) -> set[int]:
    total = sum(1 for _ in _lines(path))
    return set(random.Random(seed).sample(range(total), min(limit, total)))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with SourceFile(path) as source:
        for line in source.numbered():
            if isinstance(line, Broken):
                raise InputError(f"{path}, line {line.line}: {line.reason}")
            yield line


def _object(text: str) -> dict[str, Any]:
    row = json.loads(text)
    if not isinstance(row, dict):
        raise ValueError("no JSON object")
    return row
