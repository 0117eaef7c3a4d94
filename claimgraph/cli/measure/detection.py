"""`claimgraph eval detection`: measure a detection method on labelled texts."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.options import KernelOption, Nei, with_kernel
from claimgraph.cli.measure.options import Calibration, Json, Sample, Seed, say_leaks
from claimgraph.evaluation.data.label_rules import LabelRule
from claimgraph.evaluation.data.labelled import Unit
from claimgraph.evaluation.statistics.objective import Objective

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimgraph.detect.check_input import Detector
    from claimgraph.evaluation.detection.run import Evaluated, Options
    from claimgraph.settings import Settings
    from claimgraph.wiring import Models


class MethodName(StrEnum):
    """The methods that can be measured; `nli` is GraphEval's model on whole texts, `rules` a part of `fused`."""

    GRAPHEVAL = "grapheval"
    NLI = "nli"
    FACTALIGN = "factalign"
    KEA = "kea"
    FUSED = "fused"
    RULES = "rules"
    ALL = "all"


class Domain(StrEnum):
    """The evidence of the texts: the context that came with each, or stored graphs."""

    OPEN = "open"
    CLOSED = "closed"


Paths = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="Labelled texts as JSON lines, plain or .gz.", exists=True, dir_okay=False),
]
MethodOption = Annotated[MethodName, typer.Option(help="Which method, or all but rules.")]
Preset = Annotated[str | None, typer.Option(help="Preset of the method; unset: its default.")]
UnitOption = Annotated[Unit | None, typer.Option(help="Unset: what the labels of the rows are about.")]
Labels = Annotated[LabelRule, typer.Option(help="Labels as they stand, or recomputed from ratings and votes.")]
Folds = Annotated[int | None, typer.Option(help="Fit on the other folds, over articles, in so many folds.", min=2)]
ObjectiveOption = Annotated[Objective, typer.Option(help="What cross-validated thresholds are chosen for.")]
NeiOption = Annotated[
    Nei,
    typer.Option(help="What NOT_ENOUGH_INFO is in an open domain; counted, entities nobody knows are judged too."),
]
DomainOption = Annotated[
    Domain | None,
    typer.Option(help="closed: texts with a context; open: graphs only; unset: a context where there is one."),
]
Graph = Annotated[
    list[str] | None, typer.Option(help="Stored graph to check texts without a context against; repeatable.")
]
ExtractorName = Annotated[
    str | None, typer.Option(help="What reads claims, as CLAIMGRAPH_EXTRACTOR has them; unset: that.")
]
Plot = Annotated[Path | None, typer.Option(help="Write ROC and PR curves to this picture.", dir_okay=False)]


def detection(
    paths: Paths,
    method: MethodOption = MethodName.FUSED,
    preset: Preset = None,
    kernel: KernelOption = None,
    unit: UnitOption = None,
    label_rule: Labels = LabelRule.FILE,
    calibration: Calibration = None,
    cross_validate: Folds = None,
    objective: ObjectiveOption = Objective.BALANCED_ACCURACY,
    nei: NeiOption = Nei.ABSTAIN,
    domain: DomainOption = None,
    graph: Graph = None,
    extractor: ExtractorName = None,
    limit: Sample = None,
    seed: Seed = 0,
    json: Json = False,
    plot: Plot = None,
) -> None:
    """Measure how well a detection method finds hallucinations in labelled texts."""
    from claimgraph.evaluation.detection.run import Options
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.kgstore.extras import require
    from claimgraph.settings import load_settings

    if plot or cross_validate:
        require("eval")
    if domain is Domain.OPEN and not graph:
        raise UsageError("an open domain is checked against stored graphs: give --graph")
    options = Options(
        unit=unit,
        rule=label_rule,
        nei=nei is Nei.HALLUCINATION,
        limit=limit,
        seed=seed,
        folds=cross_validate,
        objective=objective,
        domain=domain.value if domain else None,
    )
    asked = _Asked(method, preset, calibration, extractor, tuple(graph or ()))
    _measure(with_kernel(load_settings(), kernel), paths, asked, options, plot, json=json)


def _measure(
    settings: Settings, paths: Sequence[Path], asked: _Asked, options: Options, plot: Path | None, *, json: bool
) -> None:
    """Measure, draw, print and store."""
    from claimgraph import wiring
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.measure.detection_tables import print_evaluated

    with wiring.opened_models(settings) as models:
        found = _evaluated(settings, models, paths, asked, options)
    if plot:
        from claimgraph.evaluation.detection.curves import draw

        draw([curve for one in found.evaluations for curve in one.curves], plot)
    if json:
        print_json(found.as_json())
    else:
        print_evaluated(found)
    _say_fitted(paths, asked)
    say_leaks(*paths)
    usage.say(models)
    _keep(settings, found)
    found.finish()


