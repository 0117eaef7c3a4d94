"""Which names of a Cypher statement hold lists as long as rows made them, and lists of such lists.

A name's level is 0 for a value or a list that the statement spells out, 1 for a list that `collect` or a comprehension
fills, 2 for a list of those, and so on. Levels are bounds from above, read from the form of what stands before `AS`: an
aggregate such as `sum`, a predicate such as `any` and `size` give a value; `UNWIND` takes one level away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimgraph.kgstore.query.tokens import Token, TokenKind

_WORDS = frozenset({TokenKind.NAME, TokenKind.QUOTED})
_VALUES = frozenset(
    ["all", "any", "avg", "count", "exists", "id", "labels", "length", "none", "single", "size", "stdev", "sum"]
)
"""Functions whose result holds nothing of a list that is their argument."""
_CLAUSES = frozenset({"with", "return", "unwind", "distinct", "call", "match", "where", "let", "yield"})
_DEEPEST = 4


def levels(tokens: Sequence[Token]) -> dict[str, int]:
    """Return name to level, of the names above 0."""
    found: dict[str, int] = {}
    bindings = [
        (_before(tokens, index), tokens[index + 1].name) for index in range(1, len(tokens) - 1) if _is_as(tokens, index)
    ]
    for _ in range(_DEEPEST):
        for (start, end), name in bindings:
            level = _level(tokens, start, end, found) - (_key(tokens[start - 1]) == "unwind")
            if level > found.get(name, 0):
                found[name] = min(level, _DEEPEST)
    return found


def list_level(tokens: Sequence[Token], index: int, known: Mapping[str, int]) -> int:
    """Return the level of the list that a token names, 0 where it names none: a property's key, a label, a function."""
    token, before, after = (
        tokens[index],
        tokens[index - 1].text,
        tokens[index + 1].text if index + 1 < len(tokens) else "",
    )
    names_label = before == ":" and tokens[index - 3].text not in ("{", ",")
    if token.kind not in _WORDS or before == "." or names_label or after in ("(", ":"):
        return 0
    return known.get(token.name, 0)


def is_measured(tokens: Sequence[Token], index: int) -> bool:
    """Return whether the name is the whole argument of `size` or `length`."""
    return index > 1 and tokens[index - 1].text == "(" and _key(tokens[index - 2]) in ("size", "length")


def _level(tokens: Sequence[Token], start: int, end: int, known: Mapping[str, int]) -> int:
    """Return the level of the expression in `tokens[start:end]`."""
    most, index = 0, start
    while index < end:
        token, key = tokens[index], _key(tokens[index])
        opens = index + 1 < end and tokens[index + 1].text in ("(", "{")
        if opens and key in _VALUES | {"collect"}:
            close = _close(tokens, index + 1)
            if key == "collect":
                most = max(most, 1 + _level(tokens, index + 2, close, known))
            index = close
        elif token.text == "[" and not _is_index(tokens, index):
            close = _close(tokens, index)
            loops = any(_key(one) == "in" or one.text == "|" for one in tokens[index:close])
            inside = _level(tokens, index + 1, close, known)
            most = max(most, inside + (1 if inside or loops else 0))
            index = close
        else:
            most = max(most, list_level(tokens, index, known))
        index += 1
    return most


def _is_index(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a `[` takes an element of what stands before it."""
    before = tokens[index - 1]
    return before.text in (")", "]") or (
        before.kind in _WORDS
        and _key(before) not in _CLAUSES | {"as", "in", "then", "else", "and", "or", "not", "when"}
    )


def _is_as(tokens: Sequence[Token], index: int) -> bool:
    return _key(tokens[index]) == "as" and tokens[index + 1].kind in _WORDS


def _before(tokens: Sequence[Token], end: int) -> tuple[int, int]:
    """Return where the expression before `AS` at `end` begins, and `end`."""
    depth, index = 0, end - 1
    while index >= 0:
        token = tokens[index]
        depth += (token.text in (")", "]", "}")) - (token.text in ("(", "[", "{"))
        if depth < 0 or (depth == 0 and (token.text == "," or _key(token) in _CLAUSES)):
            break
        index -= 1
    return index + 1, end


def _close(tokens: Sequence[Token], start: int) -> int:
    """Return the index of the bracket that closes the one at `start`, or the last index."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += (tokens[index].text in ("(", "[", "{")) - (tokens[index].text in (")", "]", "}"))
        if depth == 0:
            return index
    return len(tokens) - 1


def _key(token: Token) -> str:
    return token.name.lower() if token.kind in _WORDS else ""
