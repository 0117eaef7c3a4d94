"""No regular expression of the packages takes more than linear time, whatever it is given."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import math
import pkgutil
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import claimgraph

SIZE = 20_000
"""Characters of a hostile text. A linear pattern needs about a millisecond for it, a quadratic one a second."""
SECONDS = 0.1
"""Processor time that a pattern may take for it on any machine; above this, the growth of the time decides."""
GROWTH = 8
"""How many times as long as its quarter a text may take: a linear pattern takes 4 times as long, a quadratic one 16."""
FILLERS = (" ", "\n", "a", "A", "1", ".", ",", "-", "'", '"', "(", "[", "<", "|", "a ", "A. ", "1,")
END = "\x01"
"""A last character that nothing expects: what matched so far is tried in all ways."""
_CLASSES = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_NOT_WORD: "-",
}


_USES = frozenset({"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "scanner"})
Use = tuple[re.Pattern[str], str]
"""A pattern and the method of it that is called: match, fullmatch, or search for all that go through a text."""


def sources() -> Iterator[tuple[str, ast.Module]]:
    """The modules that have patterns, by name, parsed."""
    for found in pkgutil.walk_packages(claimgraph.__path__, "claimgraph."):
        spec = importlib.util.find_spec(found.name)
        text = Path(str(spec and spec.origin)).read_text(encoding="utf-8")
        if re.search(r"^import re$", text, re.MULTILINE):
            yield found.name, ast.parse(text)


def _calls(tree: ast.Module) -> Iterator[tuple[str, str, ast.Call]]:
    """What is called as `name.method(...)`."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            yield node.func.value.id, node.func.attr, node


