"""The files of a bulk load hold what an ordinary load of the same file stores."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.ingest.bulk import _ENDS, _FACT, _NODES, ARRAY_DELIMITER, import_command, write_bulk
from claimgraph.kgstore.ingest.flow import ingest

TRIPLES = 'head\trelation\ttail\tdatatype\thead_label\nQ1\tP1\tQ2\t\tA "b", c\\\nQ1\tP2\t1989-11\tdate\t\n'
MORE = "Q2\tP1\tQ1\t\tB\nQ1\tP1\tQ2\t\tAlso\nbroken\n"


def test_files_hold_what_a_store_holds(embedded: EmbeddedStore, tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text(TRIPLES + MORE)
    rejected = tmp_path / "rejected.tsv"
    stored = ingest(embedded, path, "g", rejected=rejected)
    written = write_bulk(tmp_path / "bulk", path, "g", rejected=rejected)
    assert (written.facts, written.new, written.entities) == (stored.facts, stored.new, stored.entities)
    assert written.rejected == stored.rejected == 1
    for label in ("Entity", "Literal", "Predicate"):
        found = {row["id"]: row for row in _rows(tmp_path / "bulk", label)}
        kept = embedded.query(f"MATCH (n:{label}) RETURN n.id, n.name ORDER BY n.id", {}).rows
        assert [(key, found[key]["name"]) for key in sorted(found)] == [tuple(row) for row in kept]
    facts = [row for end in ("Entity", "Literal") for row in _rows(tmp_path / "bulk", f"FACT-{end}")]
    said = "MATCH (s)-[f:FACT]->(o) RETURN f.id, s.id, o.id, f.name, f.source ORDER BY f.id"
    names = ("id", "START", "END", "name", "source")
    assert sorted(tuple(row[name] for name in names) for row in facts) == [
        tuple(r) for r in embedded.query(said, {}).rows
    ]


def test_entity_columns_and_the_command(embedded: EmbeddedStore, tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text(TRIPLES + MORE)
    ingest(embedded, path, "g", rejected=tmp_path / "r.tsv")
    write_bulk(tmp_path / "bulk", path, "g", rejected=tmp_path / "r.tsv")
    said = "MATCH (e:Entity) RETURN e.id, e.aliases, e.graphs, e.searchText, e.foldedName ORDER BY e.id"
    rows = sorted(_rows(tmp_path / "bulk", "Entity"), key=lambda row: row["id"])
    assert [
        [
            r["id"],
            r["aliases"].split(ARRAY_DELIMITER) if r["aliases"] else [],
            [r["graphs"]],
            r["searchText"],
            r["foldedName"],
        ]
        for r in rows
    ] == [list(row) for row in embedded.query(said, {}).rows]
    command = import_command(tmp_path / "bulk")
    assert "--id-type=string" in command
    assert "--array-delimiter=U+001F" in command


def test_all_of_a_load_is_in_the_files(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """Nodes, edges and properties of triples with labels, times, qualifiers, repeated facts and introductions are those
    of an ordinary load; a time of loading is only there in both.
    """
    path, entities, relations = tmp_path / "facts.jsonl", tmp_path / "entities.jsonl", tmp_path / "relations.tsv"
    facts = [
        {"head": "Q1", "relation": "P1", "tail": "Q2", "valid_from": "1989", "rank": "preferred", "source": 'a "b"'},
        {"head": "Q1", "relation": "P1", "tail": "Q2", "qualifiers": {"P9": "Q7"}},
        {"head": "Q2", "relation": "P2", "tail": "12.5", "datatype": "decimal", "unit": "metre"},
        {"head": "Q2", "relation": "P3", "tail": "Q1", "relation_label": "is a part of", "tail_label": "One\nline"},
        {"head": "Q1", "relation": "P1", "tail": "Q2", "qualifiers": {"P9": "Q7"}, "source": "later"},
        {"head": "Q3", "relation": "P2", "tail": "\0", "datatype": ""},
    ]
    path.write_text("".join(f"{json.dumps(fact)}\n" for fact in facts))
    described = {"id": "Q1", "label": "One", "aliases": ["1", 'the "one"'], "description": "first", "extract": "One."}
    entities.write_text(json.dumps(described) + "\n")
    relations.write_text("id\tlabel\nP1\tknows\n")
    given = {"entities": entities, "relations": relations, "rejected": tmp_path / "r.tsv"}
    ingest(embedded, path, "g", **given)
    write_bulk(tmp_path / "bulk", path, "g", **given)
    for label, columns in _NODES.items():
        names = ["id", *(column.partition(":")[0] for column in columns.split())]
        said = f"MATCH (n:{label}) RETURN {', '.join(f'n.{name}' for name in names)}"
        assert _stored(embedded, said, names) == _filed(tmp_path / "bulk", label, names), label
    ends, names = ["s.id", "o.id"], [*_FACT[2:]]
    filed = [_filed(tmp_path / "bulk", f"FACT-{end}", ["START", "END", *names]) for end in ("Entity", "Literal")]
    said = f"MATCH (s)-[f:FACT]->(o) RETURN {', '.join([*ends, *(f'f.{name}' for name in names)])}"
    assert len(facts) - 1 == sum(map(len, filed))
    assert _stored(embedded, said, [*ends, *names]) == sorted(filed[0] + filed[1])
    for kind in _ENDS:
        said = f"MATCH (s)-[:{kind}]->(o) RETURN s.id, o.id"
        edges = _filed(tmp_path / "bulk", kind, ["START", "END"])
        assert edges
        assert _stored(embedded, said, ends) == edges, kind


def _stored(store: EmbeddedStore, said: str, names: list[str]) -> list[list[str]]:
    return sorted(
        [_text(name, value) for name, value in zip(names, row, strict=True)] for row in store.query(said, {}).rows
    )


def _filed(folder: Path, file: str, names: list[str]) -> list[list[str]]:
    return sorted([_text(name, row[name]) for name in names] for row in _rows(folder, file))


def _text(name: str, value: object) -> str:
    """Return a property as the files have it; of a time of loading only that there is one."""
    if name.endswith("At"):
        return str(bool(value))
    if isinstance(value, list):
        return ARRAY_DELIMITER.join(value)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _rows(folder: Path, name: str) -> list[dict[str, str]]:
    header = (folder / f"{name}-header.csv").read_text().strip().split(",")
    names = [{":START_ID": "START", ":END_ID": "END"}.get(h.partition("(")[0], h.partition(":")[0]) for h in header]
    with (folder / f"{name}.csv").open(newline="") as file:
        return [dict(zip(names, fields, strict=True)) for fields in csv.reader(file)]
