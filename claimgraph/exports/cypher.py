"""Write the graph of verdicts as a Cypher script that any Neo4j runs: one MERGE a node and relationship.

Loaded twice it changes nothing. Strings are written as literals with every control character escaped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from claimgraph.exports.graph import to_networkx
from claimgraph.exports.judged import JudgedDocument

_LABELS = ("Document", "Claim", "Verdict", "Evidence")


def write_cypher(found: Iterable[JudgedDocument], file: TextIO) -> int:
    """Write constraints, then nodes, then relationships, a statement a line. Returns the number of verdicts."""
    made, count = to_networkx(found), 0
    for label in _LABELS:
        file.write(f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE;\n")
    labels = dict(made.nodes(data="label"))
    for key, properties in made.nodes(data=True):
        rest = _map({name: value for name, value in properties.items() if name != "label"})
        file.write(f"MERGE (n:{labels[key]} {{id: {_literal(key)}}}) SET n += {rest};\n")
        count += labels[key] == "Verdict"
    for start, end, properties in made.edges(data=True):
        rest = _map({name: value for name, value in properties.items() if name != "type"})
        ends = f"(a:{labels[start]} {{id: {_literal(start)}}}), (b:{labels[end]} {{id: {_literal(end)}}})"
        file.write(f"MATCH {ends} MERGE (a)-[r:{properties['type']}]->(b) SET r += {rest};\n")
    return count


def _map(properties: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{name}: {_literal(value)}" for name, value in properties.items()) + "}"


def _literal(value: str | float) -> str:
    """Return a JSON string in ASCII, which is a Cypher string too, or a number."""
    if not isinstance(value, str):
        return repr(value)
    return json.dumps(value)
