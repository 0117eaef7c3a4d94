"""Draw ROC and precision-recall curves of every method and baseline as one picture, a row a data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.extras import require


@dataclass(frozen=True, slots=True)
class Curve:
    """Gold labels and scores of one method on one set, shape (n,); nan where there is no score."""

    dataset: str
    name: str
    gold: NDArray[np.float64]
    scores: NDArray[np.float64]


def draw(curves: Sequence[Curve], path: Path) -> None:
    """Write the picture; its ending says the format. Raises InputError for one that cannot be written.

    A method whose curve is undefined on a set (one class only) is left out there; baselines of several methods on one
    set are the same and drawn once.
    """
    require("eval")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from sklearn.metrics import precision_recall_curve, roc_curve

    sets = list(dict.fromkeys(curve.dataset for curve in curves))
    figure = Figure(figsize=(11, 5 * len(sets)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(sets), 2, squeeze=False)
    for row, dataset in zip(axes, sets, strict=True):
        for curve in {curve.name: curve for curve in curves if curve.dataset == dataset}.values():
            known = ~np.isnan(curve.scores)
            gold, scores = curve.gold[known], curve.scores[known]
            if len(set(gold.tolist())) == 2:
                false, true, _ = roc_curve(gold, scores)
                precision, recall, _ = precision_recall_curve(gold, scores)
                row[0].plot(false, true, label=curve.name)
                row[1].plot(recall, precision, label=curve.name, drawstyle="steps-post")
        row[0].set(title=f"{dataset}: ROC", xlabel="false positive rate", ylabel="true positive rate")
        row[1].set(title=f"{dataset}: precision and recall", xlabel="recall", ylabel="precision")
        row[0].legend(loc="lower right", fontsize="small")
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the picture cannot be written: {error}") from error
