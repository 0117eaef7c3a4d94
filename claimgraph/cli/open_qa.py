"""The table of open-ended answers as a terminal shows it: OKGQA's, shares in percent."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimgraph.evaluation_open_qa import Mean, OpenReport

_FIGURES = {
    "relev.": "context_relevance",
    "compr.": "comprehensiveness",
    "corr.": "correctness",
    "emp.": "empowerment",
    "SAFE": "safe",
    "FActScore": "factscore",
}
"""The paper's columns; --json has all figures."""


def print_open(report: OpenReport) -> None:
    """A row a way of answering and type of question; an unknown figure is an empty cell. Notes follow."""
    import typer

    from claimgraph.cli.printing import print_table

    rows = [
        (f"{row.mode}, {row.prompt}", row.type, row.n, *(_percent(getattr(row, name)) for name in _FIGURES.values()))
        for row in report.figures
    ]
    print_table(("answered", "type", "n", *_FIGURES), rows)
    typer.echo(
        f"{report.covered} of {report.n} questions are about an entity with passages. Atomic facts by "
        f"{report.atomiser}, FActScore by {report.judge}, SAFE by {report.agent}."
    )
    for note in report.notes:
        typer.echo(f"Note: {note}")


def _percent(mean: Mean) -> str | None:
    return None if mean.value is None else f"{100 * mean.value:.1f}"
