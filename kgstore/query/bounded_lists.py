"""Bound at run time the lists that Neo4j would go through again in every row, which it cannot stop.

Neo4j looks at its clock once in some hundred rows. A loop over a list that rows collected is linear where it stands
right behind the collection; behind a further `UNWIND`, `MATCH` or subquery it runs anew in every row. How long such a
list is only the server knows, so its length is asked there: `[x IN l ...]` becomes `[x IN CASE WHEN size(l) > 10000
THEN (an error) ELSE l END ...]`, and `x IN l` likewise, which is cheaper and takes longer lists. Comparisons of two
such lists and conversions of one are refused by their form. A refusal by form of all was rejected: it would refuse the
loop over three names that a question about verdicts has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimgraph.kgstore.query.collected_lists import bindings, is_element, is_measured, levels, list_level
from claimgraph.kgstore.query.stoppable import LONGEST, brackets, is_loop
from claimgraph.kgstore.query.tokens import Token, TokenKind, key, refuse, tokenize

LONGEST_SEARCHED = 100_000
"""Most elements of a list that `IN` searches in every row: Neo4j keeps a table of it."""
LOOPS = 16
"""Most loops of a statement."""
MARK = "claimgraph list of "
"""What begins the error of a list that is too long, followed by its length."""

_MULTIPLY = frozenset({"unwind", "match", "call", "exists", "count", "collect"})
_CONVERT = frozenset({"tobooleanlist", "tofloatlist", "tointegerlist", "tostringlist", "tostring", "valuetype"})
_ENDS = frozenset(
    [
        *("and", "or", "xor", "not", "is", "in", "case", "when", "then", "else", "end", "as", "on", "distinct"),
        *("match", "optional", "where", "with", "unwind", "call", "union", "return", "order", "by", "skip", "limit"),
    ]
)


@dataclass(frozen=True, slots=True)
class Bounded:
    """The statement for the server, and the text of each bound to what stood there."""

    text: str
    bounds: Mapping[str, str]

    def column(self, name: str) -> str:
        """Return a column's name as the user's statement gives it."""
        for bound, given in self.bounds.items():
            name = name.replace(bound, given)
        return name


def bound_lists(text: str, params: Mapping[str, Any]) -> Bounded:
    """Return an admitted and stoppable statement with bounds on the lists that every row goes through.

    Raises QueryRefused for what compares or converts such a list in every row, and for too many loops.
    """
    tokens = tokenize(text)
    ends = brackets(text, tokens)
    loops = [start for start in ends if is_loop(tokens, start)]
    if len(loops) > LOOPS:
        raise refuse(text, tokens[loops[LOOPS]].start, f"more than {LOOPS} loops in one statement")
    repeated = _Repeated(tokens, ends, params)
    sources = [_source(tokens, start, ends[start]) for start in loops]
    spans = {span: LONGEST for span in sources if any(repeated.reads(*span)) or _splits(tokens, *span)}
    _check_compared(text, tokens, ends, [(start, ends[start]) for start in loops], repeated)
    for read in (read for span in spans for read in repeated.reads(*span) if repeated.holds_lists(read)):
        reason = f"{tokens[read].name} is a list of lists and gone through in every row; UNWIND it instead"
        raise refuse(text, tokens[read].start, reason)
    for index in range(1, len(tokens)):
        searched = key(tokens[index - 1]) == "in" and not any(start <= index < end for start, end in sources)
        if searched and any(repeated.reads(index, index + 1)):
            spans[index, index + 1] = LONGEST_SEARCHED
    bounds = dict[str, str]()
    for (start, end), most in sorted(spans.items(), reverse=True):
        given = text[tokens[start].start : tokens[end - 1].end]
        bound = _bound(given, most)
        bounds[bound] = given
        text = text[: tokens[start].start] + bound + text[tokens[end - 1].end :]
    return Bounded(text, bounds)


def too_long(message: str) -> str | None:
    """Return what a server's error says for a person, where it is of a list that is longer than its bound."""
    found = re.search(rf"{MARK}(\d+)", message)
    return found and (
        f"a list of {int(found[1]):,} elements is gone through in every row, which cannot be stopped: up to "
        f"{LONGEST:,} are allowed, and {LONGEST_SEARCHED:,} for IN; UNWIND it instead"
    )


def _bound(given: str, most: int) -> str:
    """Return an expression for the list `given` that fails where it has more than `most` elements.

    What fails is the start of a slice, so the type of the elements stays known to the planner.
    """
    fails = f"({given})[duration('{MARK}' + toString(size({given}))).days..]"
    return f"CASE WHEN size({given}) > {most} THEN {fails} ELSE {given} END"


