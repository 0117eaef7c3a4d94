"""`claimgraph correct`: correct a text where its context refutes it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.options import ContextOption, FetchOption, TextArgument, read_texts
from claimgraph.cli.common.usage import DryRun

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Report, Verdict
    from claimgraph.repair.correction import CorrectionReport


class Method(StrEnum):
    """The methods of correction."""

    DETERMINISTIC = "deterministic"
    GRAPHCORRECT = "graphcorrect"
    DIRECT = "direct"


def correct(
    text: TextArgument,
    context: ContextOption = None,
    method: Annotated[
        Method, typer.Option(help="deterministic needs no language model, graphcorrect and direct do.")
    ] = Method.DETERMINISTIC,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the corrected text to this file.", dir_okay=False)
    ] = None,
    fetch_urls: FetchOption = False,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Put right what a context refutes in a text, check the result, and store what was changed and why."""
    from claimgraph import wiring
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.reports.correction_report import as_json, counts
    from claimgraph.settings import load_settings

    settings = load_settings()
    if not context:
        raise UsageError("say what is right: --context FILE")
    document, against = read_texts(settings, text, context, fetch=fetch_urls)
    with wiring.Checker(settings, dry_run=dry_run) as checker:
        report = checker.correct(document, wiring.corrector(checker.models, method.value), context=against)
    usage.rehearsed(checker.models, json=json)
    if output:
        output.write_text(report.corrected.text, encoding="utf-8")
    if json:
        print_json(as_json(report) | {"usage": usage.as_json(checker.models)})
    else:
        _print(report)
    usage.say(checker.models)
    raise typer.Exit(int(counts(report.after)["REFUTED"] > 0))


def _print(report: CorrectionReport) -> None:
    """Print the text with its changes, the unchanged claims, and the checks of both texts."""
    from rich.console import Console
    from rich.text import Text

    from claimgraph.cli.common.check_printing import counts_line
    from claimgraph.cli.common.printing import diff
    from claimgraph.kgstore.id_search import SHOWN
    from claimgraph.reports.statements import statements

    console = Console()
    console.print(diff(report.corrected.original, report.corrected.text), soft_wrap=True)
    claims = {claim.id: claim.sentence for claim in report.before.claims}
    verdicts = {verdict.id: verdict for verdict in report.before.verdicts}
    left: dict[str, None] = {}
    for edit in report.corrected.edits:
        if edit.status.value == "applied":
            verdict = verdicts.get(edit.verdict or "")
            source = _decided_by(verdict, report.before) if verdict else ""
            changed = f"{edit.before or '(nothing)'} → {edit.after or '(nothing)'}{source}"
            console.print(f"Changed {changed}", markup=False, highlight=False, soft_wrap=True)
        else:
            why = f" ({edit.reason})" if edit.reason else ""
            left.setdefault(f"Left, {edit.status.value}{why}: {claims[edit.claim]}")
    for line in left:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for name, found in (("Before: ", report.before), ("After:  ", report.after)):
        foot = Text.assemble(name, counts_line(statements(found)), f" Document {found.document.id[:SHOWN]}")
        console.print(foot, highlight=False, soft_wrap=True)


def _decided_by(verdict: Verdict, report: Report) -> str:
    """Return the reason of a change: the sentence that refutes, with its place; empty where none is cited."""
    from claimgraph.kgstore.model import Stance
    from claimgraph.reports.places import cited, sources_of

    against = [one.evidence for one in verdict.citations if one.stance is Stance.REFUTES]
    piece = next((one for one in against if one.triple is None), against[0] if against else None)
    return f", because {cited(piece, sources_of(report))} says “{' '.join(piece.text.split())}”" if piece else ""
