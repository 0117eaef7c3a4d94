"""Reads that everybody writes; and statements that try to write, to read a file or to run a procedure, in frames that
hide them from a guard.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

READS = [
    "MATCH (n) RETURN n.name AS name ORDER BY name DESC SKIP 1 LIMIT 2",
    "OPTIONAL MATCH (n:Claim)-[:CURRENT]->(v:Verdict) WHERE v.outcome = $outcome RETURN v.id AS id",
    "MATCH p=(a)-[*1..3]->(b) RETURN [x IN nodes(p) | x.name][0..2] AS names",
    "UNWIND [1, 2.5, .5, 1e-3, 0xff] AS x WITH x WHERE x <> 1 AND x =~ 'a.*' RETURN x",
    "RETURN 1 AS x UNION ALL RETURN 2 AS x",
    "MATCH (n) CALL (n) { MATCH (n)--(m) RETURN count(m) AS c } RETURN n.id AS id, c",
    "CALL { MATCH (n) RETURN n } RETURN n.id AS id",
    "CALL db.labels() YIELD label RETURN label",
    "CALL db.index.fulltext.queryNodes('entities', $text) YIELD node, score RETURN node.id AS id, score",
    "MATCH (n) RETURN n {.name, .id} AS n, $`a parameter`, $1",
    "RETURN date.truncate('day', datetime()) AS day, duration.between(date(), date()) AS d",
    "RETURN CASE WHEN EXISTS { (:Claim)-[:IN]->() } THEN 1 ELSE reduce(a = 0, x IN [1] | a + x) END AS x",
    "MATCH (n:Straße) RETURN n.größe AS größe, 'é\\u00e9' AS x",
    "MATCH (n) RETURN n.set AS a, n.load AS b, n.`create` AS `set`",
    "MATCH (n:Create)-[r:USE]->(m:Show) RETURN n.id AS id",
    "RETURN 'CREATE (n)' AS a, \"it's; DELETE\" AS b, 'C:\\\\users' AS c, 'it\\'s SET' AS d",
]

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
