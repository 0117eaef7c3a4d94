"""Read facts labelled true or false: CoDEx's triple classification (TSV), FactBench, KnowledgeStream (JSON lines).

Label 1 is a TRUE fact, 0 a false one: inverse to the labels of texts, as the sources have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from claimgraph.evaluation.data.rows import JsonRow, numbered, read_rows, string
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Triple
from claimgraph.kgstore.naming import display_name, entity_id, relation_name

_COLUMNS = ("head", "relation", "tail", "label")


@dataclass(frozen=True, slots=True)
class LabelledFact:
    """`key` holds the file's subject, predicate and object, `named` their words.

    `kinds` says how a false fact was made and `dataset` which part of a collection it is from, where the file says.
    """

    key: Triple
    named: Triple
    label: int
    kinds: tuple[str, ...] = ()
    dataset: str | None = None


def read_facts(path: Path, limit: int | None = None) -> list[LabelledFact]:
    """Return the first `limit` facts of a file, plain or compressed. Raises InputError with the line that is no
    fact.
    """
    facts = list(islice(_facts(path), limit))
    if not facts:
        raise InputError(f"{path}: no labelled facts in it")
    return facts


def _facts(path: Path) -> Iterator[LabelledFact]:
    lines = numbered(path)
    _, first = next(lines, (0, "{"))
    if first.lstrip().startswith("{"):
        yield from (fact for _, fact in read_rows(path, _object))
        return
    header = first.split("\t")
    if missing := [name for name in _COLUMNS if name not in header]:
        raise InputError(f"{path}: neither JSON lines nor a table with a column {missing[0]!r}")
    for number, line in lines:
        try:
            yield _row(dict(zip(header, line.split("\t"), strict=False)))
        except (KeyError, ValueError) as error:
            raise InputError(f"{path}, line {number}: no labelled fact: {error}") from error


def _row(row: dict[str, str]) -> LabelledFact:
    key = Triple(row["head"], row["relation"], row["tail"])
    return LabelledFact(key, _words(key), _label(int(row["label"])))


def _object(row: JsonRow) -> LabelledFact:
    key = Triple(*(string(row, part) for part in ("subject", "predicate", "object")))
    kinds = tuple(dict.fromkeys(row.get("negatives") or ()))
    return LabelledFact(key, _words(key), _label(row["label"]), kinds, row.get("dataset"))


def _words(key: Triple) -> Triple:
    """Return names made of the keys alone; a key with a prefix, as `dbr:Paris`, is an id already."""
    subject, predicate, object = (identity("", part) for part in (key.subject, key.predicate, key.object))
    return Triple(display_name(subject), relation_name(predicate), display_name(object))


def identity(graph: str, key: str) -> str:
    """Return the id of a `key` of a file about `graph`: an id of a known vocabulary stays, as `dbr:Paris`."""
    return key if key.startswith(("dbr:", "dbo:", "dbp:", "wd:", "fb:")) else entity_id(graph, key)


def _label(value: Any) -> int:
    if value not in (0, 1):
        raise ValueError(f"`label` is {value!r}, not 0 or 1")
    return int(value)
