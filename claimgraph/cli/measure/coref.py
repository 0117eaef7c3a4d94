"""`claimgraph eval coref`: how often pronouns, short names and definite nouns are read as what they mean."""

from __future__ import annotations

from typing import Annotated

import typer

from claimgraph.cli.measure.options import First, Json, Texts


def coref(
    path: Texts,
    rules: Annotated[bool, typer.Option("--rules", help="Measure the rules alone, whatever the settings say.")] = False,
    held_out: Annotated[
        bool, typer.Option("--held-out", help="Only documents the shipped model was not trained on.")
    ] = False,
    limit: First = None,
    json: Json = False,
) -> None:
    """Measure coreference: precision, recall, F1 and coverage by source and kind of mention."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.coreference import evaluate
    from claimgraph.settings import load_settings
    from claimgraph.wiring import coreference

    model = None if rules else coreference(load_settings())
    with bar() as advance:
        report = evaluate(path, model, held_out=held_out, limit=limit, advance=advance)
    if json:
        print_json(asdict(report))
        return
    typer.echo(f"{report.texts} texts, {report.model or 'rules'}, {report.words_per_second} words a second")
    rows = [
        (source, kind, found.n, found.precision, found.recall, found.f1, found.coverage)
        for source, kinds in report.by_source.items()
        for kind, found in kinds.items()
    ]
    print_table(("source", "kind", "n", "precision", "recall", "F1", "coverage"), rows)
