"""`claimgraph eval extraction`: measure an extractor on labelled texts."""

from __future__ import annotations

from typing import Annotated

import typer

from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.measure.options import First, Json, Texts, show
from claimgraph.cli.texts.extract import ExtractorName


def extraction(
    path: Texts,
    extractor: Annotated[ExtractorName, typer.Option(help="Which extractor to measure.")] = ExtractorName.RULES,
    limit: First = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Measure an extractor's precision, recall, F1 and speed on labelled texts."""
    from dataclasses import asdict

    from claimgraph import wiring
    from claimgraph.cli.common.printing import print_table
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.extraction import evaluate
    from claimgraph.settings import load_settings

    settings = load_settings()
    with wiring.opened_models(settings, dry_run=dry_run) as models, bar() as advance:
        report = asdict(evaluate(path, wiring.extractor(settings, extractor.value, models), limit, advance))
    show(models, json, report, lambda: print_table(tuple(report), [tuple(report.values())]))
