"""Read the JSON in a language model's answer: with prose, reasoning and code fences around it, trailing commas,
truncated, or broken in the ways json-repair mends.

Ambiguous JSON is refused and not guessed: a repeated key in an object, NaN and Infinity. Of a truncated answer the last
string without its end is left out, since half a name is another name. Reading takes bounded time: json-repair is
quadratic in hostile text and is given REPAIRED characters at most; longer ones must be JSON but for their end and their
commas.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

LONGEST = 100_000
"""Characters of an answer that are read; the rest counts as truncated."""
DEEPEST = 32
"""Deepest nesting of brackets."""
REPAIRED = 3_000
"""Characters of an answer that json-repair is given: a second at most."""

_THOUGHTS = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_TOKEN = re.compile(rf'{_STRING}|[\[\]{{}},:"]', re.DOTALL)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*[\]}}])", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_CLOSER = {"[": "]", "{": "}"}


class Refused(ValueError):
    """Raised for JSON that can be parsed and must not be used."""


def said(answer: str) -> str:
    """Return LONGEST characters of the answer, with U+FFFD for halves of surrogate pairs.

    Thoughts of a reasoning model are left out where the answer begins with them, as in claimgraph/llm/completion.py: a
    `</think>` anywhere else may be quoted from the text under check.
    """
    thoughts = _THOUGHTS.match(answer)
    start = thoughts.end() if thoughts else 0
    return encodable(answer[start : start + LONGEST])


def values(answer: str) -> Iterator[Any]:
    """Yield the JSON objects and lists in an answer, outermost ones, in their order.

    Raises Refused for a key given twice, a number that is not finite, and deep nesting.
    """
    text, at, left = said(answer), 0, REPAIRED
    while opening := _OPENING.search(text, at):
        part, at = _closed(text, opening.start())
        value = _loads(part)
        if value is None and at - opening.start() <= left:
            left -= at - opening.start()
            value = _repaired(text[opening.start() : at])
        if value is not None:
            yield _sound(value)


def _closed(text: str, start: int) -> tuple[str, int]:
    """Return the value that begins at `start` with all its brackets, and its end; truncated, cut back to its last whole
    part.

    The end is that of the text also where brackets cross.
    """
    open_, keep, valued = list[str](), start, False
    for found in _TOKEN.finditer(text, start):
        token = found[0]
        if token == '"' or (token in "]}" and open_.pop() != token):
            break
        if token in _CLOSER:
            open_.append(_CLOSER[token])
            if len(open_) > DEEPEST:
                raise Refused(f"it is nested more than {DEEPEST} deep")
        if token == ",":
            keep = found.start()
        elif token != ":" and (valued or len(token) == 1 or open_[-1] == "]"):
            keep = found.end()
        valued = token == ":"
        if not open_:
            return text[start:keep], keep
    return text[start:keep] + "".join(reversed(open_)), len(text)


def _loads(text: str) -> Any:
    """Return the value of JSON with optional trailing commas; None where it is something else."""
    bare = _COMMA.sub(lambda found: found[1] or "", text)
    try:
        return json.loads(bare, object_pairs_hook=_object, parse_constant=_not_finite)
    except Refused:
        raise
    except ValueError:
        return None


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; a repeated key is refused, since it is ambiguous."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Refused(f"the key {twice[:40]!r} stands twice in one object")
    return found


def _not_finite(name: str) -> None:
    raise Refused(f"{name} is no number")


def _repaired(text: str) -> Any:
    """Return the value that json-repair reads, None where it cannot.

    In strict mode it refuses a repeated key, though only inside a list, so it is given one.
    """
    from json_repair import loads

    try:
        found = loads(f"[{text}]", skip_json_loads=True, strict=True)
    except (ValueError, RecursionError) as error:
        if "Duplicate key" in str(error):
            raise Refused("a key stands twice in one object") from error
        return None
    return found[0] if isinstance(found, list) and found else None


def _sound(value: Any) -> Any:
    """Return the value with finite numbers only, and strings that every encoding can hold."""
    if isinstance(value, dict):
        return {encodable(str(key)): _sound(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_sound(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise Refused("a number in it is not finite")
    return encodable(value) if isinstance(value, str) else value


def encodable(text: str) -> str:
    """Return the text with U+FFFD for what encodings and stores cannot hold: halves of surrogate pairs, and NUL."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
