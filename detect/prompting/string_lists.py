"""Read lists of strings as Python writes them from text that need not be Python: token by token, in one pass.

ast.literal_eval on the whole list was rejected: it takes all or nothing, and one apostrophe or a missing bracket of
forty triples costs the other thirty-nine. It reads the strings, where they are plain.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from claimgraph.detect.prompting.json_answers import encodable


def _quoted(quote: str) -> str:
    """Return the pattern of a string from a quote to the next possible end: "Bob's" in single quotes is one string.

    There is one way to match each, so nothing is tried twice. Possessive repeats do not work before Python 3.11.5.
    """
    end = r"\s*(?:[,\])]|\Z)"
    return rf"{quote}(?:\\.|[^{quote}\\]|{quote}(?!{end}))*{quote}(?={end})"


_TOKEN = re.compile(
    rf"""(?P<string>{_quoted('"')}|{_quoted("'")})|(?P<cut>["'].*)|[\[\](),]|(?P<bare>[^\s,\[\]()"'][^,\[\]()]*)""",
    re.DOTALL,
)
_PLAIN = re.compile(r"(?:[^\\\0]|\\[\"'\\nrt]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2})*")
"""Strings that literal_eval reads without a warning."""


def lists(text: str) -> Iterator[list[str]]:
    """Yield the tokens (text_of) of each innermost list or tuple in the text that has any, up to the end of the
    outermost.

    A string without its end is left out, and a list without its end is taken as far as it goes.
    """
    here, depth, deepest = list[str](), 0, 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        if found.lastgroup in ("string", "bare"):
            here += [token] if depth > 0 else []
        elif token in "[]()":
            if here:
                yield here
            here, depth = [], max(0, depth + (1 if token in "[(" else -1))
            deepest = max(deepest, depth)
            if deepest > 1 and depth == 0:
                return
    if here:
        yield here


def text_of(token: str) -> str:
    """Return a token's text, white space in it as single spaces; a string that Python would not read is kept
    unchanged.
    """
    plain = " ".join(token.split())
    if plain[0] not in "\"'":
        return plain
    try:
        inner = ast.literal_eval(plain) if _PLAIN.fullmatch(plain) else None
    except SyntaxError:
        inner = None
    return " ".join(encodable(inner or re.sub(r"\\([\"'\\])", r"\1", plain[1:-1])).split())
