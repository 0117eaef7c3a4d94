"""`claimgraph perturb`: a graph made wrong on purpose."""

from __future__ import annotations

from typing import Annotated

import typer


def perturb(
    graph: Annotated[str, typer.Option(help="Stored graph to perturb.")],
    mode: Annotated[
        str, typer.Option(help="rs, rr, er or ed: relations swapped, replaced, edges led elsewhere, deleted.")
    ],
    ratio: Annotated[float, typer.Option(help="Share of the facts to change.", min=0, max=1)],
    seed: Annotated[int, typer.Option(help="Which facts.", min=0)] = 0,
    out: Annotated[
        str | None, typer.Option(help="Name to store the perturbed graph under; unset: only measured.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Perturb a stored graph (OKGQA-P) and report how far it is from the original: ATS, SC2D and SD2."""
    from dataclasses import asdict

    from claimgraph.cli.printing import print_json, print_table
    from claimgraph.settings import load_settings
    from claimgraph.wiring import perturbed_graph

    report = perturbed_graph(load_settings(), graph=graph, mode=mode, ratio=ratio, seed=seed, out=out)
    if json:
        print_json(asdict(report))
    else:
        print_table(("figure", "value"), asdict(report).items())
