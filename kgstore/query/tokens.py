"""Tokenise Cypher, so that the guard never has to guess what is a word and what is inside a string.

Where the engines read the same characters differently, the text is refused rather than guessed: Neo4j 5 turns
`\\u0027` into a quote before it looks for strings; kglite ends a `//` comment at a line feed only, Neo4j at a carriage
return too; one knows `/* */` and the other does not. `source` therefore writes the statement anew from its tokens,
without comments, and that text is what the engines get. Regular expressions were rejected: they find clauses in
strings and miss them behind comments.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from claimgraph.kgstore.errors import QueryRefused

_SYMBOLS = frozenset("()[]{}.,:;=<>+-*/%^|&!?~")
_ESCAPES = frozenset("\\'\"`bfnrt")
_HEX = frozenset("0123456789abcdefABCDEF")
_DIGITS = frozenset("0123456789")
_BASES = {"x": _HEX, "o": frozenset("01234567"), "b": frozenset("01")}


class TokenKind(Enum):
    """The kinds of token; QUOTED is a name in backticks."""

    NAME = auto()
    QUOTED = auto()
    STRING = auto()
    NUMBER = auto()
    PARAMETER = auto()
    SYMBOL = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """The code points [start, end) of the text, and their characters."""

    kind: TokenKind
    text: str
    start: int
    end: int

    @property
    def name(self) -> str:
        """The name without its backticks."""
        return self.text[1:-1].replace("``", "`") if self.kind is TokenKind.QUOTED else self.text


def key(token: Token) -> str:
    """Return a word in lower case, as keywords and functions are compared, "" for any other token."""
    return token.name.lower() if token.kind in (TokenKind.NAME, TokenKind.QUOTED) else ""


def refuse(text: str, at: int, reason: str) -> QueryRefused:
    """Return the error for the code point at `at`, with its line and column counted from 1; one short line."""
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    shown = "".join(char if char.isprintable() else " " for char in reason[:300])
    return QueryRefused(f"line {line}, column {column}: {shown}")


def tokenize(text: str) -> list[Token]:
    """Return all tokens in order, without spaces and comments. Raises QueryRefused for invalid or ambiguous Cypher."""
    found: list[Token] = []
    at = 0
    while (at := _skip(text, at)) < len(text):
        kind, scan = _scanner(text, at)
        end = scan(text, at)
        found.append(Token(kind, text[at:end], at, end))
        at = end
    return found


def source(tokens: Iterable[Token], text: str) -> str:
    """Return the statement written anew: tokens as they are, what stood between two of them as one space or
    line feed.
    """
    parts: list[str] = []
    end: int | None = None
    for token in tokens:
        if end is not None and end < token.start:
            parts.append("\n" if "\n" in text[end : token.start] else " ")
        parts.append(token.text)
        end = token.end
    return "".join(parts)


def _skip(text: str, at: int) -> int:
    """Return the first code point from `at` on that is neither space nor comment."""
    while at < len(text):
        if text[at].isspace() or text[at] == "\ufeff":
            at += 1
        elif text.startswith("//", at):
            at = min((p for p in (text.find("\n", at), text.find("\r", at)) if p >= 0), default=len(text))
        elif text.startswith("/*", at):
            close = text.find("*/", at + 2)
            if close < 0:
                raise refuse(text, at, "a comment that is never closed")
            at = close + 2
        else:
            break
    return at


def _scanner(text: str, at: int) -> tuple[TokenKind, Callable[[str, int], int]]:
    """Return kind of the token that begins at `at`, and the function from its start to its end."""
    char = text[at]
    following = text[at + 1 : at + 2]
    if char in "'\"":
        return TokenKind.STRING, _string
    if char == "`":
        return TokenKind.QUOTED, _quoted
    if char == "$":
        return TokenKind.PARAMETER, _parameter
    if char in _DIGITS or (char == "." and following in _DIGITS and text[at - 1 : at] != "."):
        return TokenKind.NUMBER, _number
    if char in _SYMBOLS:
        return TokenKind.SYMBOL, lambda _, start: start + 1
    return TokenKind.NAME, _name


def _string(text: str, at: int) -> int:
    quote, here = text[at], at + 1
    while here < len(text):
        if text[here] == quote:
            return here + 1
        here = _escape(text, here) if text[here] == "\\" else here + 1
    raise refuse(text, at, "a string that is never closed")


def _escape(text: str, at: int) -> int:
    """End of the escape at `at`. One that could end the string in an engine that decodes it first is refused."""
    letter = text[at + 1 : at + 2]
    if letter == "u":
        digits = text[at + 2 : at + 6]
        if len(digits) < 4 or not _HEX.issuperset(digits) or int(digits, 16) < 0x80:
            raise refuse(text, at, f"the escape \\u{digits}; write the character itself")
        return at + 6
    if not letter or letter not in _ESCAPES:
        raise refuse(text, at, f"the escape \\{letter}; a backslash in a string is written \\\\")
    return at + 2


def _quoted(text: str, at: int) -> int:
    here = at + 1
    while here < len(text):
        if text[here] == "\\":
            raise refuse(text, here, "a backslash in a name")
        if text[here] != "`":
            here += 1
        elif text.startswith("``", here):
            here += 2
        else:
            return here + 1
    raise refuse(text, at, "a name in backticks that is never closed")


def _parameter(text: str, at: int) -> int:
    begin = at + 1
    if text[begin : begin + 1] == "`":
        return _quoted(text, begin)
    end = _run(text, begin, _continues_name)
    if end == begin:
        raise refuse(text, at, "a $ without the name of a parameter")
    return end


def _number(text: str, at: int) -> int:
    base = _BASES.get(text[at + 1 : at + 2].lower()) if text[at] == "0" else None
    end = _run(text, at + 2, base.__contains__) if base else _decimal(text, at)
    if end < len(text) and _continues_name(text[end]):
        raise refuse(text, at, f"the number {text[at : end + 1]}; a space is missing")
    return end


def _decimal(text: str, at: int) -> int:
    """End of `12`, `1.5`, `.5` or `2e-3`; the two dots of a range `1..3` are no part of a number."""
    end = _run(text, at, _DIGITS.__contains__)
    if text[end : end + 1] == "." and text[end + 1 : end + 2] in _DIGITS:
        end = _run(text, end + 1, _DIGITS.__contains__)
    if text[end : end + 1] in {"e", "E"}:
        sign = text[end + 1 : end + 2] in {"+", "-"}
        digits = _run(text, end + 1 + sign, _DIGITS.__contains__)
        end = digits if digits > end + 1 + sign else end
    return end


def _name(text: str, at: int) -> int:
    if not _begins_name(text[at]):
        raise refuse(text, at, f"the character {text[at]} (U+{ord(text[at]):04X}) outside a string")
    return _run(text, at, _continues_name)


def _run(text: str, at: int, belongs: Callable[[str], bool]) -> int:
    while at < len(text) and belongs(text[at]):
        at += 1
    return at


def _begins_name(char: str) -> bool:
    return char == "_" or char.isalpha()


def _continues_name(char: str) -> bool:
    return char == "_" or char.isalnum() or unicodedata.category(char) in {"Mn", "Mc", "Pc"}
