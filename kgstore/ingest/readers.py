"""Read triple files one statement at a time: TSV, CSV, JSONL, N-Triples, Turtle and Wikidata's JSON, plain or packed.

Every format becomes the same Statement, so flow.py does not depend on the format. An unusable line becomes a Broken
line and the reading continues. pyoxigraph parses RDF: measured on one core it reads 195,000 N-Triples lines a second
one by one and recovers after an error, and it streams Turtle; rdflib reads 52,000 and holds a whole Turtle file in
memory. CSV is read line by line, so a quote that is never closed costs one line and not the rest of the file; the price
is that a field cannot span lines.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.ingest.lines import Broken, SourceFile, broken
from claimgraph.kgstore.model import Literal

FORMATS = ("tsv", "csv", "jsonl", "nt", "ttl", "json")

XSD = "http://www.w3.org/2001/XMLSchema#"


class FileTriple(NamedTuple):
    """One triple as its file says it: keys or IRIs, not ids.

    `datatype` None means that `tail` is an entity; else `tail` is a value of that datatype (an IRI, a short name
    such as "date" or "decimal", or "" for plain text), in `language` where one is given. Labels are names for
    people. `unit` is a key or a name; `valid_from` and `valid_to` are ISO 8601 prefixes, `qualifiers` JSON text.
    `literal` is the value where its format has typed it already. `line` counts from 1; in Turtle, whose parser does
    not tell lines, it counts triples. A named tuple: making a frozen dataclass of so many fields took a third of the
    reading time.
    """

    line: int
    head: str
    relation: str
    tail: str
    datatype: str | None = None
    language: str | None = None
    unit: str | None = None
    head_label: str | None = None
    relation_label: str | None = None
    tail_label: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    rank: str | None = None
    source: str | None = None
    qualifiers: str | None = None
    literal: Literal | None = None


COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("head", "subject", "s", "h"), "head"),
    **dict.fromkeys(("relation", "predicate", "r", "p"), "relation"),
    **dict.fromkeys(("tail", "object", "o", "t"), "tail"),
    **dict.fromkeys(("head_label", "subject_label"), "head_label"),
    **dict.fromkeys(("relation_label", "predicate_label"), "relation_label"),
    **dict.fromkeys(("tail_label", "object_label"), "tail_label"),
    **{name: name for name in ("datatype", "language", "unit", "valid_from", "valid_to", "rank", "source")},
}
"""Meaning of a header cell or a JSONL key; other columns (`split`) are ignored."""

_ISO_DATE = re.compile(r"[+-]?\d{4,}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?")


def format_of(path: Path) -> str:
    """Return one of FORMATS, by the file's name. Raises InputError naming the supported endings."""
    name = re.sub(r"\.(gz|bz2)$", "", path.name.lower())
    ending = name.rpartition(".")[2]
    if ending not in FORMATS:
        endings = ", ".join(f".{known}" for known in FORMATS)
        raise InputError(f"{path.name}: cannot tell what this is; supported: {endings}, each plain or with .gz or .bz2")
    return ending


def statements(source: SourceFile, kind: str) -> Iterator[FileTriple | Broken]:
    """Yield the statements of a file of the format `kind`, in its order, with a Broken line for each unusable one.

    Raises InputError where the file as a whole cannot be read on.
    """
    readers: dict[str, Callable[[SourceFile], Iterator[FileTriple | Broken]]] = {
        "tsv": lambda s: _table(s, lambda line: line.split("\t")),
        "csv": lambda s: _table(s, lambda line: next(csv.reader([line], strict=True))),
        "jsonl": _jsonl,
        "nt": _ntriples,
        "ttl": _turtle,
        "json": _wikidata,
    }
    return readers[kind](source)


def objects(source: SourceFile) -> Iterator[tuple[int, dict[str, Any]] | Broken]:
    """Yield (line number, object) for each line of a JSONL file, or a Broken line."""
    for item in source.numbered():
        if isinstance(item, Broken):
            yield item
            continue
        number, text = item
        try:
            row = json.loads(text)
            if "\\u" in text:
                json.dumps(row, ensure_ascii=False).encode()  # half a surrogate pair is JSON, but no text
        except (ValueError, RecursionError) as error:
            yield broken(number, f"not JSON: {error}", text)
            continue
        yield (number, row) if isinstance(row, dict) else broken(number, "not a JSON object", text)


def _table(source: SourceFile, split: Callable[[str], list[str]]) -> Iterator[FileTriple | Broken]:
    fields: list[str | None] = []
    for item in source.numbered():
        if isinstance(item, Broken):
            yield item
            continue
        number, text = item
        try:
            cells = [cell.strip() for cell in split(text)]
            if not fields:
                fields, is_header = _layout(cells)
                if is_header:
                    continue
            yield _from_cells(number, fields, cells)
        except (csv.Error, ValueError) as error:
            yield broken(number, str(error), text)


