"""`claimgraph check`: check a text against a context, a graph, or both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimgraph.cli.common.completion import graphs
from claimgraph.cli.common.fetching import World
from claimgraph.cli.common.options import (
    ContextOption,
    FailOn,
    FetchOption,
    KernelOption,
    Nei,
    TextArgument,
    read_texts,
    with_kernel,
)
from claimgraph.cli.common.usage import DryRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimgraph.kgstore.model import Document, Report
    from claimgraph.wiring import Checker, Models


SECONDS, ROWS = 60.0, 50_000
"""Budget of --fetch; what is then not there is recorded as incomplete, and the same command goes on."""


class Method(StrEnum):
    """The methods that check a text."""

    FUSED = "fused"
    RULES = "rules"
    GRAPHEVAL = "grapheval"
    FACTALIGN = "factalign"
    KEA = "kea"


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


Graph = Annotated[
    list[str] | None, typer.Option(help="Stored graph to check against; repeatable.", autocompletion=graphs)
]
MethodOption = Annotated[Method, typer.Option(help="Which detection method.")]
Preset = Annotated[str | None, typer.Option(help="Preset of the method; unset: its default.")]
Calibration = Annotated[
    Path | None, typer.Option(help="Calibration file; unset: the shipped one.", exists=True, dir_okay=False)
]
NeiOption = Annotated[Nei, typer.Option(help="What NOT_ENOUGH_INFO makes of a text in an open domain.")]
ExtractorName = Annotated[
    str | None, typer.Option(help="What reads claims, as CLAIMGRAPH_EXTRACTOR has them; unset: that.")
]
FailOnOption = Annotated[FailOn, typer.Option(help="Exit with 1 if a claim is REFUTED, or NOT_ENOUGH_INFO too.")]
Fetch = Annotated[
    list[World] | None,
    typer.Option(help="First fetch what the text names, and check against that graph too; repeatable."),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show all claims with their evidence and signals.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show only what is refuted.")]
FormatOption = Annotated[
    Format, typer.Option(help="text for people; the rest for programs, pages, pull requests and pipelines.")
]
Json = Annotated[bool, typer.Option("--json", help="As --format json: the documented object.")]


def check(
    text: TextArgument,
    context: ContextOption = None,
    graph: Graph = None,
    method: MethodOption = Method.FUSED,
    preset: Preset = None,
    kernel: KernelOption = None,
    calibration: Calibration = None,
    nei: NeiOption = Nei.ABSTAIN,
    extractor: ExtractorName = None,
    fail_on: FailOnOption = FailOn.REFUTED,
    fetch: Fetch = None,
    fetch_urls: FetchOption = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    format: FormatOption = Format.TEXT,
    json: Json = False,
) -> None:
    """Check every claim of a text and store the verdicts with their evidence."""
    from claimgraph import wiring
    from claimgraph.cli.common import check_printing, usage
    from claimgraph.cli.common.fetching import with_contact
    from claimgraph.cli.common.progress import reading
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.pipeline import NOTHING_TO_CHECK_AGAINST
    from claimgraph.settings import load_settings

    settings = with_kernel(load_settings(), kernel)
    if not context and not graph and not fetch:
        raise UsageError(NOTHING_TO_CHECK_AGAINST)
    if fetch and dry_run:
        raise UsageError("--fetch writes into the store, and --dry-run does not")
    settings = with_contact(settings) if fetch else settings
    document, against = read_texts(settings, text, context or (), fetch=fetch_urls)
    choice: dict[str, Any] = {"method": method.value, "preset": preset, "calibration": calibration}
    opened = wiring.Checker(settings, extractor_name=extractor, dry_run=dry_run)
    with _stoppable(), opened as checker, reading(checker.models, (document, *against)):
        worlds = [*(graph or ()), *_fetched(checker, document, fetch or ())]
        report = checker.check(document, context=against, graphs=list(dict.fromkeys(worlds)), **choice)
    usage.rehearsed(checker.models, json=json)
    shown = Format.JSON if json else format
    if shown is Format.TEXT:
        check_printing.print_report(report, verbose=verbose, quiet=quiet)
    else:
        _print(report, shown, checker.models, nei=nei is Nei.HALLUCINATION)
    usage.say(checker.models)
    raise typer.Exit(fail_on.code(verdict.outcome.value for verdict in report.verdicts))


@contextmanager
def _stoppable() -> Iterator[None]:
    """End Ctrl-C in one line, with exit code 130."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("claimgraph: stopped; what was read and compared is kept, and the same command continues", err=True)
        raise typer.Exit(130) from None


def _fetched(checker: Checker, document: Document, worlds: Sequence[World]) -> list[str]:
    """Fetch what a text names into these graphs; return their names."""
    from claimgraph.cli.common.fetching import say_fetched
    from claimgraph.cli.common.progress import bar

    for world in worlds:
        with bar("parts") as told:
            found = checker.fetch(document, world.value, seconds=SECONDS, rows=ROWS, progress=told)
        say_fetched(found)
    return [world.value for world in worlds]


def _print(report: Report, format: Format, models: Models, *, nei: bool) -> None:
    """Print a report in one of the formats for programs."""
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.reports.check_report import as_json
    from claimgraph.reports.formats import FORMATS

    if format is Format.JSON:
        print_json(as_json(report, nei=nei) | {"usage": usage.as_json(models)})
    else:
        typer_echo(FORMATS[format.value](report))
