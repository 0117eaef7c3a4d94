"""Write a load as the files that `neo4j-admin database import full` reads, in place of a store.

`BulkFiles` answers the reads and takes the writes of `flow.ingest`, nothing else. Facts go to their file as they come;
entities, literals, predicates and the ids of facts are held. A fact that comes again replaces the one written before
when the files are closed, and so does the name that its relation gets late.
"""

from __future__ import annotations

import csv
import shlex
from collections.abc import Callable, Iterable
from datetime import datetime
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.kgstore.ingest.flow import FileProgress, IngestReport, ingest
from claimgraph.kgstore.store import GraphStore, Row, Step, StoreInfo

ARRAY_DELIMITER = "\x1f"
EMPTY_LISTS = "MATCH (e:Entity) WHERE e.aliases IS NULL CALL (e) { SET e.aliases = [] } IN TRANSACTIONS"
"""To be run after the import, which leaves out empty lists; an entity without aliases has an empty one."""
_FACT = (
    "subject",
    "object",
    "id",
    "graph",
    "predicate",
    "name",
    "rank",
    "validFrom",
    "validTo",
    "qualifiers",
    "source",
)
_VALUES = itemgetter(*_FACT)
_ABSENT = "\0"
_NODES = {
    "Entity": "name aliases:string[] description source searchText graphs:string[] foldedName",
    "Literal": "name value datatype unit precision",
    "Predicate": "name domain range functional:boolean source",
    "Graph": "name kind version updatedAt:datetime",
    "Fetch": "name source target status rows:long retrievedAt:datetime",
    "Document": "name text source language createdAt:datetime",
}
_ENDS = {"USES": ("Graph", "Predicate"), "INTO": ("Fetch", "Graph"), "ABOUT": ("Document", "Entity")}


