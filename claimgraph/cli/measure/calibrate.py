"""`claimgraph eval calibrate`: fit weights and thresholds to labelled files."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from claimgraph.cli.measure.options import Calibration, Sample, Seed, say_leaks
from claimgraph.evaluation.statistics.objective import Objective


class Calibrated(StrEnum):
    """The methods with parameters to fit."""

    FUSED = "fused"
    FACTALIGN = "factalign"
    KEA = "kea"


def calibrate(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Labelled texts as JSON lines, plain or .gz.", exists=True, dir_okay=False),
    ],
    output: Annotated[Path, typer.Option(help="Where to write the calibration.", dir_okay=False)],
    method: Annotated[Calibrated, typer.Option(help="Which method.")] = Calibrated.FUSED,
    objective: Annotated[Objective, typer.Option(help="What thresholds are chosen for.")] = Objective.BALANCED_ACCURACY,
    base: Calibration = None,
    tune_share: Annotated[float, typer.Option(help="Share of the articles that trials look at.", min=0, max=1)] = 0.1,
    trials: Annotated[
        int | None, typer.Option(help="Search a method's thresholds by so many Bayesian trials (FactAlign: 30).", min=1)
    ] = None,
    extractor: Annotated[str | None, typer.Option(help="As for `claimgraph eval detection`.")] = None,
    limit: Sample = None,
    seed: Seed = 0,
) -> None:
    """Fit fusion's weights, or a method's thresholds, to labelled texts, and write them to a file.

    Fusion gets a profile of each kind of text in the files: of several sentences, of one sentence, of given triples.
    """
    from claimgraph import wiring
    from claimgraph.cli.common.progress import bar
    from claimgraph.detect.methods.fusion.calibration import dumps, load
    from claimgraph.evaluation.fit.calibrate import calibrated, forget, gathered
    from claimgraph.evaluation.fit.thresholds import Trials
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.kgstore.extras import require
    from claimgraph.settings import load_settings

    require("eval")
    if trials and method is Calibrated.FUSED:
        raise UsageError("fusion is fitted, not searched: --trials goes with --method factalign or kea")
    if not output.absolute().parent.is_dir():
        raise UsageError(f"{output}: there is no such folder to write to")
    settings = load_settings()
    detector, reader = (
        wiring.detector(settings, method.value, calibration=base, worded=True),
        wiring.extractor(settings, extractor),
    )
    with bar() as advance:
        sets = gathered(paths, detector, reader, settings.cache_folder, limit, seed, advance)
    found = calibrated(
        load(base),
        sets,
        detector,
        objective,
        Trials(trials, tune_share, seed) if trials else None,
        seed,
    )
    output.write_text(dumps(found), encoding="utf-8")
    forget(paths, detector, reader, settings.cache_folder)
    typer.echo(f"{output}: calibration {found.id}")
    say_leaks(*paths)
