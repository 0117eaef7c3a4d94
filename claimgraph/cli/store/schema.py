"""`claimgraph schema`: what the store holds, as one writes it in a query; a query itself cannot SHOW it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from claimgraph.kgstore.store import GraphStore

_SEEN = 200
"""Nodes of each label that are looked at."""


def schema(json: Annotated[bool, typer.Option("--json", help="Print a list of rows.")] = False) -> None:
    """List labels with their properties, and the relationships between them, to write queries by."""
    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    with open_store(load_settings(), read_only=True) as store:
        rows = [_row(store, row["label"], row["nodes"]) for row in store.read("label_counts") if row["label"]]
    if json:
        print_json(rows)
        return
    shown = [(r["label"], r["nodes"], ", ".join(r["properties"]), "\n".join(r["relationships"])) for r in rows]
    print_table(("label", "nodes", "properties", "relationships"), shown)


def _row(store: GraphStore, label: str, nodes: int) -> dict[str, Any]:
    """Return a label with the properties and the relationships of some of its nodes."""
    some = f"MATCH (n:`{label}`) WITH n LIMIT {_SEEN} "
    keys = store.query(some + "UNWIND keys(n) AS k RETURN DISTINCT k ORDER BY k", {})
    ends = store.query(some + "MATCH (n)-[r]->(m) RETURN DISTINCT type(r) AS t, labels(m)[0] AS l ORDER BY t, l", {})
    return {
        "label": label,
        "nodes": nodes,
        "properties": [row[0] for row in keys.rows],
        "relationships": [f"-[:{kind}]->(:{end})" for kind, end in ends.rows],
    }
