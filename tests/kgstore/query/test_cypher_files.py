"""Every query file says what it does, is used, and keeps to what both engines read alike."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from cypher_lint import body, columns, problems

from claimgraph import cypher
from claimgraph.kgstore.engines.migrations import statements

ROOT = Path(__file__).parents[3]
PACKAGES = ("claimgraph", "kgstore", "retrieval", "detect", "workers")
HEADER = ("params:", "returns:", "index:")


def _header(text: str) -> dict[str, str]:
    """The parts of the header: what it does under "", then params, returns and index."""
    parts, current = {"": ""}, ""
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        said = line[2:].strip()
        if found := next((key for key in HEADER if said.startswith(key)), None):
            current, said = found, said.removeprefix(found)
        parts[current] = f"{parts.get(current, '')} {said}".strip()
    return parts


def _strings() -> set[str]:
    """All strings in the code of the packages; the beginning of an f-string with a star after it."""
    found = set()
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(text)):
                    found.add(text)
                case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
                    found.add(f"{text}*")
    return found


@pytest.mark.parametrize("name", cypher.names())
def test_a_query_says_what_it_does(name: str) -> None:
    """The header tells purpose, parameters, columns and index, and the first two are those of the query."""
    text = cypher.load(name)
    header = _header(text)
    assert {"", *HEADER} == {key for key, said in header.items() if said}
    used = set(re.findall(r"\$(\w+)", body(text)))
    declared = set(re.findall(r"\w+", re.sub(r"\[.*|\(.*?\)|:.*|\bwhere\b.*", "", header["params:"]))) - {"none"}
    assert declared == used
    returned = [] if header["returns:"] == "nothing" else re.split(r",\s*", header["returns:"])
    assert returned == columns(text)


@pytest.mark.parametrize("name", cypher.names())
def test_a_write_takes_rows_and_returns_nothing_else(name: str) -> None:
    """What writes begins with UNWIND $rows AS row; what reads writes nothing."""
    code = body(cypher.load(name))
    writes = re.search(r"\b(CREATE|MERGE|SET|DELETE|REMOVE)\b", code) is not None
    assert writes == code.startswith("UNWIND $rows AS row\n")
    assert writes == name.startswith(("put_", "delete_", "load_", "leave_", "bridge_"))


@pytest.mark.parametrize("name", cypher.names())
def test_a_query_is_read_alike_by_both_engines(name: str) -> None:
    """Nothing in it stands in the list of differences."""
    assert [] == problems(cypher.load(name))


def test_no_query_is_dead() -> None:
    """Every query is used by its name somewhere in the code."""
    strings = _strings()
    beginnings = tuple(text[:-1] for text in strings if re.fullmatch(r"[a-z]+_\*", text))
    assert [] == [name for name in cypher.names() if name not in strings and not name.startswith(beginnings)]


@pytest.mark.parametrize(("name", "text"), cypher.migrations())
def test_a_migration_holds_schema_that_may_run_twice(name: str, text: str) -> None:
    """A number, schema statements IF NOT EXISTS or IF EXISTS, and nothing the engines do not agree on."""
    assert re.fullmatch(r"\d{4}_schema_\w+", name)
    assert [] == problems(text)
    for statement in statements(text):
        assert re.match(
            r"(CREATE (CONSTRAINT|INDEX|FULLTEXT INDEX) \w+ IF NOT EXISTS FOR |DROP (CONSTRAINT|INDEX) \w+ IF EXISTS$)",
            statement,
        )


def test_migrations_are_numbered_without_gaps() -> None:
    """0001, 0002 and so on."""
    numbers = [int(name[:4]) for name, _ in cypher.migrations()]
    assert list(range(1, len(numbers) + 1)) == numbers


@pytest.mark.parametrize(
    "bad",
    [
        "/* why */ RETURN 1 AS x",
        "RETURN COLLECT { MATCH (n) RETURN n.id } AS x",
        "MATCH (e:Entity) WHERE e.id IN $ids RETURN e.id AS id",
        "MATCH (n:Entity) RETURN n{.*} AS n",
        "MATCH (n:Entity) RETURN properties(n) AS p",
        "MATCH (n:Entity) RETURN keys(n) AS k",
        "MATCH (n:Entity) RETURN n",
        "MATCH (n:Entity) RETURN n.id AS id, n AS node",
        "MATCH (a:Claim)-[r:LINKED]->(b:Entity) RETURN r",
        "MATCH (a:Entity)-[:FACT]->(b) RETURN b",
        "MATCH (a:Entity)-[:FACT]->{1,2}(b) RETURN b.id AS id",
        "MATCH (a:Entity)-[:FACT]->+(b) RETURN b.id AS id",
        "MATCH (c:Claim) CALL (c) { SET c.x = 1 } RETURN c.id AS id",
        "MERGE (c:Claim {id: row.id, text: row.text})",
        "MERGE (c:Claim {id: row.id})-[:IN]->(d)",
        "MERGE (c)-[:IN]->(d:Document {id: row.document})",
        "MATCH (c:Claim) SET c.end = 1",
        "CREATE (c:Claim {id: row.id, limit: 1})",
        "MATCH (c:Claim) RETURN c.where AS x",
        "MATCH (a)-[r:LINKED]->(b) SET r.id = 1",
        "MATCH (a)-[r:FACT]->(b) SET r.start = 1",
        "MATCH (a)-[r:FACT]->(b) RETURN r.type AS type",
        "RETURN timestamp() AS now",
        "RETURN percentileCont(1, 0.5) AS p",
        "RETURN apoc.text.clean('x') AS x",
        "RETURN localdatetime() AS x",
        "CREATE VECTOR INDEX v IF NOT EXISTS FOR (n:Entity) ON (n.vector);",
        "CALL db.awaitIndexes(300)",
        "CREATE FULLTEXT INDEX x IF NOT EXISTS FOR (n:Entity) ON EACH [n.name, n.text];",
        "CREATE FULLTEXT INDEX x IF NOT EXISTS FOR (n:Entity|Claim) ON EACH [n.name];",
        "CREATE CONSTRAINT x IF NOT EXISTS FOR (n:Entity) REQUIRE n.name IS NOT NULL;",
    ],
)
def test_the_lint_finds_what_differs(bad: str) -> None:
    """Each line of the list of differences, written down, is found."""
    assert 1 == len(problems(f"// A comment with end: and .limit, which is not looked at.\n{bad}"))


def test_the_lint_lets_good_queries_be() -> None:
    """Words in strings, aliases in backticks, COUNT {} and bounded lengths are fine."""
    good = "MATCH (a:Entity)-[:FACT*1..2]->(b) WHERE a.x <> '/* .end */' RETURN a.x AS `end`, COUNT { (a)--() } AS n"
    assert [] == problems(good)
    assert ["end", "n"] == columns(good)
