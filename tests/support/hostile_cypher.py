"""Statements that try to write, to read a file or to run a procedure, in frames that hide them from a guard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

_ACTS = (
    "CREATE (:Planted)", "MERGE (:Planted {{id: 1}})", "MATCH (n) SET n.planted = 1", "MATCH (n) REMOVE n.name",
    "MATCH (n) DETACH DELETE n", "FOREACH (x IN [1] | CREATE (:Planted))", "CREATE INDEX planted FOR (n:E) ON (n.name)",
    "DROP INDEX planted", "LOAD CSV FROM '{file}' AS row RETURN row", "CALL apoc.load.json('{file}')",
    "CALL dbms.listConfig()", "CALL db.text_index.refresh({{type: 'E', text_column: 'name'}})", "SHOW INDEXES",
    "USE system RETURN 1 AS one", "TERMINATE TRANSACTIONS 'x'", "CALL {{ CREATE (:Planted) }}",
    "CALL {{ MATCH (n) DELETE n }} IN TRANSACTIONS", "`CREATE` (:Planted)", "\\u0043REATE (:Planted)",
    "MATCH (n) \u017fET n.planted = 1", "cReAtE (:Planted)", "EXPLAIN CREATE (:Planted)",
    "MATCH (n) RETURN n.name AS name",
)  # fmt: skip
_FRAMES = (
    "{act}", "RETURN 1 AS a{mark}{act}", "MATCH (n) RETURN n.name AS name{mark}{act}", "//{mark}{act}",
    "RETURN 1 AS a //{mark}{act}", "/*{mark}*/ {act}", "/*{mark}{act}", "RETURN '{mark}{act}' AS a",
    'RETURN "{mark}{act}" AS a', "RETURN 1 AS `{mark}{act}`", "UNWIND [1] AS i CALL {{ {act} }}{mark}RETURN i",
    "MATCH (n) WHERE EXISTS {{ {act} }}{mark}RETURN n.name AS name", "RETURN COUNT {{ {act} }}{mark}AS a",
    "EXPLAIN{mark}{act}", "PROFILE{mark}{act}", "RETURN $p AS a{mark}{act}", "RETURN 'a\\'{mark}{act} //' AS a",
    "RETURN 1 AS a UNION{mark}{act}", "CYPHER 5{mark}{act}", "WITH 1 AS a{mark}{act}",
)  # fmt: skip
_MARKS = (
    " ", "\n", "\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\u00a0", "\x1c", ";", "; //\r", "/**/", "*/",
    "//\u2028", "\\u000a", "\\u0027", "`", "'", '"',
)  # fmt: skip


def statements(file: str) -> Iterator[str]:
    """Yield them; `file` is the address of a file that none may read."""
    for act, frame, mark in product(_ACTS, _FRAMES, _MARKS):
        yield frame.format(act=act.format(file=file), mark=mark)
