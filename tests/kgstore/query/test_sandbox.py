"""A user's query stays within its limits and reaches nothing but the graph."""

from __future__ import annotations

from pathlib import Path

import kglite
import pytest

from claimgraph.kgstore.errors import QueryLimit, QueryRefused, StoreError
from claimgraph.kgstore.query.sandbox import run_sandboxed
from claimgraph.kgstore.store import QueryLimits, Table

SMALL = QueryLimits(seconds=60, memory_mib=256)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kglite file of 2,000 nodes, the last of them in the log only."""
    path = tmp_path_factory.mktemp("graph") / "graph.kgl"
    with kglite.open(str(path)) as opened:
        opened.cypher("UNWIND range(1, 1999) AS i CREATE (:Entity {id: 'e' + toString(i)})")
        opened.save()
        opened.cypher("CREATE (:Entity {id: 'late'})")
    return path


def test_rows_are_plain_values(graph: Path) -> None:
    """What stands only in the log is found; a node is its labels and own properties, a time is ISO 8601."""
    text = (
        "MATCH (e:Entity {id: 'late'}) RETURN [e] AS nodes, [1, 2.5, null] AS list, datetime('2024-03-15T10:00Z') AS at"
    )
    node = {"labels": ["Entity"], "properties": {"id": "late"}}
    expected = Table(("nodes", "list", "at"), (([node], [1, 2.5, None], "2024-03-15T10:00:00+00:00"),), False)
    assert expected == run_sandboxed(graph, text, {}, SMALL)


@pytest.mark.parametrize(
    "text",
    [
        "RETURN reduce(s = 'ab', i IN range(1, 60) | s + s) AS s",
        "WITH reduce(s = 'ab', i IN range(1, 20) | s + s) AS s UNWIND range(1, 3000) AS i RETURN collect(s + 'x') AS s",
        "RETURN size(range(1, 1000000000)) AS n",
    ],
)
def test_memory_is_bounded(graph: Path, text: str) -> None:
    """A string that doubles, and a list without end, are QueryLimit and leave this process as it was."""
    with pytest.raises(QueryLimit):
        run_sandboxed(graph, text, {}, SMALL)


def test_no_file_can_be_opened(graph: Path, tmp_path: Path) -> None:
    """The process cannot read a file even where the guard is passed by."""
    secret = tmp_path / "secret.csv"
    secret.write_text("secret,1\n")
    with pytest.raises(QueryRefused, match="cannot open"):
        run_sandboxed(graph, f"LOAD CSV FROM '{secret.as_uri()}' AS row RETURN row", {}, SMALL)


@pytest.mark.parametrize("text", ["CREATE (n:X {id: '1'})", "RETURN unknown", f"RETURN {'(' * 9000}1"])
def test_a_faulty_query_is_one_line(graph: Path, text: str) -> None:
    """A write that passed the guard by, and deep nesting, are errors of the input, in one line."""
    with pytest.raises(QueryRefused) as caught:
        run_sandboxed(graph, text, {}, SMALL)
    assert 1 == len(str(caught.value).splitlines())


def test_a_damaged_copy_is_a_store_error(tmp_path: Path) -> None:
    """A file that kglite cannot open is the store's fault, not the query's."""
    path = tmp_path / "graph.kgl"
    path.write_bytes(b"not a graph")
    with pytest.raises(StoreError, match="could not be run"):
        run_sandboxed(path, "RETURN 1 AS x", {}, SMALL)
