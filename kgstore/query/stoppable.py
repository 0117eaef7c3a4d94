"""Refuse user Cypher that Neo4j could not stop: loops inside an expression that have no bound.

Neo4j ends a transaction between two rows. While it works on one expression it looks at no clock: `reduce` over a long
`range`, two comprehensions in each other or a regular expression that tries every way occupy a thread of the server
long after the time limit, whatever the client does. Between rows the same work can be stopped, so a refusal says how to
write it. The bounds leave linear work on a list that fits the transaction's memory. They know forms, not values: which
names hold a list that rows filled is followed from `AS` to `AS` (`collected_lists`). The embedded engine needs none of
this: its process is killed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from claimgraph.kgstore.query.collected_lists import is_element, is_measured, levels, list_level
from claimgraph.kgstore.query.tokens import Token, TokenKind, key, refuse, tokenize

LONGEST = 10_000
"""Most elements of a `range` in an expression."""
JOINS = 8
"""Most `+` that may join two lists: each can double one."""
WORDS = 1_000
"""Most tokens of a statement: planning a sum of 20,000 numbers cannot be stopped either."""
DEPTH = 60
"""Most brackets in each other: reading 900 cannot be stopped."""

_LOOPS = frozenset({"all", "allreduce", "any", "none", "reduce", "single"})
_SMALL = re.compile(r"-?\d{1,4}|-?10000|(?i:size|length)\(\w+(?:\.\w+)?\)(?:[-+]\d{1,4})?")
_CONSTANTS = frozenset({TokenKind.STRING, TokenKind.NUMBER})
_WORDS = frozenset({TokenKind.NAME, TokenKind.QUOTED})
_EXPLODES = re.compile(r"\)[*+{]|\\[1-9]")
_UNBOUNDED = re.compile(r"[*+]|,\}")
_MOST_UNBOUNDED = 3


def check_stoppable(text: str, params: Mapping[str, Any]) -> None:
    """Raise QueryRefused, with place and a way to write it, for an admitted statement that Neo4j could not stop."""
    tokens = tokenize(text)
    if len(tokens) > WORDS:
        reason = f"more than {WORDS:,} words and signs, which take long to plan; give values as parameters"
        raise refuse(text, tokens[WORDS].start, reason)
    ends = brackets(text, tokens)
    loops = [(start, ends[start]) for start in ends if is_loop(tokens, start)]
    lists = levels(tokens)
    for start, end in loops:
        _check_loop(text, tokens, start, end, loops)
        _check_lists(text, tokens, start, end, lists)
    for start, end in ends.items():
        _check_range(text, tokens, start, end, params)
    for index in range(1, len(tokens)):
        if tokens[index - 1].text == "=" and tokens[index].text == "~":
            _check_pattern(text, tokens, index + 1, params)
    doubled = [start for start, end in ends.items() if _repeats(tokens, start, end)]
    if len(doubled) > JOINS:
        reason = (
            f"more than {JOINS} lists or maps hold a name twice and double what is compared; collect() rows instead"
        )
        raise refuse(text, tokens[doubled[JOINS]].start, reason)
    joins = [token for index, token in enumerate(tokens) if _may_join(tokens, index)]
    if len(joins) > JOINS:
        raise refuse(text, joins[JOINS].start, f"more than {JOINS} + join lists or strings; collect() rows instead")


def brackets(text: str, tokens: Sequence[Token]) -> dict[int, int]:
    """Return opening bracket to closing one, by index, in the order of the opening ones; too deep is refused."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.text in ("(", "[", "{"):
            opened.append(index)
            if len(opened) > DEPTH:
                raise refuse(text, token.start, f"more than {DEPTH} brackets in each other")
            found[index] = len(tokens) - 1
        elif token.text in (")", "]", "}") and opened:
            found[opened.pop()] = index
    return found


def is_loop(tokens: Sequence[Token], start: int) -> bool:
    """Return whether the bracket opens a comprehension over a list, a quantifier or a reduce."""
    if tokens[start].text == "[":
        return start + 2 < len(tokens) and tokens[start + 1].kind in _WORDS and key(tokens[start + 2]) == "in"
    return tokens[start].text == "(" and start > 0 and key(tokens[start - 1]) in _LOOPS


def _check_loop(text: str, tokens: Sequence[Token], start: int, end: int, loops: Sequence[tuple[int, int]]) -> None:
    inner = next((other for other, _ in loops if start < other < end), None)
    if inner is not None:
        raise refuse(text, tokens[inner].start, "a loop in a loop cannot be stopped; UNWIND the outer list instead")
    inside = tokens[start + 1 : end]
    searched = [index for index, token in enumerate(inside) if key(token) == "in"][1:]
    for index in searched:
        after = inside[index + 1 : index + 3]
        if after and after[0].kind in _WORDS and (len(after) < 2 or after[1].text not in (".", "(")):
            raise refuse(text, after[0].start, "IN over a list in a loop cannot be stopped; UNWIND one of them instead")
    if key(tokens[start - 1]) in ("reduce", "allreduce") and inside:
        body = inside[next((i for i, token in enumerate(inside) if token.text == "|"), len(inside)) :]
        repeated = sum(token.name == inside[0].name for token in body if token.kind in _WORDS) > 1
        if repeated and any(token.text in ("+", "[", "{") for token in body):
            raise refuse(
                text, tokens[start].start, f"{inside[0].name} doubles in every step; UNWIND and aggregate rows"
            )


def _check_lists(text: str, tokens: Sequence[Token], start: int, end: int, lists: Mapping[str, int]) -> None:
    """Refuse what reads a list of unknown length in every step of a loop: the name of one alone, an element of a list
    of lists. An element of a flat list, `size(...)` and what the loop itself goes through take no time."""
    source = next((index for index in range(start + 1, end) if key(tokens[index]) == "in"), start) + 1
    own = {tokens[start + 1].name, tokens[source - 2].name}
    for index in range(source + 1, end):
        level = 0 if tokens[index].name in own else list_level(tokens, index, lists)
        if level > is_element(tokens, index) and not is_measured(tokens, index):
            reason = (
                f"{tokens[index].name} is a collected list and read whole in every step of a loop; UNWIND it instead"
            )
            raise refuse(text, tokens[index].start, reason)


def _check_range(text: str, tokens: Sequence[Token], start: int, end: int, params: Mapping[str, Any]) -> None:
    if tokens[start].text != "(" or start == 0 or key(tokens[start - 1]) != "range" or _is_unwound(tokens, start, end):
        return
    if not all(_is_small(argument, params) for argument in _arguments(tokens[start + 1 : end])):
        reason = f"range in an expression takes numbers up to {LONGEST:,}; UNWIND range(...) AS i takes any"
        raise refuse(text, tokens[start - 1].start, reason)


def _is_unwound(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Return whether the brackets are those of `UNWIND range(...) AS`, which makes rows one by one."""
    return start > 1 and key(tokens[start - 2]) == "unwind" and key(tokens[min(end + 1, len(tokens) - 1)]) == "as"


def _repeats(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Return whether a list or map holds the same bare name twice: `[a, a]`, `{x: a, y: a}`."""
    if tokens[start].text not in ("[", "{"):
        return False
    bare = [one[-1].name for one in _arguments(tokens[start + 1 : end]) if _is_bare(one)]
    return len(set(bare)) < len(bare)


def _is_bare(argument: Sequence[Token]) -> bool:
    """Return whether an element, or a map's key and value, is a name alone."""
    return argument[-1].kind in _WORDS and (len(argument) == 1 or (len(argument) == 3 and argument[1].text == ":"))


def _arguments(inside: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield what stands between commas outside further brackets."""
    depth, argument = 0, list[Token]()
    for token in inside:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "," and depth == 0:
            yield argument
            argument = []
        else:
            argument.append(token)
    if argument:
        yield argument


def _is_small(argument: Sequence[Token], params: Mapping[str, Any]) -> bool:
    if len(argument) == 1 and argument[0].kind is TokenKind.PARAMETER:
        value = params.get(argument[0].text[1:].strip("`"))
        return not isinstance(value, int | float) or abs(value) <= LONGEST
    return _SMALL.fullmatch("".join(token.text for token in argument)) is not None


def _check_pattern(text: str, tokens: Sequence[Token], index: int, params: Mapping[str, Any]) -> None:
    """Refuse a regular expression that is made while the query runs, or that may try more than cubically many ways."""
    token = tokens[index] if index < len(tokens) else tokens[-1]
    joined = index + 1 < len(tokens) and tokens[index + 1].text == "+"
    pattern = params.get(token.text[1:].strip("`"), "") if token.kind is TokenKind.PARAMETER else token.text[1:-1]
    if joined or token.kind not in (TokenKind.STRING, TokenKind.PARAMETER) or not isinstance(pattern, str):
        raise refuse(
            text, token.start, "a regular expression must be one string or parameter; CONTAINS takes any value"
        )
    bare = pattern if token.kind is TokenKind.PARAMETER else pattern.replace("\\\\", "\\")
    plain = re.sub(r"\\[^1-9]", "x", bare)
    if _EXPLODES.search(plain) or len(_UNBOUNDED.findall(plain)) > _MOST_UNBOUNDED:
        reason = f"a regular expression here repeats no group and has at most {_MOST_UNBOUNDED} of * and +"
        raise refuse(text, token.start, reason)


def _may_join(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a `+` may join two lists or strings of any length: none of its sides is a constant for certain."""
    if tokens[index].text != "+" or index == 0 or index + 1 == len(tokens):
        return False
    left_alone = tokens[index - 1].kind in _CONSTANTS and (index < 2 or tokens[index - 2].text != "+")
    return not left_alone and tokens[index + 1].kind not in _CONSTANTS
