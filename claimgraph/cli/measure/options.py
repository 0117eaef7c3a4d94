"""Arguments and options that measuring commands share, and how each shows what it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from claimgraph.wiring import Models

Texts = Annotated[Path, typer.Argument(help="Labelled texts as JSON lines, plain or .gz.", exists=True, dir_okay=False)]
Questions = Annotated[Path, typer.Argument(help="Questions as JSON lines, plain or .gz.", exists=True, dir_okay=False)]
Graphs = Annotated[list[str], typer.Option("--graph", help="Stored graph; repeatable.")]
Sample = Annotated[int | None, typer.Option("--limit", help="Only a random sample of so many rows.", min=1)]
First = Annotated[int | None, typer.Option("--limit", help="Only the first so many rows.", min=1)]
Seed = Annotated[int, typer.Option(help="Of everything that is drawn: samples, folds, intervals, edits.", min=0)]
Calibration = Annotated[
    Path | None, typer.Option(help="Calibration file; unset: the shipped one.", exists=True, dir_okay=False)
]
Passages = Annotated[
    Path | None,
    typer.Option(help="Folder of .txt files named by topic; unset: the store.", exists=True, file_okay=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print the documented JSON.")]


def show(models: Models, json: bool, found: Mapping[str, Any], table: Callable[[], None]) -> None:
    """Print figures with the usage of the language model, as JSON or by `table`; in a dry run its estimate."""
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json

    usage.rehearsed(models, json=json)
    if json:
        print_json({**found, "usage": usage.as_json(models)})
    else:
        table()
    usage.say(models)


def say_leaks(*paths: Path) -> None:
    """Say which of the files share texts with others that models here or elsewhere were fitted on."""
    from claimgraph.evaluation.data.leakage import leaks

    for path in paths:
        if said := leaks(path.name):
            typer.echo(f"{path.name.split('.')[0]}: {said}.", err=True)
