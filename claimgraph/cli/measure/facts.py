"""`claimgraph eval facts`: measure how well graphs alone separate true facts from false ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimgraph.cli.measure.options import First, Graphs, Json, Seed


def facts(
    path: Annotated[
        Path, typer.Argument(help="Labelled facts: .tsv or JSON lines, plain or .gz.", exists=True, dir_okay=False)
    ],
    graph: Graphs,
    limit: First = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure how well graph evidence alone tells true facts from false ones."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.evaluation.facts import FactFigures, evaluate, load_world
    from claimgraph.settings import load_settings
    from claimgraph.wiring import embedder, open_store

    settings = load_settings()
    with open_store(settings, read_only=True) as store:
        worlds = [load_world(store, name, settings.cache_folder) for name in dict.fromkeys(graph)]
    report = evaluate(path, worlds, embedder(settings), limit, seed)
    if json:
        print_json(asdict(report))
        return
    groups: dict[str, FactFigures] = {"all": report, **report.by_kind, **report.by_dataset}
    print_table(
        ("facts", "n", "covered", "true", "AUC", "accuracy"),
        [(name, part.n, part.covered, part.true, part.auc_roc, part.accuracy) for name, part in groups.items()],
    )
