"""Fusion with the entailment model: `python -m training.fusion --weights FOLDER --data FOLDER --out FILE`.

The model has seen none of the sets that fusion is fitted on; the profiles are named after the model that ships. Prints
each set's figures: of GraphEval at its threshold, and of fusion, cross-validated over articles, with the entailment
model and without. Then writes the shipped calibration with the profiles fitted anew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from claimgraph import wiring
from claimgraph.cli.common.progress import bar
from claimgraph.detect.methods.fusion.calibration import dumps, load
from claimgraph.detect.methods.grapheval import INCONSISTENT
from claimgraph.evaluation.detection.crossval import fitted, folds, rescored
from claimgraph.evaluation.detection.units import Pair, default_unit, judge, scores
from claimgraph.evaluation.fit.calibrate import calibrated, gathered
from claimgraph.evaluation.fit.fusion import ENTAILMENT, fitting
from claimgraph.evaluation.fit.fusion import FOLDS as VALIDATED
from claimgraph.evaluation.statistics.metrics import Objective, interval, measure, resample
from claimgraph.settings import SHIPPED_ENTAILMENT, Settings, load_settings
from training.pair import rows

SETS = ("summeval", "qags_xsum")
OBJECTIVE = Objective.BALANCED_ACCURACY


def main() -> None:
    """Gather, print and write."""
    args = _arguments()
    settings = load_settings()
    sets = _gathered(replace(settings, entailment=str(args.weights)), args)
    for name, pairs in sets.items():
        _print(name, pairs)
    shipped = wiring.detector(replace(settings, entailment=SHIPPED_ENTAILMENT))
    args.out.write_text(dumps(calibrated(load(), sets, shipped, OBJECTIVE, None, 0)), encoding="utf-8")


def _gathered(settings: Settings, args: argparse.Namespace) -> dict[str, list[Pair]]:
    """What fusion says of the sets' texts."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{name}.jsonl" for name in args.sets]
        for path in paths:
            found = rows(args.data / "closed" / f"{path.name}.gz")
            path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
        detector, extractor = wiring.detector(settings), wiring.extractor(settings)
        with bar() as advance:
            return gathered(paths, detector, extractor, settings.cache_folder, args.limit, 0, advance)


def _print(name: str, pairs: Sequence[Pair]) -> None:
    unit = default_unit([case for case, _ in pairs])
    known = judge(pairs, unit, nei=True)
    gold = np.array([one.gold for one in known], dtype=np.float64)
    parts = folds([case.group for case, _ in pairs], VALIDATED, 0)
    drawn = resample([one.group for one in known], 0)
    alone = scores(judge([rescored(pair, _grapheval) for pair in pairs], unit, nei=True))
    weighed = measure(gold, alone, alone > INCONSISTENT, np.vstack([np.ones(len(gold)), drawn]))
    for figure in ("auc_roc", "balanced_accuracy"):
        low, high = interval(weighed[figure][1:]) or (np.nan, np.nan)
        print(f"{name:12} {len(gold):5} {figure} {weighed[figure][0]:.3f} GraphEval ({low:.3f} to {high:.3f})")
    found = {}
    for entailment in (False, True):
        held = fitted(pairs, fitting(None, entailment=entailment), unit, parts, OBJECTIVE)
        found[entailment] = measure(gold, held.scores, held.predicted, np.vstack([np.ones(len(gold)), drawn]))
    for figure in ("auc_roc", "balanced_accuracy"):
        without, with_model = found[False][figure], found[True][figure]
        low, high = interval(with_model[1:] - without[1:]) or (np.nan, np.nan)
        print(
            f"{name:12} {len(gold):5} {figure} {without[0]:.3f} without, {with_model[0]:.3f} with the model, "
            f"gain {with_model[0] - without[0]:.3f} (95% interval {low:.3f} to {high:.3f})",
            flush=True,
        )


def _grapheval(pair: Pair) -> list[float | None]:
    """P(hallucination) of each claim."""
    entailed = [claim.signals.get(ENTAILMENT) for claim in pair[1].claims]
    return [None if value is None else 1 - value for value in entailed]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="folder that was trained, or that ships")
    parser.add_argument("--data", type=Path, required=True, help="folder with closed/")
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--limit", type=int, help="texts of each set, a random choice")
    parser.add_argument("--out", type=Path, required=True, help="calibration file to write")
    return parser.parse_args()


if __name__ == "__main__":
    main()