@dataclass(frozen=True, slots=True)
class _Asked:
    """The arguments of the command other than the options."""

    method: MethodName
    preset: str | None
    calibration: Path | None
    extractor: str | None
    graphs: tuple[str, ...]


def _say_fitted(paths: Sequence[Path], asked: _Asked) -> None:
    """Say which of the files the calibration in use was fitted on: their figures are no test of it."""
    from claimgraph.detect.methods.fusion.calibration import load

    calibration = load(asked.calibration)
    fitted_on = [fit.fitted_on for fit in calibration.profiles.values()]
    fitted_on += [fit.fitted_on for fit in calibration.outcomes]
    known = {Path(name).name.split(".")[0] for names in fitted_on for name in names}
    names = sorted({name for path in paths if (name := path.name.split(".")[0]) in known})
    if names and asked.method in (MethodName.FUSED, MethodName.ALL):
        typer.echo(f"The calibration was fitted on {', '.join(names)}: these figures are no test of fused.", err=True)


def _evaluated(settings: Settings, models: Models, paths: Sequence[Path], asked: _Asked, options: Options) -> Evaluated:
    from claimgraph import wiring
    from claimgraph.cli.common.progress import bar
    from claimgraph.detect.methods.abstention import Abstaining
    from claimgraph.evaluation.detection.run import evaluate
    from claimgraph.evaluation.fit.fusion import fitting

    detectors = _detectors(settings, models, asked)
    extractor = wiring.extractor(settings, asked.extractor, models)
    with ExitStack() as opened:
        advance = opened.enter_context(bar())
        graphs = None
        if asked.graphs:
            from claimgraph.evidence.graphs import StoredGraphs
            from claimgraph.wiring.open_domain import open_domain

            store = opened.enter_context(wiring.open_store(settings, read_only=True))
            graphs = StoredGraphs(store, asked.graphs, models.embedder, models.reading(extractor))
            if not options.nei:
                judging = partial(
                    open_domain,
                    store=store,
                    embedder=models.embedder,
                    entailment=models.entailment,
                    settings=settings,
                )
                detectors = [
                    judging(one, asked.graphs) if one.name == "fused" else Abstaining(one) for one in detectors
                ]
        found = evaluate(
            paths,
            detectors,
            extractor,
            options,
            settings.cache_folder,
            graphs=graphs,
            scope=" ".join(asked.graphs),
            fits={"fused": fitting(options.unit)},
            advance=advance,
        )
    return found if asked.method is MethodName.ALL else found.only(asked.method.value)


def _detectors(settings: Settings, models: Models, asked: _Asked) -> list[Detector]:
    """Return the requested methods, and `nli` beside GraphEval for comparison; of all, those whose models are
    available.
    """
    from claimgraph.kgstore.errors import ClaimgraphError, UsageError

    if asked.method is not MethodName.ALL:
        names = [asked.method, *([MethodName.NLI] if asked.method is MethodName.GRAPHEVAL else [])]
        return [_detector(settings, models, name, asked) for name in names]
    if asked.preset:
        raise UsageError("a preset belongs to one method: give --method too")
    found = []
    for name in MethodName:
        try:
            found += [] if name in (MethodName.ALL, MethodName.RULES) else [_detector(settings, models, name, asked)]
        except ClaimgraphError as error:
            typer.echo(f"{name.value} is left out: {error}", err=True)
    return found


def _detector(settings: Settings, models: Models, name: MethodName, asked: _Asked) -> Detector:
    """Return the method; of all, only the fused one takes the calibration."""
    from claimgraph import wiring
    from claimgraph.evaluation.detection.journal import WholeText

    calibration = asked.calibration if name is MethodName.FUSED or asked.method is not MethodName.ALL else None
    if name is MethodName.NLI:
        return WholeText(wiring.detector(settings, MethodName.GRAPHEVAL.value, asked.preset, calibration, models))
    return wiring.detector(settings, name.value, asked.preset, calibration, models, worded=True)


def _keep(settings: Settings, found: Evaluated) -> None:
    """Store the runs with their figures; claims of labelled sets are not stored."""
    from claimgraph.kgstore.records import verdict_steps
    from claimgraph.wiring import open_store

    with open_store(settings) as store:
        store.write(*(step for one in found.evaluations for step in verdict_steps(one.run, ())))
