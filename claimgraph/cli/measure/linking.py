"""`claimgraph eval linking`: measure how well mentions find their entities."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from claimgraph.cli.measure.options import First, Graphs, Json, Texts


class LinkPreset(StrEnum):
    """Features of a candidate: each preset adds one kind of evidence to the one before it."""

    NAME = "name"
    CONTEXT = "context"
    TYPES = "types"


def linking(
    path: Texts,
    graph: Graphs,
    preset: Annotated[LinkPreset, typer.Option(help="What a candidate is judged by.")] = LinkPreset.TYPES,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="All presets over the same candidates; --json prints a list.")
    ] = False,
    held_out: Annotated[bool, typer.Option("--held-out", help="Only rows the weights were not fitted on.")] = False,
    limit: First = None,
    json: Json = False,
) -> None:
    """Measure linking: recall@1 and @5 of the entities that are in the graphs, NIL for those that are not."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.linking import evaluate
    from claimgraph.settings import load_settings
    from claimgraph.wiring import embedder, open_store

    settings = load_settings()
    presets = [one.value for one in LinkPreset] if ablation else [preset.value]
    with open_store(settings, read_only=True) as store, bar() as advance:
        found = evaluate(
            path, store, graph, embedder(settings), presets, held_out=held_out, limit=limit, advance=advance
        )
    reports = [asdict(report) for report in found]
    if json:
        print_json(reports if ablation else reports[0])
    else:
        print_table(tuple(reports[0]), [tuple(report.values()) for report in reports])
