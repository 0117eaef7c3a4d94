"""`claimgraph eval open-domain`: measure how much stored graphs decide, and how much of it rightly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimgraph.cli.measure.options import Graphs, Json, Sample, Seed


def open_domain(
    path: Annotated[
        Path,
        typer.Argument(help="Labelled facts or sentences: .tsv, JSON lines, .gz.", exists=True, dir_okay=False),
    ],
    graph: Graphs,
    limit: Sample = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure what stored graphs decide of true and false claims: by facts, and by the rest of the graph too."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.open_domain import opened, report
    from claimgraph.settings import load_settings

    with opened(load_settings(), graph) as judged, bar("texts") as advance:
        found = report(path, graph, judged(path, limit, seed, advance))
    if json:
        print_json(asdict(found))
        return
    typer.echo(f"{found.n} texts, {found.true} of them true; the graphs know both ends of a claim of {found.covered}")
    ways = {"facts": found.before, "and the rest of the graph": found.after}
    ways |= {f"the rest alone from {limit} ({found.weighed})": made for limit, made in found.curve.items()}
    columns = ("decided by", "n", "precision", "coverage", "SUPPORTED", "precision", "REFUTED", "precision")
    print_table(
        columns,
        [
            (name, d.decided.n, d.decided.precision, d.decided.coverage, d.supported.n, d.supported.precision,
             d.refuted.n, d.refuted.precision)
            for name, d in ways.items()
        ],
    )  # fmt: skip