class BulkFiles:
    """The files of one load in a folder."""

    def __init__(self, folder: Path) -> None:
        """Raises UsageError where the folder holds anything, InputError where it cannot be made."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise UsageError(f"{folder} is not empty; name a new folder")
            self._files = {
                end: (folder / f"FACT-{end}.csv").open("w", encoding="utf-8", newline="")
                for end in ("Entity", "Literal")
            }
        except OSError as error:
            raise InputError(f"cannot write {folder}: {error.strerror}") from error
        self._folder = folder
        self._nodes: dict[str, dict[str, Row]] = {label: {} for label in _NODES}
        self._edges: dict[str, dict[tuple[str, str], None]] = {kind: {} for kind in _ENDS}
        self._facts: set[str] = set()
        self._again: dict[str, Row] = {}
        self._renamed: dict[str, str] = {}

    def info(self) -> StoreInfo:
        """Return the folder in a store's place."""
        return StoreInfo(engine="files", version="", address=str(self._folder), alone=True)

    def settle(self) -> None:
        """Do nothing: there is no index to wait for."""

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Answer a query of the load from what was taken so far; a query that only looks for leftovers finds none."""
        entities, predicates = self._nodes["Entity"], self._nodes["Predicate"]
        if name == "known_facts":
            return [{"id": key} for key in params["ids"] if key in self._facts]
        if name == "known_entities":
            return [{"id": key} for key in params["ids"] if key in entities]
        if name in ("predicate_names", "entity_names"):
            known = predicates if name == "predicate_names" else entities
            return [{"id": key, "name": known[key]["name"]} for key in params["ids"] if key in known]
        if name == "renamed_predicates":
            both = [(key, entities[key]["name"]) for key in predicates if key in entities]
            return [{"id": key, "name": new} for key, new in sorted(both) if new != predicates[key]["name"]]
        if name == "misnamed_facts":
            self._renamed[params["predicate"]] = params["name"]
        sizes = {"graph_size": {"facts": len(self._facts)}, "graph_entities": {"entities": len(entities)}}
        return [cast(Row, sizes[name])] if name in sizes else []

    def write(self, *steps: Step) -> list[Row]:
        """Take the rows of steps; facts go to their file, the others are held. Raises KeyError for another step."""
        for name, rows in steps:
            if name in ("put_new_facts", "put_facts"):
                self._take_facts(rows, "Entity")
            elif name == "put_literal_facts":
                self._take_facts(rows, "Literal")
            elif name == "put_summaries":
                self._edges["ABOUT"].update(dict.fromkeys((row["id"], row["entity"]) for row in rows))
            else:
                for row in rows:
                    self._take_node(name, row)
        return []

    def _take_node(self, step: str, row: Row) -> None:
        key = row["id"]
        if step in ("put_new_entities", "put_entities"):
            older = self._nodes["Entity"].get(key)
            self._nodes["Entity"][key] = _united(older, row)
        elif step == "put_predicates":
            older = self._nodes["Predicate"].get(key, {"id": key, "name": row["fallback"]})
            self._nodes["Predicate"][key] = older | {name: value for name, value in row.items() if value is not None}
            if row["graph"]:
                self._edges["USES"][row["graph"], key] = None
        elif step == "put_documents":
            self._nodes["Document"].setdefault(key, row | {"name": row["name"] or row["caption"]})
        else:
            self._nodes[{"put_graphs": "Graph", "put_fetches": "Fetch", "put_literals": "Literal"}[step]][key] = row
            if step == "put_fetches":
                self._edges["INTO"][key, row["target"]] = None

    def _take_facts(self, rows: Iterable[Row], end: str) -> None:
        new = []
        for row in rows:
            if row["id"] in self._facts:
                self._again[row["id"]] = row
            else:
                self._facts.add(row["id"])
                new.append(_fact_line(row))
        self._files[end].writelines(new)

    def close(self) -> None:
        """Write what was held, and the headers."""
        for end, file in self._files.items():
            file.close()
            if self._again or self._renamed:
                self._correct(Path(file.name))
            named = (*_FACT[2:],)
            self._write(f"FACT-{end}-header", [(":START_ID(Entity)", f":END_ID({end})", *named)], str)
        for label, columns in _NODES.items():
            names = [column.partition(":")[0] for column in columns.split()]
            self._write(f"{label}-header", [(f"id:ID({label})", *columns.split())], str)
            self._write(label, ([row["id"], *map(row.get, names)] for row in self._nodes[label].values()))
        for kind, (start, end) in _ENDS.items():
            self._write(f"{kind}-header", [(f":START_ID({start})", f":END_ID({end})")], str)
            self._write(kind, self._edges[kind])

    def _write(self, name: str, rows: Iterable[Iterable[Any]], form: Callable[[Any], str] | None = None) -> None:
        with (self._folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            file.writelines(",".join(map(form, row)) + "\n" if form else _line(row) for row in rows)

    def _correct(self, path: Path) -> None:
        new = path.with_suffix(".new")
        with path.open(encoding="utf-8", newline="") as file, new.open("w", encoding="utf-8", newline="") as out:
            for fields in csv.reader(file):
                row: Row = dict(zip(_FACT, (field or None for field in fields), strict=True))
                row = self._again.get(row["id"], row)
                row = row | {"name": self._renamed.get(row["predicate"], row["name"])}
                out.write(_fact_line(row))
        new.replace(path)


def write_bulk(
    folder: Path, path: Path, graph: str | None = None, *, progress: FileProgress | None = None, **files: Path | None
) -> IngestReport:
    """Write the load of `path`, as `flow.ingest` has it, to files in a new folder."""
    bulk = BulkFiles(folder)
    try:
        return ingest(cast(GraphStore, bulk), path, graph, progress=progress, **files)
    finally:
        bulk.close()


def import_command(folder: Path) -> str:
    """Return the command that imports the folder's files into an empty database."""
    at = folder.resolve()
    nodes = [f"--nodes={label}={at}/{label}-header.csv,{at}/{label}.csv" for label in _NODES]
    kinds = [("FACT", f"FACT-{end}") for end in ("Entity", "Literal")] + [(kind, kind) for kind in _ENDS]
    edges = [f"--relationships={kind}={at}/{name}-header.csv,{at}/{name}.csv" for kind, name in kinds]
    options = ["--id-type=string", "--delimiter=,", "--array-delimiter=U+001F", "--multiline-fields=true"]
    words = ["neo4j-admin", "database", "import", "full", "neo4j", "--overwrite-destination", *options, *nodes, *edges]
    return shlex.join(words)


def _united(older: Row | None, row: Row) -> Row:
    """Return an entity as put_entities leaves it."""
    if older is None:
        found = {"name": row["fallback"], "aliases": [], "searchText": "", "graphs": [], "description": None}
        found["foldedName"] = row["foldedName"]
        older = cast(Row, {"id": row["id"], "source": None, **found})
    words = older["searchText"]
    kept = {name: row[name] if row[name] is not None else older[name] for name in ("name", "description", "source")}
    lists = {name: list(dict.fromkeys([*older[name], *row[name]])) for name in ("aliases", "graphs")}
    return {
        "id": row["id"],
        **kept,
        **lists,
        "foldedName": older["foldedName"] if row["name"] is None else row["foldedName"],
        "searchText": words if row["searchText"] in words else f"{words} {row['searchText']}",
    }


def _fact_line(row: Row) -> str:
    """Return the line of a fact, as `_line` does, in a third of the time: a file has millions."""
    values = _VALUES(row)
    line = '"' + '","'.join([_ABSENT if value is None else value for value in values]) + '"\n'
    if line.count('"') != 2 * len(values) or line.count(_ABSENT) != values.count(None):
        return _line(values)
    return line.replace(f'"{_ABSENT}"', "")


def _line(values: Iterable[Any]) -> str:
    return ",".join([_field(value) for value in values]) + "\n"


def _field(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    if isinstance(value, list | tuple):
        return _field(ARRAY_DELIMITER.join(value))
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value).lower()
