"""`claimgraph check`: check a text against a context, a graph, or both."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.completion import graphs
from claimgraph.cli.common.fetching import World
from claimgraph.cli.common.options import (
    ContextOption,
    FetchOption,
    KernelOption,
    Nei,
    TextArgument,
    read_texts,
    with_kernel,
)
from claimgraph.cli.common.usage import DryRun

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Report

SECONDS, ROWS = 60.0, 50_000
"""Budget of --fetch; what is then not there is recorded as incomplete, and the same command goes on."""


class Method(StrEnum):
    """The methods that check a text."""

    FUSED = "fused"
    RULES = "rules"
    GRAPHEVAL = "grapheval"
    FACTALIGN = "factalign"
    KEA = "kea"


class FailOn(StrEnum):
    """Outcomes that make the exit code 1."""

    REFUTED = "refuted"
    UNSUPPORTED = "unsupported"


class Format(StrEnum):
    """The formats of a checked text."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    HTML = "html"
    MARKDOWN = "markdown"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"


def check(
    text: TextArgument,
    context: ContextOption = None,
    graph: Annotated[
        list[str] | None, typer.Option(help="Stored graph to check against; repeatable.", autocompletion=graphs)
    ] = None,
    method: Annotated[Method, typer.Option(help="Which detection method.")] = Method.FUSED,
    preset: Annotated[str | None, typer.Option(help="Preset of the method; unset: its default.")] = None,
    kernel: KernelOption = None,
    calibration: Annotated[
        Path | None, typer.Option(help="Calibration file; unset: the shipped one.", exists=True, dir_okay=False)
    ] = None,
    nei: Annotated[Nei, typer.Option(help="What NOT_ENOUGH_INFO makes of a text in an open domain.")] = Nei.ABSTAIN,
    extractor: Annotated[
        str | None, typer.Option(help="What reads claims, as CLAIMGRAPH_EXTRACTOR has them; unset: that.")
    ] = None,
    fail_on: Annotated[FailOn, typer.Option(help="Exit with 1 also if a claim is NOT_ENOUGH_INFO.")] = FailOn.REFUTED,
    fetch: Annotated[
        list[World] | None,
        typer.Option(help="First fetch what the text names, and check against that graph too; repeatable."),
    ] = None,
    fetch_urls: FetchOption = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show all claims with their evidence and signals.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show only what is refuted.")] = False,
    dry_run: DryRun = False,
    format: Annotated[
        Format, typer.Option(help="text for people; the rest for programs, pages, pull requests and pipelines.")
    ] = Format.TEXT,
    json: Annotated[bool, typer.Option("--json", help="As --format json: the documented object.")] = False,
) -> None:
    """Check every claim of a text and store the verdicts with their evidence."""
    from claimgraph import wiring
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.check_printing import print_report
    from claimgraph.cli.common.fetching import say_fetched, with_contact
    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.cli.common.progress import bar, reading
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.pipeline import NOTHING_TO_CHECK_AGAINST
    from claimgraph.reports.check_report import as_json
    from claimgraph.settings import load_settings

    settings = with_kernel(load_settings(), kernel)
    if not context and not graph and not fetch:
        raise UsageError(NOTHING_TO_CHECK_AGAINST)
    if fetch and dry_run:
        raise UsageError("--fetch writes into the store, and --dry-run does not")
    settings = with_contact(settings) if fetch else settings
    document, against = read_texts(settings, text, context or (), fetch=fetch_urls)
    try:
        with (
            wiring.Checker(settings, extractor_name=extractor, dry_run=dry_run) as checker,
            reading(checker.models),
        ):
            for world in fetch or ():
                with bar("parts") as told:
                    found = checker.fetch(document, world.value, seconds=SECONDS, rows=ROWS, progress=told)
                say_fetched(found)
            report = checker.check(
                document,
                context=against,
                graphs=list(dict.fromkeys([*(graph or ()), *(world.value for world in fetch or ())])),
                method=method.value,
                preset=preset,
                calibration=calibration,
            )
    except KeyboardInterrupt:
        typer.echo("claimgraph: stopped; what was read and compared is kept, and the same command continues", err=True)
        raise typer.Exit(130) from None
    usage.rehearsed(checker.models, json=json)
    counted = nei is Nei.HALLUCINATION
    if json or format is Format.JSON:
        print_json(as_json(report, nei=counted) | {"usage": usage.as_json(checker.models)})
    elif format is not Format.TEXT:
        from claimgraph.reports.formats import FORMATS

        typer_echo(FORMATS[format.value](report))
    else:
        print_report(report, verbose=verbose, quiet=quiet)
    usage.say(checker.models)
    raise typer.Exit(_exit_code(report, fail_on))


def _exit_code(report: Report, fail_on: FailOn) -> int:
    bad = {"REFUTED"} if fail_on is FailOn.REFUTED else {"REFUTED", "NOT_ENOUGH_INFO"}
    return int(any(verdict.outcome.value in bad for verdict in report.verdicts))
