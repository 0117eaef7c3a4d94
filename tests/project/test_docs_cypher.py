"""Every Cypher line of the documents finds what it says, on either engine."""

from __future__ import annotations

import ast
import json
import re
from itertools import count
from pathlib import Path

import pytest
from filled import ANSWER, fill

from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.records import answer_steps
from claimgraph.kgstore.store import GraphStore

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
BEGINNING = r"(?:MATCH|UNWIND|CALL)\b"


def lines() -> list[str]:
    """Queries in blocks of Cypher, in strings of Python, and in quotation marks or backticks elsewhere.

    Those with three points in them are patterns of a query.
    """
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for language, block in re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL):
            if language == "cypher":
                found.append(block.strip())
            elif language == "python":
                found += [node.value for node in ast.walk(ast.parse(block)) if isinstance(node, ast.Constant)]
            elif language == "sh":
                found += re.findall(rf'"({BEGINNING}[^"]*)"', block)
        found += re.findall(rf"`({BEGINNING}[^`]* RETURN [^`]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return [one for one in found if isinstance(one, str) and re.match(BEGINNING, one) and "..." not in one]


def pictured() -> list[str]:
    """The patterns of README's picture as queries: every property it names must be there."""
    [picture] = re.findall(r"## What is stored\n\n```\n(.*?)```", PAGES[0].read_text(encoding="utf-8"), re.DOTALL)
    return [_query(line) for line in picture.splitlines()]


def _query(pattern: str) -> str:
    numbers, said = count(), []

    def bound(found: re.Match[str]) -> str:
        name = f"x{next(numbers)}"
        said.extend(f"{name}.{key.strip()} IS NOT NULL" for key in (found[3] or "").split(",") if key)
        return f"{found[1]}{name}{found[2]}"

    match = re.sub(r"([(\[])(:[\w|]+)(?: \{([^}]*)\})?", bound, pattern)
    return f"MATCH {match} {'WHERE ' if said else ''}{' AND '.join(said)} RETURN x0.id AS id"


def test_the_documents_hold_queries() -> None:
    """They are found."""
    assert len(lines()) >= 8
    assert len(pictured()) >= 6


def test_every_query_finds_something(store: GraphStore) -> None:
    """Each gives rows, and in each column something."""
    fill(store)
    store.write(*answer_steps([ANSWER]))
    empty = []
    for query in [*lines(), *pictured()]:
        table = store.query(query, {})
        columns = [[row[at] for row in table.rows] for at in range(len(table.columns))]
        if not all(any(value not in (None, "") for value in column) for column in columns) or not table.rows:
            empty.append(query)
    assert [] == empty


def test_the_dashboard_asks_what_the_store_knows(embedded: EmbeddedStore) -> None:
    """Each query of NeoDash's dashboard passes the guard and finds something (but runs, of which there is none here),
    and a chart's columns are among those that its query returns.
    """
    fill(embedded)
    pages = json.loads((ROOT / "docs" / "neodash.json").read_text(encoding="utf-8"))["pages"]
    for report in (one for page in pages for one in page["reports"]):
        table = embedded.query(report["query"], {})
        chosen = {report["selection"].get(name) for name in ("index", "value")} - {None}
        assert (True, True) == (bool(table.rows) or report["title"] == "Runs", chosen <= set(table.columns)), report


def test_nothing_hangs_on_nothing(store: GraphStore) -> None:
    """Every node but the store's own has a name, and is joined to another."""
    fill(store)
    store.write(*answer_steps([ANSWER]))
    alone = "MATCH (n) WHERE n.name IS NULL OR NOT EXISTS { (n)--() } RETURN DISTINCT labels(n)[0] AS label"
    assert {("Migration",)} == set(store.query(alone, {}).rows)


@pytest.mark.parametrize("rule", ["node.Verdict.Refuted", "node.Verdict.Supported", "node.Verdict.NotEnoughInfo"])
def test_the_style_colours_outcomes(store: GraphStore, rule: str) -> None:
    """Neo4j Browser reads rules in order and strings in single quotes only; their labels are stored."""
    text = (ROOT / "docs" / "neo4j.grass").read_text(encoding="utf-8")
    assert '"' not in text
    assert text.index("node.Verdict {") < text.index(f"{rule} {{")
    fill(store)
    labels = rule.removeprefix("node.").replace(".", ":")
    assert store.query(f"MATCH (n:{labels}) RETURN n.name AS name", {}).rows
