"""Split rows into the batches both engines take: sorted by id, so that two writers lock in one order without
deadlock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimgraph.kgstore.store import Row

BATCH = 10_000


def batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield at most BATCH rows at a time, by their "id"; rows without one, and equal ids, keep their order."""
    ordered = sorted(rows, key=lambda row: str(row.get("id") or ""))
    for start in range(0, len(ordered), BATCH):
        yield ordered[start : start + BATCH]
