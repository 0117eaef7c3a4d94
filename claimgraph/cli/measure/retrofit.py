"""`claimgraph eval retrofit`: measure what KGR repairs and breaks in drafts whose wrong facts are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.measure.options import First, Json, Seed
from claimgraph.cli.texts.retrofit import Assume, Mode

if TYPE_CHECKING:
    from claimgraph.evaluation.retrofit.figures import Share
    from claimgraph.evaluation.retrofit.run import RetrofitEvaluation


Drafts = Annotated[
    Path,
    typer.Argument(
        metavar="DRAFTS", help="Drafts as JSON lines, as benchmarks/retrofit_drafts.py writes them.", exists=True
    ),
]
Graph = Annotated[list[str] | None, typer.Option(help="Stored graph; repeatable. Unset: those that the drafts name.")]
ModeOption = Annotated[
    Mode | None, typer.Option(help="Unset: llm where a language model is configured, else deterministic.")
]
Silence = Annotated[
    Assume, typer.Option(help="As of retrofit; complete is true of drafts that were made from the graph.")
]
Most = Annotated[int, typer.Option(help="Most rewritings of a draft.", min=0)]
Sweep = Annotated[bool, typer.Option("--sweep", help="Also over chunk sizes and numbers of facts.")]
Compare = Annotated[
    bool, typer.Option("--compare", help="Also other ways on the same drafts, and with the truth hidden.")
]


def retrofit(
    path: Drafts,
    graph: Graph = None,
    mode: ModeOption = None,
    assume: Silence = Assume.COMPLETE,
    limit: First = None,
    max_iterations: Most = 3,
    seed: Seed = 0,
    sweep: Sweep = False,
    compare: Compare = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Measure retrofitting: facts repaired and broken, each stage alone, and the stage to blame for each failure."""
    from dataclasses import asdict

    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.data.rows import dataset_name
    from claimgraph.evaluation.made.drafts import read_drafts
    from claimgraph.evaluation.retrofit.run import Bench
    from claimgraph.settings import load_settings
    from claimgraph.wiring.retrofitter import Retrofitter

    drafts = list(read_drafts(path, limit))
    graphs = graph or sorted({draft.graph for draft in drafts})
    with (
        Retrofitter(load_settings(), graphs, mode=mode, assume=assume, read_only=True, dry_run=dry_run) as opened,
        bar("drafts") as advance,
    ):
        bench = Bench(drafts, opened.known, opened.over, limit=max_iterations, seed=seed, advance=advance)
        found = bench.evaluate(dataset_name(path))
        swept = bench.sweep() if sweep else None
        compared = bench.compare() if compare else None
    if found.mode == Mode.LLM.value:
        usage.rehearsed(opened.models, json=json)
    if json:
        spent = usage.as_json(opened.models)
        print_json(asdict(found) | {"sweep": swept, "comparison": compared, "usage": spent})
    else:
        _print(found)
        _print_more(swept, compared)
    usage.say(opened.models)


def _print(found: RetrofitEvaluation) -> None:
    from claimgraph.cli.common.printing import print_table

    typer.echo(f"{found.dataset}, {found.mode}: {found.n} drafts, {found.wrong} wrong and {found.right} right facts")
    shares = {name: getattr(found, name) for name in ("repaired", "changed", "left", "broken")}
    shares["converged in 3"] = found.convergence["converged"]
    print_table(("share", "value", "of", "95 %"), [(n, s.value, s.n, _interval(s)) for n, s in shares.items()])
    ends = {name: found.stages["entities"][name] for name in ("subject", "object")}
    rows = {name: row for name, row in found.stages.items() if name != "entities"}
    rows = {"claims": rows.pop("claims"), **{f"entities, {name}": row for name, row in ends.items()}, **rows}
    print_table(
        ("stage alone", "precision", "recall", "made", "possible"),
        [(name, row["precision"], row["recall"], row["made"], row["possible"]) for name, row in rows.items()],
    )
    print_table(("still wrong because", "facts"), found.blame.items())
    names = ("relation", "wrong", "repaired", "right", "broken")
    failed = [row for row in found.by_relation if row["repaired"] < row["wrong"] or row["broken"]]
    print_table(names, [tuple(row[name] for name in names) for row in failed])


def _print_more(swept: list[dict[str, Any]] | None, compared: list[dict[str, Any]] | None) -> None:
    from claimgraph.cli.common.printing import print_table

    if swept:
        print_table(tuple(swept[0]), [tuple(row.values()) for row in swept])
    if compared:
        rows = [
            (
                row["way"],
                *(row[name]["value"] for name in ("repaired", "changed", "broken")),
                *((row["of_hidden"] or {}).get(name, {}).get("value") for name in ("repaired", "changed")),
            )
            for row in compared
        ]
        print_table(("way", "repaired", "changed", "broken", "hidden, repaired", "hidden, changed"), rows)


def _interval(share: Share) -> str | None:
    return "{:.3f} to {:.3f}".format(*share.ci95) if share.ci95 else None
