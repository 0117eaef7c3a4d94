"""`claimgraph eval-link`: measure how well mentions find their entities."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class LinkPreset(StrEnum):
    """Features of a candidate: each preset adds one kind of evidence to the one before it."""

    NAME = "name"
    CONTEXT = "context"
    TYPES = "types"
    COHERENCE = "coherence"


def eval_link(
    path: Annotated[
        Path, typer.Argument(help="Texts or questions with the Wikidata ids they name, JSON lines.", exists=True)
    ],
    graph: Annotated[list[str], typer.Option(help="Graph of the store to link to; may be repeated.")],
    preset: Annotated[LinkPreset, typer.Option(help="What a candidate is judged by.")] = LinkPreset.COHERENCE,
    ablation: Annotated[bool, typer.Option("--ablation", help="All presets, over the same candidates.")] = False,
    held_out: Annotated[bool, typer.Option("--held-out", help="Only rows the weights were not fitted on.")] = False,
    limit: Annotated[int | None, typer.Option(help="Only the first so many texts.", min=1)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, with --ablation a list.")] = False,
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
