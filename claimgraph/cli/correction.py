"""`claimgraph correct`, a text put right by its context, and `claimgraph eval-correct`, what that is worth."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimgraph.label_rules import LabelRule

if TYPE_CHECKING:
    from rich.text import Text

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
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure how much a correction repairs, breaks and leaves alone on labelled texts."""
    from dataclasses import asdict

    from claimgraph import wiring
    from claimgraph.cli.printing import print_json
    from claimgraph.cli.progress import bar
    from claimgraph.evaluation.correction import evaluate
    from claimgraph.labelled import read_labelled
    from claimgraph.settings import load_settings

    settings = load_settings()
    corrector = wiring.corrector(settings, method.value)
    finds = wiring.detector(settings, detector)
    judges = finds if judge in (None, detector) else wiring.detector(settings, str(judge))
    cases = list(read_labelled(path, label_rule, limit, seed))
    with bar() as advance:
        figures = evaluate(
            cases,
            extractor=wiring.extractor(settings),
            detector=finds,
            judge=judges,
            corrector=corrector,
            seed=seed,
            advance=advance,
        )
    if json:
        print_json(asdict(figures) | {"label_rule": label_rule.value, "seed": seed})
    else:
        _print_figures(figures)


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
