"""`claimgraph eval correction`: measure corrections on labelled texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.measure.options import Json, Sample, Seed, Texts, say_leaks, show
from claimgraph.cli.texts.correct import Method
from claimgraph.evaluation.data.label_rules import LabelRule

if TYPE_CHECKING:
    from claimgraph.evaluation.correction import CorrectionFigures


def correction(
    path: Texts,
    method: Annotated[Method, typer.Option(help="Which way to correct.")] = Method.DETERMINISTIC,
    detector: Annotated[str, typer.Option(help="The method that finds what to correct.")] = "fused",
    judge: Annotated[str | None, typer.Option(help="The method that judges the results; unset: the detector.")] = None,
    label_rule: Annotated[LabelRule, typer.Option(help="What counts as hallucinated in the file.")] = LabelRule.FILE,
    limit: Sample = None,
    seed: Seed = 0,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Measure how much a correction repairs, breaks and leaves alone on labelled texts."""
    from dataclasses import asdict

    from claimgraph import wiring
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.correction import evaluate
    from claimgraph.evaluation.data.labelled_files import read_labelled
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
    show(models, json, asdict(figures) | {"label_rule": label_rule.value, "seed": seed}, lambda: _print(figures))
    say_leaks(path)


def _print(found: CorrectionFigures) -> None:
    """Print tables 4 and 3 of GraphEval, without its figures that are not available; then the others."""
    from claimgraph.cli.common.printing import print_table

    who, judged = (found.dataset, found.method, found.detector), found.judgement
    print_table(
        ("data set", "method", "detector", "outputs", "suspected", "changed"),
        [(*who, found.n, found.suspected, found.changed)],
    )
    print_table(
        ("judge", "finds", "corrected", "95 %", "corrected (paper)", "broken"),
        [(found.judge, judged.found, judged.corrected, _within(found, "corrected"), None, judged.broken)],
    )
    scores = {"ROUGE-1": found.rouge1, "ROUGE-2": found.rouge2, "ROUGE-L": found.rouge_l}
    spread = [_within(found, name) for name in ("rouge1", "rouge2", "rouge_l")]
    print_table(
        ("similarity", "ours", "95 %", "paper"),
        [(name, value, within, None) for (name, value), within in zip(scores.items(), spread, strict=True)],
    )
    kinds = {"all": found.known_edits, **found.known_edits_by_kind}
    rows = [(kind, r.n, r.found, r.repaired, r.elsewhere) for kind, r in kinds.items()]
    print_table(("known edits", "texts", "found", "repaired", "changed elsewhere"), rows)
    labels = (("hallucinated", found.hallucinated), ("consistent", found.consistent))
    print_table(("label", "outputs", "suspected", "changed"), [(n, t.n, t.suspected, t.changed) for n, t in labels])


def _within(found: CorrectionFigures, name: str) -> str | None:
    """Return the interval of a figure in words."""
    ends = found.ci95[name]
    return ends and f"{ends[0]:g} to {ends[1]:g}"
