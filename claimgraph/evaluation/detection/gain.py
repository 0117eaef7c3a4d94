"""Measure the gain of checking triple by triple over the same model on the whole text: GraphEval's main experiment.

Balanced accuracy, in points of 100, as in its table 2; by quartile of output length, which is how the paper explains
that it gains most on long texts; and the mean over sets, weighted by their sizes (paper: 6.2, standard error 1.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.evaluation.detection.figures import Ranked, difference, gold_of
from claimgraph.evaluation.detection.units import JudgedUnit
from claimgraph.evaluation.statistics.metrics import measure, resample
from claimgraph.evaluation.statistics.shares import rounded

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gain:
    """The difference on one set of `n` units, in points, with its bootstrap replicates, and the whole as an object."""

    n: int
    points: float | None
    replicates: Floats
    report: dict[str, Any]


def gain(units: Sequence[JudgedUnit], grapheval: Ranked, nli: Ranked, seed: int) -> Gain:
    """Return the gain of GraphEval over the whole text on one set; the units of both are the same, in the same
    order.
    """
    gold, weights = gold_of(units), resample([unit.group for unit in units], seed)
    ours, theirs = (_accuracy(gold, ranked.predicted, weights) for ranked in (grapheval, nli))
    point = _points(gold, grapheval.predicted, nli.predicted)
    replicates = 100 * (ours - theirs)
    report = difference(point, replicates) | {"by_output_length": _quartiles(units, gold, grapheval, nli)}
    return Gain(len(units), point, replicates, report)


def over_sets(gains: Sequence[Gain]) -> dict[str, Any]:
    """Return `{sets, mean, standard_error, standard_error_bootstrap}` over the sets where the difference is defined.

    `standard_error` is that of the weighted mean by the variation of the sets, None for a single one: the root of k /
    (k - 1) times the sum of squared (weight times deviation). The bootstrap's is by the variation of their texts.
    """
    known = [(found.n, found.points, found.replicates) for found in gains if found.points is not None]
    if not known:
        return {"sets": 0, "mean": None, "standard_error": None, "standard_error_bootstrap": None}
    weights = np.array([n for n, _, _ in known]) / sum(n for n, _, _ in known)
    points = np.array([point for _, point, _ in known])
    mean, count = float(weights @ points), len(known)
    spread = np.sqrt(count / max(1, count - 1) * ((weights * (points - mean)) ** 2).sum())
    drawn = np.stack([replicates for _, _, replicates in known]).T @ weights
    return {
        "sets": count,
        "mean": rounded(mean),
        "standard_error": rounded(float(spread)) if count > 1 else None,
        "standard_error_bootstrap": rounded(float(np.nanstd(drawn))),
    }


def _quartiles(units: Sequence[JudgedUnit], gold: Floats, ours: Ranked, theirs: Ranked) -> list[dict[str, Any]]:
    """Return quartiles by words of the text; texts as long as a border belong to the lower one."""
    words = np.array([len(unit.text.split()) for unit in units])
    quartile = np.searchsorted(np.quantile(words, (0.25, 0.5, 0.75)), words, side="left")
    rows = []
    for at in range(4):
        here = quartile == at
        if here.any():
            a, b = (100 * float(_accuracy(gold[here], r.predicted[here])[0]) for r in (ours, theirs))
            rows.append(
                {
                    "quartile": at + 1,
                    "words": [int(words[here].min()), int(words[here].max())],
                    "n": int(here.sum()),
                    "grapheval": rounded(a),
                    "nli": rounded(b),
                    "difference": rounded(a - b),
                }
            )
    return rows


def _points(gold: Floats, ours: Floats, theirs: Floats) -> float | None:
    return rounded(100 * float(_accuracy(gold, ours)[0] - _accuracy(gold, theirs)[0]))


def _accuracy(gold: Floats, predicted: Floats, weights: Floats | None = None) -> Floats:
    return measure(gold, np.full(len(gold), np.nan), predicted, weights)["balanced_accuracy"]
