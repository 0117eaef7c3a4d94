"""`claimgraph eval-judges`: measure how far the judges of open-ended answers agree with people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.usage import DryRun

if TYPE_CHECKING:
    from claimgraph.evaluation.answers.judge_agreement import JudgesReport
    from claimgraph.settings import Settings
    from claimgraph.wiring import Models


def eval_judges(
    path: Annotated[
        Path, typer.Argument(help="Biographies with labelled facts, as JSON lines.", exists=True, dir_okay=False)
    ],
    passages: Annotated[
        Path | None,
        typer.Option(help="Folder of .txt files named by topic; unset: the store.", exists=True, file_okay=False),
    ] = None,
    graph: Annotated[
        list[str] | None, typer.Option(help="Stored graph that topics are looked up in; repeatable; unset: all.")
    ] = None,
    facts: Annotated[
        bool,
        typer.Option("--facts", help="Judge by an entity's description and facts too, not by its summaries alone."),
    ] = False,
    limit: Annotated[int | None, typer.Option(help="Only the first so many biographies with passages.", min=1)] = None,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON.")] = False,
) -> None:
    """Measure how far FActScore's and SAFE's judges agree with people's labels of atomic facts."""
    from dataclasses import asdict

    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.settings import load_settings
    from claimgraph.wiring import opened_models

    settings, sources = load_settings(), _Sources(passages, tuple(graph or ()), facts)
    with opened_models(settings, dry_run=dry_run) as models:
        report = _report(settings, models, path, sources, limit)
    usage.rehearsed(models, json=json)
    usage.say(models)
    if json:
        print_json(asdict(report) | {"usage": usage.as_json(models)})
        return
    typer.echo(
        f"{report.covered} of {report.biographies} biographies, about {report.topics} topics with passages; "
        f"{report.facts} facts, {report.supported} of them supported"
    )
    rows = [asdict(judge) for judge in report.judges]
    print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])


@dataclass(frozen=True, slots=True)
class _Sources:
    """The sources of passages."""

    folder: Path | None
    graphs: tuple[str, ...]
    facts: bool


def _report(settings: Settings, models: Models, path: Path, asked: _Sources, limit: int | None) -> JudgesReport:
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.answers.judge_agreement import evaluate
    from claimgraph.evaluation.judges import fact_judges, safe_agents, topic_sources

    judges = fact_judges(settings, models)
    agents = safe_agents(settings, models, judges)
    sources = topic_sources(settings, models, asked.folder, asked.graphs, facts=asked.facts)
    with sources as (topics, search), bar("judges") as advance:
        return evaluate(path, topics, judges, agents, search, limit, advance)
