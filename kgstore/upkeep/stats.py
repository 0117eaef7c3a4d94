"""Count the content of a store by kind, and its size on disk where it has one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.kgstore.upkeep.transfer import counts


def stats(store: GraphStore) -> dict[str, Any]:
    """Return `nodes` by label, `facts` by graph, current `verdicts` by outcome and method, and `store`.

    `store` has engine, version, address and bytes; bytes is None on Neo4j, which shows its users no size.
    """
    info = store.info()
    size = _folder_size(Path(info.address)) if info.engine == "embedded" else None
    return {
        "nodes": counts(store),
        "facts": {row["graph"]: row["facts"] for row in store.read("fact_counts")},
        "verdicts": store.read("verdict_counts"),
        "store": asdict(info) | {"bytes": size},
    }


def graphs(store: GraphStore) -> list[Row]:
    """Return name, kind, facts, version and updatedAt of each graph, by name."""
    facts = {row["graph"]: row["facts"] for row in store.read("fact_counts")}
    columns = ("name", "kind", "facts", "version", "updatedAt")
    rows = ({**row, "facts": facts.get(row["name"], 0)} for row in store.read("graphs"))
    return [{column: row[column] for column in columns} for row in rows]


def _folder_size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*") if path.is_file())
