"""The files of a bulk load hold what an ordinary load of the same file stores."""

from __future__ import annotations

import csv
from pathlib import Path

from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.ingest.bulk import ARRAY_DELIMITER, import_command, write_bulk
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
    said = "MATCH (e:Entity) RETURN e.id, e.aliases, e.graphs, e.searchText ORDER BY e.id"
    rows = sorted(_rows(tmp_path / "bulk", "Entity"), key=lambda row: row["id"])
    assert [
        [r["id"], r["aliases"].split(ARRAY_DELIMITER) if r["aliases"] else [], [r["graphs"]], r["searchText"]]
        for r in rows
    ] == [list(row) for row in embedded.query(said, {}).rows]
    command = import_command(tmp_path / "bulk")
    assert "--id-type=string" in command
    assert "--array-delimiter=U+001F" in command


def _rows(folder: Path, name: str) -> list[dict[str, str]]:
    header = (folder / f"{name}-header.csv").read_text().strip().split(",")
    names = [{":START_ID": "START", ":END_ID": "END"}.get(h.partition("(")[0], h.partition(":")[0]) for h in header]
    with (folder / f"{name}.csv").open(newline="") as file:
        return [dict(zip(names, fields, strict=True)) for fields in csv.reader(file)]
