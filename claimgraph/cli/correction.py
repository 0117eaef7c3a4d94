"""`claimgraph correct`, a text put right by its context, and `claimgraph eval-correct`, what that is worth."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimgraph.cli.usage import DryRun
from claimgraph.label_rules import LabelRule

if TYPE_CHECKING:
    from claimgraph.correction import CorrectionReport
    from claimgraph.evaluation.correction import CorrectionFigures
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
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Put right what a context refutes in a text, check the result, and store what was changed and why."""
    from claimgraph import wiring
    from claimgraph.cli import usage
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
    with wiring.Checker(settings, dry_run=dry_run) as checker:
        report = checker.correct(document, wiring.corrector(checker.models, method.value), context=against)
    usage.rehearsed(checker.models, json=json)
    if json:
        print_json(as_json(report) | {"usage": usage.as_json(checker.models)})
    else:
        _print(report)
    usage.say(checker.models)
    raise typer.Exit(int(_counts(report.after)["REFUTED"] > 0))


def eval_correct(
    path: Annotated[
        Path, typer.Argument(help="Labelled texts as JSON lines, plain or .gz.", exists=True, dir_okay=False)
    ],
    method: Annotated[Method, typer.Option(help="Which way to correct.")] = Method.DETERMINISTIC,
    detector: Annotated[str, typer.Option(help="The method that finds what to correct.")] = "fused",
    judge: Annotated[str | None, typer.Option(help="The method that judges the results; unset: the detector.")] = None,
    label_rule: Annotated[LabelRule, typer.Option(help="What counts as hallucinated in the file.")] = LabelRule.FILE,
    limit: Annotated[int | None, typer.Option(help="Only a random sample of so many rows.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="Of the sample, and of the known edits.")] = 0,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure how much a correction repairs, breaks and leaves alone on labelled texts."""
    from dataclasses import asdict

    from claimgraph import wiring
    from claimgraph.cli import usage
    from claimgraph.cli.printing import print_json
    from claimgraph.cli.progress import bar
    from claimgraph.evaluation.correction import evaluate
    from claimgraph.labelled import read_labelled
    from claimgraph.settings import load_settings

    settings = load_settings()
    cases = list(read_labelled(path, label_rule, limit, seed))
    with wiring.opened_models(settings, dry_run=dry_run) as models, bar() as advance:
        finds = wiring.detector(settings, detector, models=models)
        figures = evaluate(
            cases,
            extractor=wiring.extractor(settings, models=models),
            detector=finds,
            judge=finds if judge in (None, detector) else wiring.detector(settings, str(judge), models=models),
            corrector=wiring.corrector(models, method.value),
            seed=seed,
            advance=advance,
        )
    usage.rehearsed(models, json=json)
    if json:
        print_json(asdict(figures) | {"label_rule": label_rule.value, "seed": seed, "usage": usage.as_json(models)})
    else:
        _print_figures(figures)
    usage.say(models)


def as_json(report: CorrectionReport) -> dict[str, Any]:
    """`{text, original, method, edits, before, after}`; the last two are numbers of verdicts by outcome."""
    columns = ("start", "end", "before", "after", "claim", "verdict", "status", "reason")
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

    from claimgraph.cli.printing import diff

    console = Console()
    console.print(diff(report.corrected.original, report.corrected.text), soft_wrap=True)
    claims = {claim.id: claim.triple.text for claim in report.before.claims}
    for edit in report.corrected.edits:
        if edit.status.value != "applied":
            why = f" ({edit.reason})" if edit.reason else ""
            console.print(f"Left, {edit.status.value}{why}: {claims[edit.claim]}", markup=False, highlight=False)
    for name, found in (("Before", report.before), ("After", report.after)):
        said = ", ".join(f"{count} {outcome}" for outcome, count in _counts(found).items())
        console.print(f"{name}: {said}. Document {found.document.id}", highlight=False, soft_wrap=True)


def _print_figures(found: CorrectionFigures) -> None:
    """Tables 4 and 3 of GraphEval with empty cells for its figures, which are not at hand; then what is known."""
    from claimgraph.cli.printing import print_table

    who, judged = (found.dataset, found.method, found.detector), found.judgement
    print_table(
        ("data set", "method", "detector", "outputs", "suspected", "changed"),
        [(*who, found.n, found.suspected, found.changed)],
    )
    print_table(
        ("judge", "finds", "corrected", "corrected (paper)", "broken"),
        [(found.judge, judged.found, judged.corrected, None, judged.broken)],
    )
    scores = {"ROUGE-1": found.rouge1, "ROUGE-2": found.rouge2, "ROUGE-L": found.rouge_l}
    print_table(("similarity", "ours", "paper"), [(name, value, None) for name, value in scores.items()])
    kinds = {"all": found.known_edits, **found.known_edits_by_kind}
    rows = [(kind, r.n, r.found, r.repaired, r.elsewhere) for kind, r in kinds.items()]
    print_table(("known edits", "texts", "found", "repaired", "changed elsewhere"), rows)
    labels = (("hallucinated", found.hallucinated), ("consistent", found.consistent))
    print_table(("label", "outputs", "suspected", "changed"), [(n, t.n, t.suspected, t.changed) for n, t in labels])
