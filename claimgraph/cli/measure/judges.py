"""`claimgraph eval judges`: measure how far the judges of open-ended answers agree with people."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.options import GraphOption
from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.measure.options import First, Json, Passages, show

if TYPE_CHECKING:
    from claimgraph.evaluation.answers.judge_agreement import JudgesReport


def judges(
    path: Annotated[
        Path, typer.Argument(help="Biographies with labelled facts, as JSON lines.", exists=True, dir_okay=False)
    ],
    passages: Passages = None,
    graph: GraphOption = None,
    facts: Annotated[
        bool,
        typer.Option("--facts", help="Judge by an entity's description and facts too, not by its summaries alone."),
    ] = False,
    limit: First = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Measure how far FActScore's and SAFE's judges agree with people's labels of atomic facts."""
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.answers.judge_agreement import evaluate
    from claimgraph.evaluation.judges import fact_judges, safe_agents, topic_sources
    from claimgraph.settings import load_settings
    from claimgraph.wiring import opened_models

    settings = load_settings()
    with opened_models(settings, dry_run=dry_run) as models:
        tried = fact_judges(settings, models)
        agents = safe_agents(settings, models, tried)
        sources = topic_sources(settings, models, passages, tuple(graph or ()), facts=facts)
        with sources as (topics, search), bar("judges") as advance:
            report = evaluate(path, topics, tried, agents, search, limit, advance)
    show(models, json, asdict(report), lambda: _print(report))


def _print(report: JudgesReport) -> None:
    from claimgraph.cli.common.printing import print_table

    typer.echo(
        f"{report.covered} of {report.biographies} biographies, about {report.topics} topics with passages; "
        f"{report.facts} facts, {report.supported} of them supported"
    )
    rows = [asdict(judge) for judge in report.judges]
    print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])
