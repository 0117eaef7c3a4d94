"""`claimgraph cypher` prints rows as asked and says what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from claimgraph.cli.store.cypher import cypher, parse_param
from claimgraph.kgstore.errors import QueryLimit, QueryRefused, UsageError


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command on an embedded store of its own; errors come out as they were raised."""
    import typer

    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    open_store(load_settings()).close()
    app = typer.Typer()
    app.command()(cypher)

    def run(*arguments: str) -> Any:
        result = CliRunner().invoke(app, list(arguments))
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


def test_json_is_a_list_of_rows(runner: Any) -> None:
    """--json prints one object a row with dates in ISO 8601; parameters are JSON, else strings."""
    text = "UNWIND $n AS n RETURN n, $word AS word, datetime('2024-03-15T10:00Z') AS at, [n, null] AS list"
    result = runner(text, "--param", "n=[1, 2]", "--param", "word=it's `; DROP", "--json")
    at = "2024-03-15T10:00:00+00:00"
    expected = [{"n": n, "word": "it's `; DROP", "at": at, "list": [n, None]} for n in (1, 2)]
    assert expected == json.loads(result.stdout)


def test_csv_is_rfc_4180(runner: Any) -> None:
    """--csv quotes what needs it, ends lines with CR LF, and leaves null empty."""
    result = runner("UNWIND ['a,b', 'say \"x\"', 'two\\nlines', null] AS x RETURN x, [1] AS list", "--csv")
    assert 'x,list\r\n"a,b",[1]\r\n"say ""x""",[1]\r\n"two\nlines",[1]\r\n,[1]\r\n' == result.stdout_bytes.decode()
    assert 5 == len(list(csv.reader(io.StringIO(result.stdout_bytes.decode(), newline=""))))


def test_a_table_for_people_says_when_it_is_cut(runner: Any, tmp_path: Path) -> None:
    """Without options a table is printed, and a truncated result is said on standard error."""
    file = tmp_path / "query.cypher"
    file.write_text("// three rows\nUNWIND range(7001, 7003) AS number RETURN number;\n")
    result = runner("--file", str(file), "--limit", "2")
    assert "7002" in result.stdout
    assert "7003" not in result.stdout
    assert "only the first 2 rows" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["RETURN 1 AS x", "--json", "--csv"], UsageError),
        ([], UsageError),
        (["RETURN 1 AS x", "--file", "x.cypher"], UsageError),
        (["RETURN $x AS x", "--param", "x"], UsageError),
        (["LOAD CSV FROM 'file:///etc/hostname' AS row RETURN row"], QueryRefused),
        (["MATCH (n) DETACH DELETE n"], QueryRefused),
        (["RETURN reduce(s = 'ab', i IN range(1, 60) | s + s) AS s", "--memory", "128"], QueryLimit),
    ],
)
def test_what_cannot_be_run_is_an_error(runner: Any, arguments: list[str], error: type[Exception]) -> None:
    """Contradicting options, refused statements and passed limits are raised for main to print."""
    with pytest.raises(error):
        runner(*arguments)


@pytest.mark.parametrize(
    ("item", "value"),
    [("k=1", 1), ("k=Q90", "Q90"), ('k="1"', "1"), ("k=null", None), ("k=a=b", "a=b"), ("k=", ""), ("k=NaN", "NaN")],
)
def test_parameters_are_json_or_strings(item: str, value: Any) -> None:
    """A value that is JSON is read as such; anything else is the string it is."""
    assert ("k", value) == parse_param(item)
