"""`claimgraph eval explanation`: measure how many errors explanations name, and write a sheet for people's ratings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.measure.options import Calibration, Json, Sample, Seed, Texts, say_leaks, show
from claimgraph.evaluation.data.label_rules import LabelRule

if TYPE_CHECKING:
    from claimgraph.evaluation.explanation import ExplanationFigures


def explanation(
    path: Texts,
    detector: Annotated[str, typer.Option(help="The method whose findings are explained.")] = "fused",
    label_rule: Annotated[LabelRule, typer.Option(help="What counts as hallucinated in the file.")] = LabelRule.FILE,
    calibration: Calibration = None,
    limit: Sample = None,
    seed: Seed = 0,
    ratings: Annotated[
        Path | None, typer.Option(help="Write the rating sheet to this CSV file.", dir_okay=False)
    ] = None,
    llm: Annotated[
        bool, typer.Option("--llm", help="Let the language model of the settings explain and rate in the sheet.")
    ] = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Measure how many hallucinations have a contradictory pair, and how many known edits are named."""
    from dataclasses import asdict

    from claimgraph import wiring
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.data.labelled_files import read_labelled
    from claimgraph.evaluation.explanation import evaluate
    from claimgraph.evaluation.rating_sheet import rated, write_sheet
    from claimgraph.settings import load_settings

    settings = load_settings()
    with wiring.opened_models(settings, dry_run=dry_run) as models:
        chat = models.chat_for("--llm") if llm else None
        with bar() as advance:
            figures, texts = evaluate(
                list(read_labelled(path, label_rule, limit, seed)),
                extractor=wiring.extractor(settings, models=models),
                detector=wiring.detector(settings, detector, calibration=calibration, models=models),
                embedder=models.embedder,
                thresholds=wiring.edit_thresholds(calibration),
                seed=seed,
                advance=advance,
            )
        criteria = None
        if ratings:
            with bar("rows") as advance:
                write_sheet(Path(os.devnull) if dry_run else ratings, texts, chat, advance)
            criteria = rated(ratings) if chat and not dry_run else None
    more = {"label_rule": label_rule.value, "seed": seed, "ratings": criteria}
    show(models, json, asdict(figures) | more, lambda: _print(figures, criteria))
    say_leaks(path)


def _print(found: ExplanationFigures, criteria: list[dict[str, Any]] | None) -> None:
    from claimgraph.cli.common.printing import print_table

    groups = {"all": found.pairs, **found.by_severity}
    print_table(
        ("texts", "claims not supported", "with a contradictory pair"),
        [(name, pairs.hallucinated, pairs.with_pair) for name, pairs in groups.items()],
    )
    kinds = {"all": found.known_edits, **found.known_edits_by_kind}
    print_table(
        ("known edits", "edits", "named by a contrast", "by the script", "by either", "by Algorithm 1", "refuted"),
        [(kind, e.n, e.contrast, e.script, e.either, e.operations, e.refuted) for kind, e in kinds.items()],
    )
    if criteria:
        print_table(("rated 1 to 5", "mean", "rows"), [tuple(one.values()) for one in criteria])
