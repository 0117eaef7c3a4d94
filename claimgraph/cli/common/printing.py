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


def cell(value: object) -> Text:
    """Return a table's cell: None is empty, outcomes have their colours."""
    text = "" if value is None else str(value)
    return Text(text, style=COLOURS.get(text, ""))
