"""Say why a verdict flipped: what became of the facts that the older one cites.

The cited facts are compared with those that stand now. Comparing whole versions of a graph was rejected: a store keeps
one, and a refresh changes much that no verdict rests on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from claimgraph.kgstore.model import Verdict
from claimgraph.kgstore.store import GraphStore, Row


class Cause(StrEnum):
    """What changed between two verdicts on a claim, the weightiest first."""

    VALUE = "value"
    """A cited fact has another value now."""
    DELETION = "deletion"
    """A cited fact is gone, and there is no other value."""
    VALIDITY = "validity"
    """A cited fact holds at another time, or with other qualifiers."""
    RANK = "rank"
    ADDITION = "addition"
    """The newer verdict cites a fact that the older one does not."""
    METHOD = "method"
    """The facts are the same: models, thresholds or rules are not."""


def causes(store: GraphStore, flipped: Mapping[str, Verdict]) -> dict[str, Cause]:
    """Return the cause of each flip: ids of older verdicts with the newer ones."""
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in store.read("cited_facts", ids=sorted(flipped)):
        rows[row["verdict"]].append(row)
    now = _standing(store, [row for some in rows.values() for row in some if row["live"] is None])
    return {old: _cause(rows[old], now, new) for old, new in flipped.items()}


def _standing(store: GraphStore, gone: Sequence[Row]) -> dict[str, set[str]]:
    """Return what the facts of the same subject and relation have as objects now, by piece of evidence."""
    found: dict[str, set[str]] = defaultdict(set)
    wanted = [{"id": row["evidence"], "subject": row["subject"], "predicate": row["predicate"]} for row in gone]
    for row in store.read("facts_named", wanted=wanted) if wanted else ():
        found[row["id"]].add(row["object"])
    return found


def _cause(cited: Iterable[Row], now: Mapping[str, set[str]], new: Verdict) -> Cause:
    found = {cause for row in cited if (cause := _of_fact(row, now.get(row["evidence"], set())))}
    other = Cause.ADDITION if any(one.evidence.fact_id for one in new.citations) else Cause.METHOD
    return next((cause for cause in Cause if cause in found), other)


def _of_fact(row: Row, objects: set[str]) -> Cause | None:
    """Return what became of one cited fact; None where it stands as it did."""
    if row["live"] is None:
        return Cause.VALIDITY if row["object"] in objects else Cause.VALUE if objects else Cause.DELETION
    if (row["subject"], row["predicate"], row["object"]) != tuple(row[k] for k in _LIVE):
        return Cause.VALUE
    return Cause.RANK if row["rank"] not in (None, row["liveRank"]) else None


_LIVE = ("liveSubject", "livePredicate", "liveObject")
