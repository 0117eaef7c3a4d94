"""How results look in a terminal: tables for people, JSON for programs. Everything a text says is printed as data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Report, Verdict

_SHOWN = 240
"""Characters of a piece of evidence that are shown; --json prints all."""
_COLOURS = {"SUPPORTED": "green", "REFUTED": "red", "NOT_ENOUGH_INFO": "yellow"}


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    typer_echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def typer_echo(text: str) -> None:
    """Text on standard output; lone surrogates, which no terminal can show, as escapes."""
    import typer

    typer.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table; None as an empty cell. Long words, such as ids, are folded and not cut."""
    table = Table(*(Column(name, overflow="fold") for name in columns), header_style="bold", expand=False)
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    Console().print(table)


def print_report(report: Report, *, nei: bool) -> None:
    """The verdict table of a check, a line of counts, one of what the claims make of sentences, and the notes."""
    table = Table("verdict", "claim", "reason and evidence", header_style="bold", show_lines=True)
    for claim, verdict in zip(report.claims, report.verdicts, strict=True):
        table.add_row(_cell(verdict.outcome.value), Text(claim.triple.text), evidence_set(verdict))
    console = Console()
    if report.claims:
        console.print(table)
    counts = {name: sum(v.outcome.value == name for v in report.verdicts) for name in _COLOURS}
    lines = (
        f"{len(report.claims)} claims: " + ", ".join(f"{count} {name}" for name, count in counts.items()),
        f"{len(report.sentences)} sentences: {_sentences(report, nei)}",
        f"By {_method(report)} in {report.seconds:.1f} s. Document {report.document.id}",
    )
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)
    for note in report.notes:
        console.print(Text(f"Note: {note}", style="yellow"))


def diff(original: str, corrected: str) -> Text:
    """Word by word, marked as `[-old-]{+new+}`, so that it can be read without colours too."""
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


def _sentences(report: Report, nei: bool) -> str:
    from claimgraph.reports.check_report import sentence_levels

    levels = sentence_levels(report, nei=nei)
    claimed = [found.label for found in levels if found.claims]
    counts = {
        "hallucinated": claimed.count(1),
        "not": claimed.count(0),
        "undecided": claimed.count(None),
        "without claims": len(levels) - len(claimed),
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _method(report: Report) -> str:
    from claimgraph.reports.check_report import preset

    name = preset(report.run)
    return f"{report.run.method} (preset {name})" if name else report.run.method


def evidence_set(verdict: Verdict) -> Text:
    """A verdict's reason, and under it the evidence it cites first."""
    lines = Text(verdict.reason)
    for citation in verdict.citations[:3]:
        lines.append(f"\n{citation.stance.value} {citation.score:.2f}  {_short(citation.evidence.text)}", style="dim")
        lines.append(f"  [{citation.evidence.source}]", style="dim italic")
    return lines


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"


def _cell(value: object) -> Text:
    text = "" if value is None else str(value)
    return Text(text, style=_COLOURS.get(text, ""))
