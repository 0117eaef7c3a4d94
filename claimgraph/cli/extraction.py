"""`claimgraph eval-extract`: how good the extractor is on labelled texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ExtractorName(StrEnum):
    """The extractors that can be measured."""

    RULES = "rules"
    CORENLP = "corenlp"


def eval_extract(
    path: Annotated[
        Path, typer.Argument(help="Labelled texts as JSON lines, plain or .gz.", exists=True, dir_okay=False)
    ],
    extractor: Annotated[ExtractorName, typer.Option(help="Which extractor to measure.")] = ExtractorName.RULES,
    limit: Annotated[int | None, typer.Option(help="Only the first so many rows.", min=1)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure an extractor's precision, recall, F1 and speed on labelled texts."""
    from dataclasses import asdict

    from claimgraph.cli.printing import print_json, print_table
    from claimgraph.evaluation_extraction import evaluate
    from claimgraph.settings import load_settings
    from claimgraph.wiring import extractor as opened

    with _bar() as advance:
        report = asdict(evaluate(path, opened(load_settings(), extractor.value), limit, advance))
    if json:
        print_json(report)
    else:
        print_table(tuple(report), [tuple(report.values())])


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error; silent where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("texts"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("texts", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
