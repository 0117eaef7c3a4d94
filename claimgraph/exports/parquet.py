"""Write the rows of the CSV as Parquet, with types, for data frames and warehouses.

Rows are written a group at a time, so a store larger than memory can be exported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO

from claimgraph.exports.judged import JudgedDocument
from claimgraph.exports.labels import LabelSet
from claimgraph.exports.rows import COLUMNS, table_rows
from claimgraph.kgstore.extras import require

_GROUP = 10_000
"""Rows of a group."""


def write_parquet(found: Iterable[JudgedDocument], file: BinaryIO, labels: LabelSet | None = None) -> int:
    """Write a row a claim; return the number of rows. Raises MissingExtra without pyarrow."""
    require("parquet")
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    special = {
        "start": pa.int64(),
        "end": pa.int64(),
        "confidence": pa.float64(),
        "created_at": pa.timestamp("us", "UTC"),
    }
    schema = pa.schema([(name, special.get(name, pa.string())) for name in COLUMNS])
    count, rows = 0, _typed(table_rows(found, labels))
    with ParquetWriter(file, schema) as writer:
        while some := list(islice(rows, _GROUP)):
            writer.write_table(pa.Table.from_pylist(some, schema=schema))
            count += len(some)
    return count


def _typed(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        given = row["created_at"]
        yield row | {"created_at": datetime.fromisoformat(given) if given else None}
