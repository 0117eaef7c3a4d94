"""A user's query gives the same on every engine, stays within its limits, and reads nothing but the graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from filled import ANN, fill

from claimgraph.kgstore.errors import InputError, QueryLimit, QueryRefused
from claimgraph.kgstore.store import GraphStore, QueryLimits, Table

SMALL = QueryLimits(seconds=60, rows=3, memory_mib=256)


def test_rows_have_the_same_shape_on_every_engine(store: GraphStore) -> None:
    """Scalars, lists, maps, times, nodes and relationships come as the same plain values."""
    fill(store)
    text = """
        // A comment; and another statement's beginning
        MATCH (a:Entity {id: $id})-[f:FACT]->(l:Literal)
        RETURN a.id AS id, f.spanStart AS nothing, [1, 2.5, true] AS list, {a: $id} AS map,
            datetime('2024-03-15T10:00:00Z') AS at, l AS node, type(f) AS type;
    """
    table = store.query(text, {"id": ANN.id}, SMALL)
    columns = ("id", "nothing", "list", "map", "at", "node", "type")
    literal = {"name": "1989", "value": "1989", "datatype": "date", "precision": "year"}
    (row,) = table.rows
    node = row[5]
    assert (columns, False) == (table.columns, table.truncated)
    assert (ANN.id, None, [1, 2.5, True], {"a": ANN.id}, "2024-03-15T10:00:00+00:00") == row[:5]
    assert ["Literal"] == node["labels"]
    assert literal == {key: value for key, value in node["properties"].items() if value is not None and key != "id"}


@pytest.mark.parametrize(("most", "truncated"), [(3, False), (4, True)])
def test_the_row_limit_is_said(store: GraphStore, most: int, truncated: bool) -> None:
    """As many rows as the limit are all; one more, and the table says that it was cut."""
    assert Table(("i",), ((1,), (2,), (3,)), truncated) == store.query(
        "UNWIND range(1, $most) AS i RETURN i", {"most": most}, SMALL
    )


@pytest.mark.parametrize(
    "text",
    [
        "RETURN size(reduce(s = 'ab', i IN range(1, 60) | s + s)) AS n",
        "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b UNWIND range(1, 100000) AS c "
        "WITH a, b, c WHERE a + b + c = 0 RETURN count(*) AS n",
        "WITH range(1, 5000) AS l UNWIND l AS a UNWIND l AS b RETURN collect(toString(a) + 'x' + toString(b)) AS s",
    ],
    ids=["doubling string", "endless product", "endless list"],
)
def test_no_query_outlives_its_limits(store: GraphStore, text: str) -> None:
    """What grows or runs without end is ended, or refused where Neo4j could not end it, and the store answers
    afterwards.
    """
    with pytest.raises((QueryLimit, QueryRefused)):
        store.query(text, {}, QueryLimits(seconds=3, memory_mib=256))
    assert ((1,),) == store.query("RETURN 1 AS x", {}, SMALL).rows


@pytest.mark.parametrize(
    "value",
    [
        "'); MATCH (n) DETACH DELETE n //",
        "$other",
        "`",
        "\u202e",
        "{a: 1}",
        ["'", "\\u0027"],
        {"a": 1},
        None,
        2**62,
        1.5,
    ],
)
def test_parameters_are_data(store: GraphStore, value: Any) -> None:
    """Whatever a parameter holds comes back as it was and runs nothing."""
    assert ((value,),) == store.query("RETURN $value AS value", {"value": value}, SMALL).rows


@pytest.mark.parametrize("value", [2**70, "\ud800"])
def test_a_value_no_engine_can_hold_is_an_input_error(store: GraphStore, value: Any) -> None:
    """A number beyond 64 bits and half a surrogate pair are errors of the input, not of the program."""
    with pytest.raises(InputError):
        store.query("RETURN $value AS value", {"value": value}, SMALL)


def test_no_file_is_read(store: GraphStore, tmp_path: Path) -> None:
    """LOAD CSV of a local file is refused in any of its spellings, on every engine."""
    secret = tmp_path / "secret.csv"
    secret.write_text("secret,1\n")
    for load in ("LOAD CSV", "load /**/ csv", "`LOAD` CSV", "RETURN 1 AS r UNION LOAD CSV"):
        with pytest.raises(QueryRefused):
            store.query(f"{load} FROM '{secret.as_uri()}' AS r RETURN r", {}, SMALL)


@pytest.mark.parametrize(
    "text", ["MATCH (n) DETACH DELETE n", "SHOW INDEXES", "RETUR 1", "RETURN $missing AS x", "RETURN 1/0 AS x"]
)
def test_a_faulty_query_is_one_line(store: GraphStore, text: str) -> None:
    """A write, a command, a syntax error, a missing parameter and a division by zero are refused in one line."""
    with pytest.raises(QueryRefused) as caught:
        store.query(text, {}, SMALL)
    assert 1 == len(str(caught.value).splitlines())