def _written(tree: ast.Module) -> Iterator[Use]:
    """Patterns that are written out where they are used, or compiled within a function, with the flags beside them.

    What is put into one at run time, escaped, stands for a letter.
    """
    inside: dict[ast.AST, set[str]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            attributes = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
            inside |= dict.fromkeys(ast.walk(function), attributes & _USES)
    for name, method, call in _calls(tree):
        pattern = _pattern(call.args[0]) if name == "re" and call.args else None
        if pattern is not None and (method != "compile" or call in inside):
            flags = [
                getattr(re, word) for word in ("IGNORECASE", "MULTILINE", "DOTALL") if f"re.{word}" in ast.unparse(call)
            ]
            yield re.compile(pattern, sum(flags)), _way(inside[call] if method == "compile" else {method})


def _pattern(node: ast.expr) -> str | None:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    said = [str(part.value) if isinstance(part, ast.Constant) else "x" for part in parts]
    known = (ast.Constant, ast.FormattedValue)
    return "".join(said) if all(isinstance(part, known) for part in parts) else None


def _way(methods: set[str]) -> str:
    return next(iter(methods)) if (methods and methods <= {"match"}) or methods == {"fullmatch"} else "search"


def _held(value: Any, depth: int = 3) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield from [value] if isinstance(value.pattern, str) else []
    elif depth and isinstance(value, dict):
        yield from (one for part in value.values() for one in _held(part, depth - 1))
    elif depth and isinstance(value, tuple | list):
        yield from (one for part in value for one in _held(part, depth - 1))
    elif depth and is_dataclass(value) and not isinstance(value, type):
        yield from (one for part in fields(value) for one in _held(getattr(value, part.name), depth - 1))
    elif depth and isinstance(value, type) and value.__module__.startswith("claimgraph"):
        yield from (one for part in vars(value).values() for one in _held(part, depth - 1))


def patterns() -> dict[str, Use]:
    """All patterns of texts, by the module that has them."""
    found: dict[Use, str] = {}
    for name, tree in sources():
        methods: dict[str, set[str]] = {}
        for owner, method, _ in _calls(tree):
            if method in _USES:
                methods.setdefault(owner, set()).add(method)
        known = vars(importlib.import_module(name))
        others = {method for owner, some in methods.items() if owner not in known for method in some} - {"split"}
        for owner, value in known.items():
            for one in _held(value):
                way = _way(methods.get(owner, others))
                found.setdefault((one, way), name)
        for use in _written(tree):
            found.setdefault(use, name)
    return {f"{name} {way} {one.pattern[:60]!r}": (one, way) for (one, way), name in found.items()}


def _pieces(tree: Any) -> Iterator[str]:
    """A text that the pattern may match, piece by piece: one for each of its parts."""
    for kind, value in tree:
        if kind is codes.LITERAL:
            yield chr(value)
        elif kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            yield "".join(_pieces(value[2])) * max(1, min(int(value[0]), 5))
        elif kind is codes.SUBPATTERN:
            yield from _pieces(value[3])
        elif kind is codes.BRANCH:
            yield "".join(_pieces(value[1][0]))
        elif kind is codes.IN:
            yield _member(value)
        elif kind in (codes.ANY, codes.NOT_LITERAL):
            yield "a"


def _member(choices: Any) -> str:
    kind, value = choices[0]
    if kind is codes.LITERAL:
        return chr(value)
    if kind is codes.RANGE:
        return chr(value[0])
    if kind is codes.CATEGORY:
        return _CLASSES.get(value, "a")
    denied = {chr(value) for kind, value in choices if kind is codes.LITERAL}
    return next(letter for letter in "aA1 -~\n" if letter not in denied)


def _words(tree: Any) -> Iterator[str]:
    """Every alternative that the pattern writes out, and the body of every repeat."""
    for kind, value in tree:
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            yield "".join(_pieces(value[2]))
            yield from _words(value[2])
        elif kind is codes.SUBPATTERN:
            yield from _words(value[3])
        elif kind is codes.BRANCH:
            yield from ("".join(_pieces(one)) for one in value[1][:3])


def hostile(pattern: re.Pattern[str]) -> Iterator[str]:
    """Texts of SIZE characters made of the pattern's own beginnings, words and fillers, none of which may be cheap."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    pieces = list(_pieces(tree))
    starts = list(dict.fromkeys("".join(pieces[:end]) for end in range(len(pieces) + 1)))[:7]
    words = [word for word in dict.fromkeys(_words(tree)) if word][:4]
    for start in starts:
        if start:
            for first in ("", "("):  # a second text for a pattern that may also match where a text begins
                yield first + start * (SIZE // len(start)) + END
        for filler in dict.fromkeys((*FILLERS, *words)):
            yield start + filler * (SIZE // len(filler)) + END
    for start in starts[1:]:
        for word in words:
            yield (start + word) * (SIZE // len(start + word)) + END


class TooSlow(Exception):
    """The processor time was used up."""


def _strike(*_: object) -> None:
    raise TooSlow


def seconds(pattern: re.Pattern[str], way: str, text: str, limit: float) -> float:
    """Processor seconds that the pattern takes for the text, inf past the limit; the timer may strike as it stops."""
    begin = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        try:
            if way == "search":
                for _ in pattern.finditer(text):
                    pass
            else:
                getattr(pattern, way)(text)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except TooSlow:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return math.inf
    return time.process_time() - begin


def is_slow(pattern: re.Pattern[str], way: str, text: str) -> bool:
    """Whether the pattern needs longer than SECONDS for the text and GROWTH times what a quarter of the text takes."""
    if seconds(pattern, way, text, SECONDS) < math.inf:
        return False
    quarter = seconds(pattern, way, text[: len(text) // 4] + END, 10 * SECONDS)
    return quarter == math.inf or seconds(pattern, way, text, max(SECONDS, GROWTH * quarter)) == math.inf


PATTERNS = patterns()


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_pattern_is_linear(name: str) -> None:
    """Texts of 20,000 characters that are made to hurt it cost a pattern a tenth of a second, or time in proportion."""
    (pattern, way), before = PATTERNS[name], signal.signal(signal.SIGVTALRM, _strike)
    try:
        slow = next((text for text in hostile(pattern) if all(is_slow(pattern, way, text) for _ in range(3))), None)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert slow is None, f"{pattern.pattern!r} on {slow[:80]!r}…"


def test_a_quadratic_pattern_is_slow() -> None:
    """The test finds quadratic and exponential patterns, and no linear one however long it takes."""
    before = signal.signal(signal.SIGVTALRM, _strike)
    try:
        assert is_slow(re.compile(r"\s+x"), "search", " " * SIZE + END)
        assert is_slow(re.compile(r"(a+)+b"), "match", "a" * SIZE + END)
        assert not is_slow(re.compile(r"(?:[ab](?!c))+d"), "match", "ab" * 1_000_000 + END)
    finally:
        signal.signal(signal.SIGVTALRM, before)
