"""The guard lets single reads through and nothing else, whatever the spelling."""

from __future__ import annotations

from pathlib import Path

import kglite
import pytest
from hostile_cypher import READS, statements
from hypothesis import example, given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.errors import QueryRefused
from claimgraph.kgstore.query.guard import FORBIDDEN, admit

REFUSED = {
    "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row": "line 1, column 1: LOAD is not allowed",
    "RETURN 1 AS r UNION LOAD CSV FROM 'file:///etc/passwd' AS r RETURN r": "column 21: LOAD",
    "RETURN 1 AS r UNION `LOAD` CSV FROM 'file:///etc/passwd' AS r RETURN r": "column 21: `LOAD`",
    "RETURN 1; MATCH (n) DETACH DELETE n": "column 11: MATCH begins a second statement",
    "MATCH (n)\nSET n.x = 1": "line 2, column 1: SET",
    "MATCH (n) WHERE n.x = 1.SET n.y = 2": "SET",
    "MATCH (n) \u017fET n.x = 1": "\u017fET",
    "MATCH (n) CALL (n) { RETURN 1 AS y } IN TRANSACTIONS RETURN y": "TRANSACTIONS",
    "USE system SHOW USERS": "USE",
    "SHOW SETTINGS": "SHOW",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'": "TERMINATE",
    "FOREACH (x IN [1] | CREATE (:X))": "FOREACH",
    "START n=node(*) RETURN n": "cannot begin with START",
    "EXPLAIN MATCH (n) RETURN n": "cannot begin with EXPLAIN",
    "`MATCH` (n) RETURN n": "cannot begin with `MATCH`",
    "CALL dbms.killConnection('bolt-1')": "CALL dbms.killConnection is not allowed",
    "CALL `dbms`.`listConfig`()": "CALL dbms.listConfig is not allowed",
    "RETURN apoc.load.json('file:///etc/passwd') AS x": "column 8: the function apoc.load.json",
    "MATCH (n:call apoc.load.json('x')) RETURN n": "the function apoc.load.json",
    "RETURN 'a\\u0027 CREATE (n) //' AS x": "the escape \\u0027",
    "\\u0043REATE (n)": "the character \\",
    "RETURN 'a\\q' AS x": "the escape \\q",
    "MATCH (n) RETURN 1SET": "the number 1S",
    "RETURN 'open": "a string that is never closed",
    "RETURN `open": "a name in backticks that is never closed",
    "RETURN 1 /* open": "a comment that is never closed",
    "RETURN \x00": "U+0000",
    "RETURN '\ud800' AS x": "no UTF-8",
    "  // nothing\n ; ": "the query is empty",
}


@pytest.mark.parametrize("text", READS)
def test_reads_pass_unchanged(text: str) -> None:
    """A single read statement without comments comes back as it was, with or without a closing semicolon."""
    assert text == admit(text)
    assert text == admit(text + " ; ")


@pytest.mark.parametrize("text", REFUSED)
def test_all_else_is_refused_with_its_place(text: str) -> None:
    """What is no single read is refused in one line that names the offending word and where it stands."""
    with pytest.raises(QueryRefused) as caught:
        admit(text)
    assert REFUSED[text] in str(caught.value)
    assert 1 == len(str(caught.value).splitlines())


def test_comments_never_reach_an_engine() -> None:
    """Comments of both kinds become one space or line feed, since the engines end them at different characters."""
    assert "MATCH (n) RETURN\nn.id" == admit("MATCH (n) /* SET */ RETURN // DELETE\r\n n.id // ; LOAD CSV")


def test_long_texts_take_linear_work() -> None:
    """Texts of many thousand semicolons, calls or dots are answered, since nothing is copied once a token."""
    assert "RETURN 1" == admit("RETURN 1" + ";" * 5_000)
    assert admit("CALL {" * 5_000).startswith("CALL {")
    assert admit("RETURN a" + ".b" * 20_000)


pieces = st.sampled_from(
    [
        "MATCH (n)",
        "RETURN n.x",
        "'SET'",
        '"\\""',
        "// DROP\n",
        "/* CREATE */",
        "`MERGE`.x",
        "n.set",
        "(:Load)",
        "1.5",
        "$p",
    ]
)
forbidden = st.sampled_from(sorted(FORBIDDEN)).flatmap(
    lambda word: st.lists(st.booleans(), min_size=len(word), max_size=len(word)).map(
        lambda upper: "".join(c.upper() if u else c for c, u in zip(word, upper, strict=True))
    )
)
gaps = st.sampled_from([" ", "\n", "\t", "\u00a0", "/**/", "//\n", "//\r", " /* ' */ "])


