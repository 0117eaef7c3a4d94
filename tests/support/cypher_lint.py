"""What the two engines read differently, as rules over the text of a query.

kglite lacks the syntax, invents a value or answers something else; Neo4j's Community edition refuses the rest.
"""

from __future__ import annotations

import re

_RESERVED = "end|limit|match|case|when|exists|with|where|skip"
_PATTERNS = {
    "a block comment": r"/\*",
    "COLLECT {}": r"(?i)\bCOLLECT\s*\{",
    "IN $ids (UNWIND is four times faster)": r"(?i)\bIN\s+\$ids\b",
    "all properties at once": r"\{\s*\.\*|\bproperties\s*\(|(?<!\[key IN )\bkeys\s*\(",
    "a quantified path": r"->?\s*(?:\{\s*\d|[+*])",
    "MERGE on several properties": r"(?i)\bMERGE\b[^\n]*\{[^}]*,",
    "MERGE of a path with an unbound end": r"(?i)\bMERGE\s*(?:\(\w*\s*:[^)]*\)\s*<?-|[^\n]*(?:\]-|>)\s*\(\w*\s*:)",
    "a reserved word as a property": rf"(?i)\.(?:{_RESERVED})\b|[{{,]\s*(?:{_RESERVED})\s*:",
    "a function of one engine": r"(?i)\b(?:percentileCont|timestamp|apoc\.[\w.]+|gds\.[\w.]+)\s*\(",
    "a date-time without a zone": r"(?i)\blocal(?:date)?time\s*\(",
    "a vector index": r"(?i)\bVECTOR\s+INDEX\b|\bdb\.index\.vector\b",
    "awaitIndexes": r"(?i)\bawaitIndex",
    "a full-text index over several properties or labels": r"(?i)FULLTEXT[^;]*(?:ON EACH \[[^\]]*,|\(\w+:\w+\|)",
    "a constraint of Neo4j's Enterprise edition": r"(?i)\bREQUIRE\b[^;]*\bIS\s+(?:NOT\s+NULL|\w+\s+KEY|::)",
}
_WRITES = re.compile(r"(?i)\b(?:CREATE|MERGE|SET|DELETE|REMOVE)\b")


def body(text: str) -> str:
    """The text without its `//` lines."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))


def problems(text: str) -> list[str]:
    """What in a query or migration the engines do not agree on."""
    code = _without_strings(body(text))
    found = [rule for rule, pattern in _PATTERNS.items() if re.search(pattern, code)]
    if any(_WRITES.search(inner) for inner in _subqueries(code)):
        found.append("a write in CALL {}")
    if any(item in _bound(code) for item in _returned(code)):
        found.append("a whole node or relationship returned")
    if any(re.search(rf"\b{name}\.(?:start|end|type{own})\b", code) for name, own in _relationships(code)):
        found.append("start, end, type or id on a relationship")
    return found


def columns(text: str) -> list[str]:
    """Names of the columns the query returns."""
    items = _items(body(text))
    return [re.sub(r"`", "", item.split()[-1]) for item in items]


def _without_strings(code: str) -> str:
    return re.sub(r"'[^']*'", "''", code)


def _subqueries(code: str) -> list[str]:
    """The texts between the braces of CALL {}."""
    found = []
    for opening in re.finditer(r"(?i)\bCALL\s*(?:\([^)]*\)\s*)?\{", code):
        depth, at = 1, opening.end()
        while depth and at < len(code):
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        found.append(code[opening.end() : at])
    return found


def _items(code: str) -> list[str]:
    """What stands between the last RETURN and ORDER BY, SKIP or LIMIT, split at the outer commas."""
    parts = re.split(r"(?i)\bRETURN\b(?:\s+DISTINCT\b)?", code)
    if len(parts) == 1:
        return []
    last = re.split(r"(?i)\b(?:ORDER\s+BY|SKIP|LIMIT)\b", parts[-1])[0]
    items, depth = [""], 0
    for char in last:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            items.append("")
        else:
            items[-1] += char
    return [item.strip() for item in items]


def _returned(code: str) -> list[str]:
    """The first words of those returned items that are a bare variable."""
    return [item.split()[0] for item in _items(code) if re.fullmatch(r"\w+(?:\s+AS\s+\S+)?", item)]


def _bound(code: str) -> set[str]:
    """Variables of nodes and relationships."""
    places = (r"\((\w+)\s*[:{]", r"\((\w+)\)\s*<?-", r"[->]\s*\((\w+)\)")
    nodes = {name for place in places for name in re.findall(place, code)}
    return nodes | {name for name, _ in _relationships(code)}


def _relationships(code: str) -> list[tuple[str, str]]:
    """Variables of relationships, each with the further name it may not have: only a FACT has an id of its own."""
    found = re.findall(r"-\[(\w+)(?::([\w|]+))?", code)
    return [(name, "" if kind in ("FACT", "") else "|id") for name, kind in found]