class _Repeated:
    """Finds what reads a list of unknown length behind a clause that repeats it in further rows."""

    def __init__(self, tokens: Sequence[Token], ends: Mapping[int, int], params: Mapping[str, Any]) -> None:
        self._tokens = tokens
        self._ends = ends
        self._long = {name for name, value in params.items() if isinstance(value, list) and len(value) > LONGEST}
        self._levels = levels(tokens)
        self._from = self._origins()
        self._rows = [i for i, token in enumerate(tokens) if key(token) in _MULTIPLY and self._multiplies(i)]

    def reads(self, start: int, end: int) -> Iterator[int]:
        """Yield the tokens in [start, end) that name such a list and do more than measure it or take an element."""
        for index in range(start, end):
            token = self._tokens[index]
            if token.kind is TokenKind.PARAMETER:
                made = -1 if token.text[1:].strip("`") in self._long else len(self._tokens)
            elif list_level(self._tokens, index, self._levels) - is_element(self._tokens, index) > 0:
                made = len(self._tokens) if is_measured(self._tokens, index) else self._from[token.name]
            else:
                continue
            if any(made < row < index for row in self._rows):
                yield index

    def holds_lists(self, index: int) -> bool:
        """Return whether the elements of the list that the token names may be lists."""
        return list_level(self._tokens, index, self._levels) - is_element(self._tokens, index) > 1

    def _multiplies(self, index: int) -> bool:
        """Return whether the word begins a clause that makes rows, or a subquery, and no function or name."""
        word, after = key(self._tokens[index]), self._tokens[min(index + 1, len(self._tokens) - 1)].text
        return word in ("unwind", "match", "call") or after == "{"

    def _origins(self) -> dict[str, int]:
        """Return list to where the list that it was made from is first bound; one collected from rows is new."""
        found: dict[str, int] = {}
        bound = bindings(self._tokens)
        for _ in range(len(bound)):
            before = dict(found)
            for (start, end), name in bound:
                inside = [self._tokens[i].name for i in range(start, end) if not self._collected(i, start)]
                found[name] = min([found.get(name, end), end, *(found[one] for one in inside if one in found)])
            if found == before:
                break
        return found

    def _collected(self, index: int, start: int) -> bool:
        """Return whether the token stands in the brackets of `collect`."""
        return any(
            key(self._tokens[opened - 1]) == "collect" and opened < index < close
            for opened, close in self._ends.items()
            if opened > start
        )


def _source(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """Return where the list stands that a loop goes through."""
    begin = next((i for i in range(start + 1, end) if key(tokens[i]) == "in"), start) + 1
    depth, index = 0, begin
    while index < end and (depth or (key(tokens[index]) != "where" and tokens[index].text != "|")):
        depth += (tokens[index].text in ("(", "[", "{")) - (tokens[index].text in (")", "]", "}"))
        index += 1
    return begin, index


def _splits(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Return whether a string that is no property is split there, which may be of any length."""
    return any(
        key(tokens[i]) == "split" and tokens[i + 1].text == "(" and tokens[i + 3].text != "." for i in range(start, end)
    )


def _check_compared(
    text: str, tokens: Sequence[Token], ends: Mapping[int, int], loops: Sequence[tuple[int, int]], repeated: _Repeated
) -> None:
    """Refuse comparisons, conversions and tests of type that go through a list in every row; a loop has none inside."""
    starts = {close: opened for opened, close in ends.items()}
    for index, token in enumerate(tokens):
        spans = list[tuple[int, int]]()
        if any(start < index < end for start, end in loops):
            continue
        if token.text in ("=", "<", ">") and tokens[index - 1].text not in ("-", "<"):
            spans = [_operand(tokens, index, -1, starts), _operand(tokens, index, 1, ends)]
        elif key(token) in ("is", "in", "case"):
            spans = [
                _operand(tokens, index, 1 if key(token) == "case" else -1, ends if key(token) == "case" else starts)
            ]
            if key(token) == "in" and len(range(*(searched := _operand(tokens, index, 1, ends)))) > 1:
                spans.append(searched)
        elif token.text == "(" and key(tokens[index - 1]) in _CONVERT:
            spans = [(index + 1, ends[index])]
        for span in spans:
            for read in repeated.reads(*span):
                reason = f"{tokens[read].name} is a list, compared or converted whole in every row; UNWIND it instead"
                raise refuse(text, tokens[read].start, reason)


def _operand(tokens: Sequence[Token], operator: int, step: int, jump: Mapping[int, int]) -> tuple[int, int]:
    """Return the span of what stands beside an operator, up to the next one that binds less, a comma or a bracket."""
    closing = (")", "]", "}") if step > 0 else ("(", "[", "{")
    index = operator + step
    while 0 <= index < len(tokens):
        token = tokens[index]
        if token.text in closing or token.text in (",", "|", ";") or key(token) in _ENDS:
            break
        index = jump.get(index, index) + step
    return (operator + 1, index) if step > 0 else (index + 1, operator)
