"""Print a check in a terminal: the text with its statements in the colours of their verdicts, then its problems.

A problem takes three lines: the statement and its reason; supported statements take one line together. `verbose` adds
the table of all claims with their evidence.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from claimgraph.cli.common.printing import COLOURS, cell, short
from claimgraph.kgstore.model import Outcome

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Report, Verdict
    from claimgraph.reports.statements import StatementVerdict

_NAMES = {Outcome.REFUTED: "REFUTED", Outcome.NOT_ENOUGH_INFO: "NOT ENOUGH INFO", Outcome.SUPPORTED: "SUPPORTED"}
_INDENT = "  "
_LINES = 2
"""Most lines of a reason that are shown."""


def print_report(report: Report, *, verbose: bool = False, quiet: bool = False) -> None:
    """Print the text in colours where the terminal has some, the problems, counts and notes; `quiet`: refuted ones
    alone.
    """
    from claimgraph.reports.statements import problems, statements

    console = Console()
    found = statements(report)
    shown = [one for one in problems(found) if not quiet or one.outcome is Outcome.REFUTED]
    if console.is_terminal and not quiet:
        console.print(coloured(report.document.text, found), "")
    for one in shown:
        _print_problem(console, one)
    if verbose:
        console.print(_table(report))
    if quiet:
        return
    for line in _summary(report, found):
        console.print(line, highlight=False, soft_wrap=True)
    for note in report.notes:
        console.print(Text(f"Note: {note}", style="yellow"))


def coloured(text: str, found: Sequence[StatementVerdict]) -> Text:
    """Return the text, each statement underlined in the colour of its verdict; the worse colour where two overlap."""
    shown = Text(text.strip("\n"))
    shift = len(text) - len(text.lstrip("\n"))
    for outcome in (Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED):
        for one in found:
            if one.outcome is outcome:
                shown.stylize(f"underline {COLOURS[outcome.value]}", one.span.start - shift, one.span.end - shift)
    return shown


def _print_problem(console: Console, one: StatementVerdict) -> None:
    head = Text.assemble((f"{_NAMES[one.outcome]}  ", f"bold {COLOURS[one.outcome.value]}"), one.text)
    head.truncate(console.width, overflow="ellipsis")
    console.print(head, highlight=False)
    width = max(20, console.width - len(_INDENT))
    lines = textwrap.wrap(" ".join(one.verdict.reason.split()), width, max_lines=_LINES, placeholder=" …")
    for line in lines:
        console.print(Text(_INDENT + line), highlight=False)


def _summary(report: Report, found: Sequence[StatementVerdict]) -> list[str]:
    from claimgraph.detect.levels import inside

    counts = {outcome: sum(one.outcome is outcome for one in found) for outcome in _NAMES}
    silent = sum(not inside([one.span for one in found], sentence) for sentence in report.sentences)
    said = ", ".join(f"{count} {_NAMES[outcome].lower()}" for outcome, count in counts.items())
    return [
        f"{len(found)} statements in {len(report.sentences)} sentences, {silent} without claims: {said}.",
        f"By {_method(report)} in {report.seconds:.1f} s. Document {report.document.id[:11]}",
    ]


def _method(report: Report) -> str:
    from claimgraph.reports.check_report import preset

    name = preset(report.run)
    return f"{report.run.method} (preset {name})" if name else report.run.method


def _table(report: Report) -> Table:
    """Return all claims with their verdicts, reasons and evidence."""
    table = Table("verdict", "claim", "reason and evidence", header_style="bold", show_lines=True)
    for claim, verdict in zip(report.claims, report.verdicts, strict=True):
        table.add_row(cell(verdict.outcome.value), Text(claim.triple.text), reason_and_evidence(verdict))
    return table


def reason_and_evidence(verdict: Verdict) -> Text:
    """Return a verdict's reason, and under it the evidence it cites first."""
    lines = Text(verdict.reason)
    for citation in verdict.citations[:3]:
        lines.append(f"\n{citation.stance.value} {citation.score:.2f}  {short(citation.evidence.text)}", style="dim")
        lines.append(f"  [{citation.evidence.source}]", style="dim italic")
    return lines