@settings(max_examples=200, deadline=None)
@given(st.lists(pieces, max_size=5), forbidden, gaps, st.lists(pieces, max_size=5))
def test_a_forbidden_word_is_found_anywhere(before: list[str], word: str, gap: str, after: list[str]) -> None:
    """A forbidden word outside strings, comments, properties and labels is refused, whatever stands around it."""
    with pytest.raises(QueryRefused):
        admit(" ".join(["MATCH (m)", *before]) + gap + word + gap + " ".join(["x", *after]))


@settings(max_examples=200, deadline=None)
@given(forbidden, st.sampled_from(["'{}'", '"{} "', "'\\'{}'", "n.{}", "n.`{}`", "1 AS `{}`", "n:{}"]), gaps)
def test_the_same_word_as_data_or_member_passes(word: str, form: str, gap: str) -> None:
    """Inside a string, as a property, a label or a quoted alias the same word is only a name."""
    assert "RETURN" in admit(f"MATCH (n){gap}RETURN {form.format(word)}")
    assert "MATCH (n) RETURN n" == admit(f"MATCH (n) /* {word} */ RETURN n // {word}")


@settings(max_examples=300, deadline=None)
@given(st.text() | st.lists(pieces | gaps | forbidden | st.sampled_from(list("'\"`\\;:.{}()/*"))).map("".join))
def test_any_text_is_admitted_for_good_or_refused(text: str) -> None:
    """No text raises anything but QueryRefused, and what was admitted once is admitted again as it is."""
    try:
        statement = admit(text)
    except QueryRefused:
        return
    assert statement == admit(statement)


def test_no_spelling_of_load_csv_reads_a_file(tmp_path: Path) -> None:
    """Of many spellings of LOAD CSV, none that the guard lets through makes the embedded engine read the file."""
    path = tmp_path / "secret.csv"
    path.write_text("secret,1\n")
    session = kglite.KnowledgeGraph().session()
    marks = st.sampled_from(
        ["", " ", "\r", "\n", "'", '"', "`", "\\", ";", ":", ".", "//", "/*", "*/", "\\u0027", "''"]
    )

    @settings(max_examples=300, deadline=None)
    @given(marks, marks, marks, marks, st.sampled_from(["LOAD", "`LOAD`", "load", "lo\u0430d"]))
    @example("`", "", "`", "//", "`LOAD`")
    def attempt(a: str, b: str, c: str, d: str, load: str) -> None:
        text = f"RETURN {a}1{b} AS r UNION {c}{load}{d} CSV FROM '{path.as_uri()}' AS r RETURN r"
        try:
            rows = session.cypher(admit(text))
        except (QueryRefused, kglite.KgError):
            return
        assert "secret" not in repr(list(rows))

    attempt()
    assert "secret" in repr(list(session.cypher(f"LOAD CSV FROM '{path.as_uri()}' AS r RETURN r")))


def test_no_hostile_statement_changes_or_reads_anything(tmp_path: Path) -> None:
    """Of more than 5,000 hostile statements all that are let through run on a graph that may be written, and leave it
    as it was, and none returns what a file holds.
    """
    path = tmp_path / "secret.csv"
    path.write_text("planted secret,1\n")
    graph = kglite.KnowledgeGraph()
    graph.cypher("UNWIND range(1, 5) AS i CREATE (:E {id: toString(i), name: 'n' + toString(i)})")
    everything = "MATCH (n) RETURN labels(n) AS labels, properties(n) AS own ORDER BY n.id"
    before, tried, ran = repr(list(graph.cypher(everything))), 0, 0
    for text in dict.fromkeys(statements(path.as_uri())):
        tried += 1
        try:
            rows = repr(list(graph.cypher(admit(text), params={"p": 1}, timeout_ms=2000)))
        except (QueryRefused, kglite.KgError):
            continue
        ran += 1
        assert "planted secret" not in rows, text
        assert before == repr(list(graph.cypher(everything))), text
    assert tried > 5_000
    assert ran > 500
    assert "planted secret" in repr(list(graph.cypher(f"LOAD CSV FROM '{path.as_uri()}' AS r RETURN r")))
    graph.cypher("CREATE (:Planted {id: '6'})")
    assert before != repr(list(graph.cypher(everything)))
