"""Print OKGQA's table of open-ended answers in a terminal, shares in percent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from claimgraph.kgstore.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from claimgraph.evaluation.answers.open_qa import JudgedAnswer, Mean, OpenReport

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
    """Print a row per way of answering and type of question; an unknown figure is an empty cell. Notes follow."""
    import typer

    from claimgraph.cli.common.printing import print_table

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


@contextmanager
def kept(path: Path | None) -> Iterator[Callable[[JudgedAnswer], None] | None]:
    """Yield a function that writes each judged answer as a line of the file; None without a file."""
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error
    with file:
        yield lambda one: print(json.dumps(asdict(one), ensure_ascii=False), file=file)


def _percent(mean: Mean) -> str | None:
    return None if mean.value is None else f"{100 * mean.value:.1f}"
