"""Mark the verdicts whose cited facts have changed since they were given.

A verdict keeps a frozen copy of the facts it cites, which is compared with the live facts. An undecided verdict cites
nothing that could change: it is stale when one of its graphs has another version, since new facts may decide it.
Marking at every write was rejected: ingest and refresh write millions of facts that no verdict cites.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.store import GraphStore, Row

_PAGES = 16
"""Verdict ids are hashes, so the ranges of their first digit are pages of equal size."""


def mark_stale(store: GraphStore) -> int:
    """Mark current verdicts that are stale, unmark those that are not any more, and return the number of stale ones.

    Stale are verdicts that cite a fact that is gone or differs from its copy or in rank, and those of NOT_ENOUGH_INFO
    on graphs of which one has another version than the run recorded or is gone. A person's verdict is never stale.
    """
    versions, stale = graph_versions(store), 0
    for rows in _pages(store):
        changed = _changed(store, [row["id"] for row in rows])
        found = {row["id"]: row["id"] in changed or _reopened(row, versions) for row in rows}
        stale += sum(found.values())
        turned = [row["id"] for row in rows if found[row["id"]] != row["stale"]]
        store.write(("put_stale", [{"id": key, "stale": found[key]} for key in turned]))
    return stale


def stale_verdicts(store: GraphStore, graphs: Sequence[str] = ()) -> list[Row]:
    """Return the verdicts marked stale, by id; with `graphs` those of runs that used one. Columns: holding_verdicts."""
    return [row for page in _pages(store) for row in page if row["stale"] and _given(row, graphs)]


def stale_on(store: GraphStore, document: str, graphs: Sequence[str] = ()) -> list[Row]:
    """Return stale_verdicts of one document."""
    return [row for row in store.read("stale_on_document", document=document) if _given(row, graphs)]


def graph_versions(store: GraphStore, graphs: Sequence[str] | None = None) -> dict[str, str]:
    """Return the version of every graph by name, or of the existing ones of those named."""
    rows = store.read("graphs") if graphs is None else store.read("graphs_by_name", names=sorted(set(graphs)))
    return {str(row["name"]): str(row["version"]) for row in rows}


def graphs_of(config: str) -> Mapping[str, str]:
    """Return versions by name of the stored graphs that a run with this configuration (JSON) used."""
    found: Mapping[str, str] = (json.loads(config).get("against") or {}).get("graphs") or {}
    return found


def _given(row: Row, graphs: Sequence[str]) -> bool:
    return not graphs or not graphs_of(row["config"]).keys().isdisjoint(graphs)


def _pages(store: GraphStore) -> Iterator[list[Row]]:
    bounds = [f"v1:{digit:x}" if digit else "" for digit in range(_PAGES)]
    for first, before in pairwise([*bounds, "~"]):
        if rows := store.read("holding_verdicts", first=first, before=before):
            yield rows


def _changed(store: GraphStore, ids: list[str]) -> set[str]:
    """Return those of the verdicts that cite a fact which is gone or differs."""
    parts = ("subject", "predicate", "object")
    live = ("liveSubject", "livePredicate", "liveObject")
    return {
        row["verdict"]
        for row in store.read("cited_facts", ids=ids)
        if [row[part] for part in parts] != [row[part] for part in live] or row["rank"] not in (None, row["liveRank"])
    }


def _reopened(row: Row, versions: Mapping[str, str]) -> bool:
    """Return whether a verdict without enough information may be decided by new facts in its graphs."""
    given = graphs_of(row["config"])
    return row["outcome"] == Outcome.NOT_ENOUGH_INFO and any(versions.get(name) != was for name, was in given.items())
