"""`claimgraph eval-extract`: how good the extractor is on labelled texts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ExtractorName(StrEnum):
    """The extractors that can be measured."""

    RULES = "rules"
    RULES_NAMED = "rules-named"
    CORENLP = "corenlp"
    FACTALIGN = "factalign"
    FACTALIGN_UNFILTERED = "factalign-unfiltered"


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
    from claimgraph.cli.progress import bar
    from claimgraph.evaluation.extraction import evaluate
    from claimgraph.settings import load_settings
    from claimgraph.wiring import extractor as opened

    with bar() as advance:
        report = asdict(evaluate(path, opened(load_settings(), extractor.value), limit, advance))
    if json:
        print_json(report)
    else:
        print_table(tuple(report), [tuple(report.values())])
