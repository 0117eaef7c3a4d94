"""`claimgraph eval make-questions`: make a benchmark of open-ended questions from a graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.measure.options import Graphs, Seed


def make_questions(
    graph: Graphs,
    types: Annotated[
        str, typer.Option(help="Types, with commas: descriptive, explanatory, predictive, comparative, critical.")
    ] = "descriptive,explanatory,predictive,comparative,critical",
    n: Annotated[int, typer.Option("--n", help="How many questions.", min=1)] = 100,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option(help="File for the questions as JSON lines; unset: standard output.", dir_okay=False)
    ] = None,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print counts as JSON; needs --out.")] = False,
) -> None:
    """Make open-ended questions from templates over linked entities; a language model rewrites and scores them."""
    from collections import Counter
    from json import dumps
    from statistics import fmean

    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.evaluation.made.question_making import make_questions as make
    from claimgraph.evaluation.statistics.shares import rounded
    from claimgraph.kgstore.arrays.export import export_arrays
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store, opened_models

    if json and out is None:
        raise UsageError("--json prints counts, not questions: give --out too")
    settings, kinds = load_settings(), [kind.strip() for kind in types.split(",") if kind.strip()]
    with opened_models(settings, dry_run=dry_run) as models, open_store(settings, read_only=True) as store:
        arrays = export_arrays(store, graph, settings.cache_folder)
        made = make(arrays, store, kinds, n, seed, models.chat)
    usage.rehearsed(models, json=json)
    usage.say(models)
    lines = "\n".join(dumps(question.as_json(), ensure_ascii=False) for question in made)
    if out is None:
        typer_echo(lines)
        return
    out.write_text(f"{lines}\n", encoding="utf-8")
    counts = dict(Counter(question.type for question in made))
    if json:
        scores = [question.s_auto for question in made if question.s_auto is not None]
        print_json(
            {
                "n": len(made),
                "types": counts,
                "difficulty": dict(Counter(question.difficulty for question in made)),
                "s_auto": {"n": len(scores), "mean": rounded(fmean(scores)) if scores else None},
                "out": str(out),
                "usage": usage.as_json(models),
            }
        )
    else:
        typer.echo(f"{len(made)} questions in {out}: {', '.join(f'{count} {kind}' for kind, count in counts.items())}")
