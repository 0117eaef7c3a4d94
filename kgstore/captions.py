"""What nodes are called that have no name of their own: the `name` that a graph browser writes on them.

Made here from a node's properties, so that a migration calls old nodes what new ones are called. Cutting texts in
Cypher was rejected: Neo4j counts UTF-16 units, and cuts through the middle of a character.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from claimgraph.kgstore.store import Row

_LONGEST = 60


def shortened(text: str, longest: int = _LONGEST) -> str:
    """The text on one line, cut to so many characters, the last of which is then an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def quoted(text: str, longest: int = _LONGEST) -> str:
    """The text shortened, in quotation marks: what a document without a name is called."""
    return f"“{shortened(text, longest)}”"


_NAMES: Mapping[str, Callable[[Row], str]] = {
    "Claim": lambda row: shortened(row["statement"] or row["text"]),
    "Evidence": lambda row: f"{shortened(row['source'], 20)}: {quoted(row['text'], 40)}",
    "Run": lambda row: f"{row['method']}, {row['startedAt']:%Y-%m-%d}",
    "Fetch": lambda row: f"{row['source']} into {row['target']}",
    "Answer": lambda row: shortened(row["question"]),
    "Correction": lambda row: f"{shortened(row['before'], 30)} → {shortened(row['after'], 30)}",
}
LABELS = tuple(_NAMES)
"""Labels whose nodes are named by `named`. A verdict is named where it is written, after its claim."""


def named(label: str, row: Row) -> Row:
    """The properties of a node with its name."""
    return row | {"name": _NAMES[label](row)}
