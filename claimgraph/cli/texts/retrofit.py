"""`claimgraph retrofit`: check a draft against stored graphs and correct it, repeatedly (KGR)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.options import GraphOption
from claimgraph.cli.common.usage import DryRun

if TYPE_CHECKING:
    from claimgraph.repair.retrofitting import RetrofitReport, Unresolved


class Mode(StrEnum):
    """The implementations of KGR's stages."""

    DETERMINISTIC = "deterministic"
    LLM = "llm"


class Assume(StrEnum):
    """Meanings of a fact that is missing in a graph."""

    LIKELY = "likely"
    COMPLETE = "complete"
    FUNCTIONAL = "functional"


class Preset(StrEnum):
    """Degrees of trust in a language model's answers."""

    GUARDED = "kgr-guarded"
    PAPER = "kgr"


def retrofit(
    text: Annotated[str, typer.Argument(help="The draft, a file, or - for standard input.")],
    question: Annotated[str | None, typer.Option(help="The question that the draft answers.")] = None,
    graph: GraphOption = None,
    max_iterations: Annotated[
        int | None, typer.Option(help="Rewritings at most, 0 only verifies; unset: 3.", show_default=False)
    ] = None,
    mode: Annotated[
        Mode | None, typer.Option(help="Unset: llm where a language model is configured, else deterministic.")
    ] = None,
    preset: Annotated[
        Preset | None, typer.Option(help="Of mode llm: the paper's kgr takes all a model rewrites; unset: kgr-guarded.")
    ] = None,
    assume: Annotated[
        Assume,
        typer.Option(
            help="Of mode deterministic. complete: a graph that knows some occupations knows all, so another is wrong; "
            "likely: unless the rest of a large graph does not speak against it; "
            "functional: absence refutes only where a relation has one value, as a birthplace."
        ),
    ] = Assume.LIKELY,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Put right what stored graphs refute in a draft, verify again, and store what was changed and why.

    A dry run without a language model shows what would be changed.
    """
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json
    from claimgraph.input_texts import read_argument
    from claimgraph.reports.retrofit_report import as_json
    from claimgraph.settings import load_settings
    from claimgraph.wiring.retrofitter import Retrofitter

    settings = load_settings()
    document = read_argument(text, settings.max_text)
    with Retrofitter(settings, graph or (), mode=mode, preset=preset, assume=assume, dry_run=dry_run) as retrofitter:
        report = retrofitter.retrofit(document, question, max_iterations)
    if report.mode.value == Mode.LLM.value:
        usage.rehearsed(retrofitter.models, json=json)
    if json:
        print_json(as_json(report) | {"usage": usage.as_json(retrofitter.models)})
    else:
        _print(report)
    usage.say(retrofitter.models)
    raise typer.Exit(int(report.final.refuted > 0))


def print_changes(report: RetrofitReport) -> None:
    """Print the text with its changes and reasons, the claims left and why, and the reason to stop."""
    from rich.console import Console

    from claimgraph.cli.common.check_printing import reason_and_evidence
    from claimgraph.cli.common.printing import diff, print_table

    console = Console()
    console.print(diff(report.original, report.text), soft_wrap=True)
    if report.edits:
        rows = [
            (one.iteration, f"{one.before} → {one.after}", reason_and_evidence(one.verdict)) for one in report.edits
        ]
        print_table(("pass", "change", "reason and evidence"), rows)
    for one in report.left:
        console.print(_left(one), markup=False, highlight=False, soft_wrap=True)
    ended = f"Rewritings: {report.iterations}. Stopped: {report.stopped}"
    by = f"By {report.mode} in {report.seconds:.1f} s. Document {report.final.extraction.document.id}"
    console.print(f"{ended}. {by}", highlight=False, soft_wrap=True)


def _print(report: RetrofitReport) -> None:
    from rich.console import Console
    from rich.text import Text

    print_changes(report)
    for note in report.notes:
        Console().print(Text(f"Note: {note}", style="yellow"))


def _left(one: Unresolved) -> str:
    verdict = one.verdict
    why = one.edit.status if one.edit else (verdict.outcome if verdict.status == "complete" else verdict.status)
    return f"Left, {why}: {one.claim.triple.text}. {one.verdict.reason}"
