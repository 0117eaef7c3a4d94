"""Say whether two words mean the same, exclude each other, or turn a relation round, by lists that come along.

Cosines of single words were rejected: they put "bought" nearer to "sold" than to "acquired".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from claimgraph.detect.text.words import stem

_SUFFIX = re.compile(
    r"(?:al|er|or|ee|ion|ation|ition|ment|abl|ibl|ly|ful|ity|nes|y|ur|anc|enc|ant|ent|i|iv|ist|ism|ern|ed|en|s|t|it)?$"
)
_LEAST = 4
"""Letters that two words of one family share."""
_NEGATING = ("un", "in", "im", "non", "dis", "ir", "il")


def same(a: str, b: str) -> bool:
    """Return whether two stems are one word, of one family ("employ", "employee"), or listed as synonyms."""
    if a == b:
        return True
    if b in _lists()["same"].get(a, ()):
        return True
    if a[:_LEAST] != b[:_LEAST] or a[:1].isdigit():
        return False
    shared = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return bool(_SUFFIX.match(a[shared:])) and bool(_SUFFIX.match(b[shared:]))


def opposed(a: str, b: str) -> bool:
    """Return whether two stems are opposites, by the list or by a prefix: "fit", "unfit"."""
    if b in _lists()["opposite"].get(a, ()):
        return True
    long, short = (a, b) if len(a) > len(b) else (b, a)
    return len(short) > 2 and any(long == prefix + short for prefix in _NEGATING)


def converse(a: str, b: str) -> bool:
    """Return whether one says of A and B what the other says of B and A: "buy", "sell"."""
    return b in _lists()["converse"].get(a, ())


def relational(word: str) -> bool:
    """Return whether a word names what one is to another: "mother", "employer"."""
    return word in _lists()["converse"]


def exclusive(a: str, b: str) -> bool:
    """Return whether both are of one set whose members exclude each other: days of the week, colours."""
    return a != b and bool(_sets().get(a, frozenset()) & _sets().get(b, frozenset()))


def symmetric(word: str) -> bool:
    """Return whether a relation holds both ways: "meet", "resemble"."""
    return word in _lists()["symmetric"]


@cache
def _lists() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return stems to stems by kind, both ways, from data/antonyms.txt and data/word_relations.txt."""
    found: dict[str, dict[str, set[str]]] = {kind: {} for kind in ("same", "opposite", "converse", "symmetric")}
    rows = [("opposite", line.split()) for line in _lines("antonyms.txt")]
    rows += [(line.split()[0], line.split()[1:]) for line in _lines("word_relations.txt")]
    for kind, words in rows:
        if kind not in found:
            continue
        stems = [stem(word) for word in words]
        for one in stems:
            found[kind].setdefault(one, set()).update(other for other in stems if other != one)
    return {kind: {word: frozenset(others) for word, others in pairs.items()} for kind, pairs in found.items()}


@cache
def _sets() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for row, line in enumerate(_lines("word_relations.txt")):
        kind, *words = line.split()
        for word in words if kind == "exclusive" else ():
            found.setdefault(stem(word), set()).add(row)
    return {word: frozenset(rows) for word, rows in found.items()}


def _lines(name: str) -> list[str]:
    text = (files("claimgraph.detect") / "data" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