def _layout(cells: list[str]) -> tuple[list[str | None], bool]:
    """Return the meaning of each column by the first row, and whether that row is a header."""
    fields = [COLUMNS.get(cell.lower().replace(" ", "_")) for cell in cells]
    if {"head", "relation", "tail"} <= set(fields):
        return fields, True
    return ["head", "relation", "tail", *(None for _ in cells[3:])], False


def _from_cells(number: int, fields: list[str | None], cells: list[str]) -> FileTriple:
    if not 3 <= len(cells) <= len(fields):
        raise ValueError(f"{len(cells)} columns: {'at least 3' if len(cells) < 3 else len(fields)} were expected")
    return _statement(number, {field: cell for field, cell in zip(fields, cells, strict=False) if field and cell})


def _statement(number: int, values: Mapping[str, Any]) -> FileTriple:
    for field in ("head", "relation", "tail"):
        if field not in values:
            raise ValueError(f"no {field}")
    if "datatype" not in values and _ISO_DATE.fullmatch(values["tail"]):
        values = {**values, "datatype": "date"}
    return FileTriple(number, **values)


def _jsonl(source: SourceFile) -> Iterator[FileTriple | Broken]:
    for item in objects(source):
        if isinstance(item, Broken):
            yield item
            continue
        number, row = item
        try:
            yield _statement(number, _from_object(row))
        except ValueError as error:
            yield broken(number, str(error), json.dumps(row, ensure_ascii=False))


def _from_object(row: dict[str, Any]) -> dict[str, str]:
    values: dict[str, str] = {}
    for key, value in row.items():
        field = COLUMNS.get(key.lower())
        if field is None or value is None or value == "":
            continue
        if field == "tail" and isinstance(value, (int, float)):
            values.setdefault("datatype", "boolean" if isinstance(value, bool) else "decimal")
            value = json.dumps(value)
        if not isinstance(value, str):
            raise ValueError(f"{key} is not text")
        values[field] = value.strip()
    qualifiers = row.get("qualifiers")
    if qualifiers:
        if not isinstance(qualifiers, dict):
            raise ValueError("qualifiers are not an object")
        values["qualifiers"] = json.dumps(qualifiers, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return {field: value for field, value in values.items() if value}


def _wikidata(source: SourceFile) -> Iterator[FileTriple | Broken]:
    from claimgraph.kgstore.ingest.wikidata_json import entities

    return entities(source)


def _ntriples(source: SourceFile) -> Iterator[FileTriple | Broken]:
    from pyoxigraph import RdfFormat, parse

    for item in source.numbered():
        if isinstance(item, Broken):
            yield item
            continue
        number, text = item
        try:
            for triple in parse(text, RdfFormat.N_TRIPLES):
                yield _from_rdf(number, triple)
        except (SyntaxError, ValueError) as error:
            yield broken(number, _reason(error), text)


def _turtle(source: SourceFile) -> Iterator[FileTriple | Broken]:
    from pyoxigraph import RdfFormat, parse

    parser = parse(cast(IO[bytes], source), RdfFormat.TURTLE)
    nodes = _Anonymous()
    number = 0
    while True:
        try:
            triple = next(parser)
        except StopIteration:
            return
        except (SyntaxError, ValueError) as error:
            yield broken(getattr(error, "lineno", None) or number, _reason(error), "")
            continue
        number += 1
        found = _from_rdf(number, triple)
        yield found._replace(head=nodes.named(found.head), tail=nodes.named(found.tail))


class _Anonymous:
    """Numbers the nodes that Turtle writes as [] and (), which the parser names at random, in order of appearance.

    Such a node occurs within one statement only, so the last 100,000 are remembered.
    """

    _RANDOM = re.compile(r"_:[0-9a-f]{24,32}")

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._count = 0

    def named(self, key: str) -> str:
        """Return the key, or the number of an anonymous node."""
        if not key.startswith("_:") or not self._RANDOM.fullmatch(key):
            return key
        if key not in self._names:
            self._count += 1
            self._names[key] = f"_:anonymous-{self._count}"
            if len(self._names) > 100_000:
                del self._names[next(iter(self._names))]
        return self._names[key]


def _from_rdf(number: int, triple: Any) -> FileTriple:
    from pyoxigraph import Literal as RdfLiteral
    from pyoxigraph import Triple

    head, relation, tail = triple.subject, triple.predicate, triple.object
    if isinstance(head, Triple) or isinstance(tail, Triple):
        raise ValueError("a triple about a triple (RDF-star) is not read")
    if not isinstance(tail, RdfLiteral):
        return FileTriple(number, _key(head), relation.value, _key(tail))
    plain = tail.language or tail.datatype.value == f"{XSD}string"
    return FileTriple(
        number,
        _key(head),
        relation.value,
        tail.value,
        datatype="" if plain else tail.datatype.value,
        language=tail.language,
    )


def _key(term: Any) -> str:
    return str(term) if str(term).startswith("_:") else str(term.value)


def _reason(error: Exception) -> str:
    return re.sub(r"^Parser error .*?\d: | \(line \d+\)$", "", str(error))
