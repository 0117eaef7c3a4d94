"""`claimgraph correct`: a text put right by its context."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from claimgraph.correction import CorrectionReport
    from kgstore.model import Report


class Method(StrEnum):
    """The ways to correct."""

    DETERMINISTIC = "deterministic"
    GRAPHCORRECT = "graphcorrect"
    DIRECT = "direct"


def correct(
    text: Annotated[str, typer.Argument(help="The text, a file, or - for standard input.")],
    context: Annotated[str, typer.Option(help="Text file that holds what is right, or -.")],
    method: Annotated[
        Method, typer.Option(help="deterministic needs no language model, graphcorrect and direct do.")
    ] = Method.DETERMINISTIC,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Put right what a context refutes in a text, check the result, and store what was changed and why."""
    from claimgraph import wiring
    from claimgraph.cli.printing import print_json
    from claimgraph.reading import read_argument, read_file
    from claimgraph.settings import load_settings
    from kgstore.errors import UsageError

    settings = load_settings()
    if text == context == "-":
        raise UsageError("standard input can be the text or the context, not both")
    limit = settings.max_text
    document = read_argument(text, limit)
    against = read_argument("-", limit) if context == "-" else read_file(Path(context), limit)
    corrector = wiring.corrector(settings, method.value)
    with wiring.Checker(settings) as checker:
        report = checker.correct(document, corrector, context=against)
    if json:
        print_json(as_json(report))
    else:
        _print(report)
    raise typer.Exit(int(_counts(report.after)["REFUTED"] > 0))


def as_json(report: CorrectionReport) -> dict[str, Any]:
    """`{text, original, method, edits, before, after}`; the last two are numbers of verdicts by outcome."""
    columns = ("start", "end", "before", "after", "claim", "verdict", "status")
    return {
        "text": report.corrected.text,
        "original": report.corrected.original,
        "method": report.method,
        "edits": [{column: getattr(edit, column) for column in columns} for edit in report.corrected.edits],
        "before": _counts(report.before),
        "after": _counts(report.after),
    }


def _counts(report: Report) -> dict[str, int]:
    from kgstore.model import Outcome

    return {outcome.value: sum(v.outcome is outcome for v in report.verdicts) for outcome in Outcome}


def _print(report: CorrectionReport) -> None:
    """The text with its changes, the claims left as they are, and what checks say of both."""
    from rich.console import Console

    console = Console()
    console.print(_diff(report.corrected.original, report.corrected.text), soft_wrap=True)
    claims = {claim.id: claim.triple.text for claim in report.before.claims}
    for edit in report.corrected.edits:
        if edit.status.value != "applied":
            console.print(f"Left, {edit.status.value}: {claims[edit.claim]}", markup=False, highlight=False)
    for name, found in (("Before", report.before), ("After", report.after)):
        said = ", ".join(f"{count} {outcome}" for outcome, count in _counts(found).items())
        console.print(f"{name}: {said}. Document {found.document.id}", highlight=False, soft_wrap=True)


def _diff(original: str, corrected: str) -> Text:
    """Word by word, marked as `[-old-]{+new+}`, so that it can be read without colours too."""
    from rich.text import Text

    old, new = (re.findall(r"\w+|\s+|.", text) for text in (original, corrected))
    shown = Text()
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = "".join(old[a:b]), "".join(new[c:d])
        if kind == "equal":
            shown.append(gone)
            continue
        shown.append(f"[-{gone}-]" if gone else "", style="red")
        shown.append(f"{{+{come}+}}" if come else "", style="green")
    return shown
