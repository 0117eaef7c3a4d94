"""Print results in a terminal: tables for people, JSON for programs. Texts are printed as data, never as markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

_SHOWN = 240
"""Most characters of a piece of evidence that are shown; --json prints all."""
COLOURS = {"SUPPORTED": "green", "REFUTED": "red", "NOT_ENOUGH_INFO": "yellow"}


def print_json(value: Any) -> None:
    """Print one JSON document on standard output."""
    typer_echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def typer_echo(text: str) -> None:
    """Print text on standard output; lone surrogates, which no terminal can show, as escapes."""
    import typer

    typer.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; None as an empty cell. Long words, such as ids, are folded and not cut."""
    table = Table(*(Column(name, overflow="fold") for name in columns), header_style="bold", expand=False)
    for row in rows:
        table.add_row(*(cell(value) for value in row))
    Console().print(table)


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: "1 document", "2 documents"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def diff(original: str, corrected: str) -> Text:
    """Return the changes word by word, marked as `[-old-]{+new+}`, so that they can be read without colours too."""
    old, new = (re.findall(r"\w+|\s+|.", text) for text in (original, corrected))
    shown = Text()
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = "".join(old[a:b]), "".join(new[c:d])
        if kind == "equal":
            shown.append(gone)
            continue
        shown.append(f"[-{gone}-]" if gone else "", style="red")
        shown.append(f"{{+{come}+}}" if come else "", style="green")
    return shown


def short(text: str) -> str:
    """Return a piece of evidence, truncated where it is long."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"


def excerpt(text: str, words: str, width: int) -> str:
    """Return at most `width` characters of a text in one line: the part that shares most words with `words`."""
    pieces = text.split()
    if len(" ".join(pieces)) <= width:
        return " ".join(pieces)
    known = {word for word in re.findall(r"\w+", words.lower()) if len(word) > 3 or word.isdigit()}
    hits = [sum(word in known for word in re.findall(r"\w+", piece.lower())) for piece in pieces]
    _, start = max((sum(hits[at : at + _fits(pieces, at, width)]), -at) for at in range(len(pieces)))
    count = _fits(pieces, -start, width)
    shown = " ".join(pieces[-start : -start + count])[: width - 1]
    return f"{'… ' if start else ''}{shown}{' …' if -start + count < len(pieces) else ''}"


def _fits(pieces: Sequence[str], start: int, width: int) -> int:
    """Return how many pieces from `start` on fit into the width with an ellipsis on both sides; at least one."""
    room, count = width - 4, 0
    for piece in pieces[start:]:
        room -= len(piece) + 1
        if room < -1 and count:
            break
        count += 1
    return count


def cell(value: object) -> Text:
    """Return a table's cell: None is empty, outcomes have their colours."""
    text = "" if value is None else str(value)
    return Text(text, style=COLOURS.get(text, ""))
