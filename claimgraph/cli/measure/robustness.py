"""`claimgraph eval perturb`: corrupt a graph on purpose; `eval robustness`: measure the effect on answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.measure.options import Graphs, Json, Questions, Sample, Seed, show
from claimgraph.cli.texts.ask import PresetName, PresetOption

if TYPE_CHECKING:
    from claimgraph.evaluation.answers.robustness import RobustnessReport


def perturb(
    graph: Annotated[str, typer.Option(help="Stored graph to perturb.")],
    mode: Annotated[
        str, typer.Option(help="rs, rr, er or ed: relations swapped, replaced, edges led elsewhere, deleted.")
    ],
    ratio: Annotated[float, typer.Option(help="Share of the facts to change.", min=0, max=1)],
    seed: Seed = 0,
    out: Annotated[
        str | None, typer.Option(help="Name to store the perturbed graph under; unset: only measured.")
    ] = None,
    json: Json = False,
) -> None:
    """Perturb a stored graph (OKGQA-P) and report how far it is from the original: ATS, SC2D and SD2."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.evaluation.made.perturbing import perturb_graph
    from claimgraph.kgstore.arrays.export import export_arrays
    from claimgraph.settings import load_settings
    from claimgraph.wiring import embedder, open_store

    settings = load_settings()
    with open_store(settings, read_only=out is None) as store:
        arrays = export_arrays(store, [graph], settings.cache_folder)
        report = perturb_graph(
            store, arrays, embedder(settings), graph=graph, mode=mode, ratio=ratio, seed=seed, out=out
        )
    if json:
        print_json(asdict(report))
    else:
        print_table(("figure", "value"), asdict(report).items())


Levels = Annotated[str, typer.Option(help="Percent of the facts to perturb, with commas.")]
Perturbations = Annotated[str, typer.Option(help="Of rs, rr, er and ed, with commas.")]
Modes = Annotated[
    str, typer.Option(help="Of triplet, path and subgraph, with commas; none: only verdicts and distances.")
]
Judged = Annotated[
    int, typer.Option(help="So many of the questions are also answered by the language model, and judged.", min=0)
]
Seeds = Annotated[int, typer.Option(help="Perturb with so many seeds, from --seed on; figures are means.", min=1)]
Plot = Annotated[Path | None, typer.Option(help="Draw into this file (.svg, .png or .pdf).", dir_okay=False)]


def robustness(
    path: Questions,
    graph: Graphs,
    levels: Levels = "0,10,30,50,70,100",
    perturbations: Perturbations = "rs,rr,er,ed",
    modes: Modes = "triplet,path,subgraph",
    preset: PresetOption = PresetName.OURS,
    limit: Sample = None,
    seed: Seed = 0,
    seeds: Seeds = 1,
    judged: Judged = 0,
    dry_run: DryRun = False,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Measure how retrieval, answers and verdicts hold up as a graph is perturbed (OKGQA-P).

    With --judged answers of the language model too, by FActScore and G-Eval, at every level: some hundred questions to
    it for each answer. Without one, or without --judged, that is unknown.
    """
    from dataclasses import asdict

    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.answers.robustness import Experiment, percents
    from claimgraph.evaluation.answers.robustness import robustness as measure
    from claimgraph.evaluation.asker import EvaluationAsker
    from claimgraph.evaluation.data.questions import read_questions
    from claimgraph.kgstore.extras import require
    from claimgraph.settings import load_settings
    from claimgraph.wiring import detector

    if plot:
        require("eval")
    experiment = Experiment(percents(levels), perturbations.split(","), modes.split(","), range(seed, seed + seeds))
    questions, settings = read_questions(path, limit, seed), load_settings()
    with (
        EvaluationAsker(settings, graph, read_only=True, dry_run=dry_run, preset=preset.value) as asker,
        bar("rows") as advance,
    ):
        report = measure(
            questions,
            parts=asker.parts,
            detector=detector(settings, "rules"),
            world=asker.arrays,
            graphs=asker.graphs,
            experiment=experiment,
            judge=asker.answer_judge(questions[:judged]),
            advance=advance,
        )
    if plot and not dry_run:
        _draw(report, plot)
    show(asker.models, json, asdict(report), lambda: _print(report))


def _draw(report: RobustnessReport, plot: Path) -> None:
    from claimgraph.evaluation.answers.robustness_plot import plot as draw

    draw(report, plot)


def _print(report: RobustnessReport) -> None:
    from dataclasses import astuple

    from claimgraph.cli.common.printing import print_table, typer_echo

    asked = ("perturbation", "%", "mode", "n", "answer recall", "hits@1")
    columns = (*asked, "gold facts", "verdict flips", "ATS", "SC2D", "SD2")
    judged = ("judged", "FActScore", "relevance", "comprehensiveness", "correctness", "empowerment")
    shown = len(columns) + (len(judged) if any(level.judged for level in report.levels) else 0)
    print_table((*columns, *judged)[:shown], [astuple(level)[:shown] for level in report.levels])
    line = ", ".join(f"{measure} {value}" for measure, value in report.no_kg.items() if value is not None)
    typer_echo(f"Without a graph, from texts: {line}.")
    for fall in report.falls:
        below = "at no level" if fall.level is None else f"from {fall.level:g} %"
        typer_echo(f"{fall.perturbation} {fall.mode}: {fall.measure} is below that {below}")
