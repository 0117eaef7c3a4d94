"""Which names of a Cypher statement hold lists as long as rows made them, and lists of such lists.

A name's level is 0 for a value or a list that the statement spells out, 1 for a list that `collect` or a comprehension
fills, 2 for a list of those, and so on. Levels are bounds from above, read from the form of what stands before `AS`: an
aggregate such as `sum`, a predicate such as `any` and `size` give a value; `UNWIND` takes one level away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from claimgraph.kgstore.query.tokens import Token, TokenKind, key

_WORDS = frozenset({TokenKind.NAME, TokenKind.QUOTED})
_VALUES = frozenset(
    ["all", "any", "avg", "count", "exists", "id", "labels", "length", "none", "single", "size", "stdev", "sum"]
)
"""Functions whose result holds nothing of a list that is their argument."""
_OPERATORS = frozenset("=<>*/%^")
_TESTS = frozenset({"and", "contains", "in", "is", "not", "or", "starts", "xor"})
"""What makes an expression a number or a truth, whatever lists it names; a map's keys and a `-` may be a pattern's."""
_CLAUSES = frozenset({"with", "return", "unwind", "distinct", "call", "match", "where", "let", "yield"})
_DEEPEST = 4


def levels(tokens: Sequence[Token]) -> dict[str, int]:
    """Return name to level, of the names above 0."""
    found: dict[str, int] = {}
    bound = bindings(tokens)
    for _ in range(_DEEPEST):
        for (start, end), name in bound:
            level = _level(tokens, start, end, found) - (key(tokens[start - 1]) == "unwind")
            if level > found.get(name, 0):
                found[name] = min(level, _DEEPEST)
    return found


def bindings(tokens: Sequence[Token]) -> list[tuple[tuple[int, int], str]]:
    """Return the span of each expression before an `AS`, and the name behind it."""
    places = [index for index in range(1, len(tokens) - 1) if _is_as(tokens, index)]
    return [(_before(tokens, index), tokens[index + 1].name) for index in places]


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
    return index > 1 and tokens[index - 1].text == "(" and key(tokens[index - 2]) in ("size", "length")


def is_element(tokens: Sequence[Token], index: int) -> bool:
    """Return whether only one element is taken of what the name holds: `l[0]`, `head(l)`, but not `l[0..9]`."""
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    if after == "[":
        inside = tokens[index + 2 : _close(tokens, index + 1)]
        return not any(one.text == other.text == "." for one, other in pairwise(inside))
    return index > 1 and after == ")" and tokens[index - 1].text == "(" and key(tokens[index - 2]) in ("head", "last")


def _level(tokens: Sequence[Token], start: int, end: int, known: Mapping[str, int]) -> int:
    """Return the level of the expression in `tokens[start:end]`."""
    most, index, depth, cases = 0, start, 0, False
    while index < end:
        token, word = tokens[index], key(tokens[index])
        depth += (token.text in ("(", "{")) - (token.text in (")", "}"))
        close = _close(tokens, index + 1) if index + 1 < end and tokens[index + 1].text in ("(", "{") else 0
        if close and word in _VALUES:
            index = close
        elif close and word == "collect":
            most, index = max(most, 1 + _level(tokens, index + 2, close, known)), close
        elif close and word == "split":
            most, index = max(most, 1), close
        elif close and word == "reduce":
            most, index = max(most, _reduced(tokens, index + 2, close, known)), close
        elif word in ("case", "when"):
            index, cases = next((i for i in range(index, end) if key(tokens[i]) == "then"), index), True
        elif token.text == "[" and not _is_index(tokens, index):
            close = _close(tokens, index)
            loops = any(key(one) == "in" or one.text == "|" for one in tokens[index:close])
            inside = max((list_level(tokens, i, known) for i in range(index, close)), default=0)
            inside = max(inside, _level(tokens, index + 1, close, known))
            most, index = max(most, inside + (1 if inside or loops else 0)), close
        elif depth == 0 and not cases and (token.text in _OPERATORS or word in _TESTS):
            return 0
        else:
            most = max(most, list_level(tokens, index, known) - is_element(tokens, index))
        index += 1
    return most


def _reduced(tokens: Sequence[Token], start: int, end: int, known: Mapping[str, int]) -> int:
    """Return the level of what `reduce` makes: of a list in its brackets, or of an element of what it goes through."""
    source = next((index for index in range(start, end) if key(tokens[index]) == "in"), start)
    step = next((index for index in range(source, end) if tokens[index].text == "|"), end)
    through = max((list_level(tokens, index, known) for index in range(source, step)), default=0)
    rest = (*range(start, source), *range(step, end))
    kept = max((list_level(tokens, index, known) for index in rest), default=0)
    spelt = any(tokens[index].text == "[" and not _is_index(tokens, index) for index in rest)
    return max(kept, through - 1, int(spelt))


def _is_index(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a `[` takes an element of what stands before it."""
    before = tokens[index - 1]
    return before.text in (")", "]") or (
        before.kind in _WORDS and key(before) not in _CLAUSES | {"as", "in", "then", "else", "and", "or", "not", "when"}
    )


def _is_as(tokens: Sequence[Token], index: int) -> bool:
    return key(tokens[index]) == "as" and tokens[index + 1].kind in _WORDS


def _before(tokens: Sequence[Token], end: int) -> tuple[int, int]:
    """Return where the expression before `AS` at `end` begins, and `end`."""
    depth, index = 0, end - 1
    while index >= 0:
        token = tokens[index]
        depth += (token.text in (")", "]", "}")) - (token.text in ("(", "[", "{"))
        if depth < 0 or (depth == 0 and (token.text == "," or key(token) in _CLAUSES)):
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
