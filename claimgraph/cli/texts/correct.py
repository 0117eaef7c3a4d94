"""`claimgraph correct`: correct a text where its context refutes it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.usage import DryRun

if TYPE_CHECKING:
    from claimgraph.repair.correction import CorrectionReport


class Method(StrEnum):
    """The methods of correction."""

    DETERMINISTIC = "deterministic"
    GRAPHCORRECT = "graphcorrect"
    DIRECT = "direct"


def correct(
    text: Annotated[str, typer.Argument(help="The text, a file, or - for standard input.")],
    context: Annotated[str, typer.Option(help="Text file that holds what is right, or -.")],
    method: Annotated[
        Method, typer.Option(help="deterministic needs no language model, graphcorrect and direct do.")
    ] = Method.DETERMINISTIC,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Put right what a context refutes in a text, check the result, and store what was changed and why."""
    from claimgraph import wiring
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json
    from claimgraph.input_texts import read_argument, read_file
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.reports.correction_report import as_json, counts
    from claimgraph.settings import load_settings

    settings = load_settings()
    if text == context == "-":
        raise UsageError("standard input can be the text or the context, not both")
    limit = settings.max_text
    document = read_argument(text, limit)
    against = read_argument("-", limit) if context == "-" else read_file(Path(context), limit)
    with wiring.Checker(settings, dry_run=dry_run) as checker:
        report = checker.correct(document, wiring.corrector(checker.models, method.value), context=against)
    usage.rehearsed(checker.models, json=json)
    if json:
        print_json(as_json(report) | {"usage": usage.as_json(checker.models)})
    else:
        _print(report)
    usage.say(checker.models)
    raise typer.Exit(int(counts(report.after)["REFUTED"] > 0))


def _print(report: CorrectionReport) -> None:
    """Print the text with its changes, the unchanged claims, and the checks of both texts."""
    from rich.console import Console

    from claimgraph.cli.common.printing import diff
    from claimgraph.reports.correction_report import counts

    console = Console()
    console.print(diff(report.corrected.original, report.corrected.text), soft_wrap=True)
    claims = {claim.id: claim.triple.text for claim in report.before.claims}
    for edit in report.corrected.edits:
        if edit.status.value != "applied":
            why = f" ({edit.reason})" if edit.reason else ""
            console.print(f"Left, {edit.status.value}{why}: {claims[edit.claim]}", markup=False, highlight=False)
    for name, found in (("Before", report.before), ("After", report.after)):
        said = ", ".join(f"{count} {outcome}" for outcome, count in counts(found).items())
        console.print(f"{name}: {said}. Document {found.document.id}", highlight=False, soft_wrap=True)
