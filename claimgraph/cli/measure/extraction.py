"""`claimgraph eval-extract`: measure an extractor on labelled texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.texts.extract import ExtractorName


def eval_extract(
    path: Annotated[
        Path, typer.Argument(help="Labelled texts as JSON lines, plain or .gz.", exists=True, dir_okay=False)
    ],
    extractor: Annotated[ExtractorName, typer.Option(help="Which extractor to measure.")] = ExtractorName.RULES,
    limit: Annotated[int | None, typer.Option(help="Only the first so many rows.", min=1)] = None,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure an extractor's precision, recall, F1 and speed on labelled texts."""
    from dataclasses import asdict

    from claimgraph import wiring
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.extraction import evaluate
    from claimgraph.settings import load_settings

    settings = load_settings()
    with wiring.opened_models(settings, dry_run=dry_run) as models, bar() as advance:
        report = asdict(evaluate(path, wiring.extractor(settings, extractor.value, models), limit, advance))
    usage.rehearsed(models, json=json)
    if json:
        print_json(report | {"usage": usage.as_json(models)})
    else:
        print_table(tuple(report), [tuple(report.values())])
    usage.say(models)
