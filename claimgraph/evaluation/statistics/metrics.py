"""Compute the papers' figures with intervals, as functions of the weight of each row.

A bootstrap resamples groups (articles, contexts), so a replicate is a row of weights, and one formula over a matrix of
weights gives the figure and all its replicates at once. scikit-learn computes the same for one replicate at a time, a
hundred times slower for a thousand; it is the oracle of the tests. 1 is hallucinated, the positive class; nan is
"unknown": a row without a score is left out of the ranking figures, one without a prediction out of the others. An
undefined figure is nan here and None in reports, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from claimgraph.evaluation.statistics.objective import Objective

Floats = NDArray[np.float64]

NAMES = ("auc_roc", "pr_auc", "accuracy", "balanced_accuracy", "precision", "recall", "f1")
REPLICATES = 1000


def measure(
    labels: ArrayLike, scores: ArrayLike, predicted: ArrayLike, weights: Floats | None = None
) -> dict[str, Floats]:
    """Return all figures of NAMES, one value a row of `weights`, shape (replicates, n); by default one row of ones.

    Labels are 0 or 1, scores any reals with nan, predictions 0, 1 or nan; all of shape (n,). PR-AUC is the average
    precision: the sum of precision times the gain in recall over the distinct scores, from the highest.
    """
    gold, ranks, guess = (np.asarray(values, dtype=np.float64) for values in (labels, scores, predicted))
    counts = np.ones((1, len(gold))) if weights is None else weights
    return _ranking(gold, ranks, counts) | _deciding(gold, guess, counts)


def resample(groups: Sequence[str], seed: int, replicates: int = REPLICATES) -> Floats:
    """Return weights of a bootstrap over groups, shape (replicates, n): each draws as many groups as there are."""
    names, member = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    count = len(names)
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=replicates)
    return drawn[:, member].astype(np.float64)


def interval(replicates: Floats) -> tuple[float, float] | None:
    """Return the middle 95% of the replicates; None where the figure is undefined in more than half of them."""
    known = replicates[~np.isnan(replicates)]
    if 2 * len(known) < len(replicates) or not len(known):
        return None
    low, high = np.quantile(known, (0.025, 0.975))
    return float(low), float(high)


def mean_interval(values: Sequence[float | None], groups: Sequence[str], seed: int) -> tuple[float, float] | None:
    """Return the middle 95% of the mean of the known values, drawn by their groups, with four decimals."""
    held = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    known = ~np.isnan(held)
    if not known.any():
        return None
    weights = resample(groups, seed)[:, known]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = weights @ held[known] / weights.sum(axis=1)
    ends = interval(means)
    return ends and (round(ends[0], 4), round(ends[1], 4))


def best_threshold(labels: ArrayLike, scores: ArrayLike, objective: Objective) -> float | None:
    """Return the threshold t for which "score > t is hallucinated" does best; None where no score is known.

    Thresholds lie in the middle between neighbouring scores, or at the highest (nothing is hallucinated), or 1e-6 below
    the lowest (everything is). Of several equally good ones, the one in the widest gap, then the lowest. Where only one
    class is there, balanced accuracy is the share of it that is right.
    """
    gold, ranks = np.asarray(labels, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    gold, ranks = gold[~np.isnan(ranks)], ranks[~np.isnan(ranks)]
    if not len(ranks):
        return None
    distinct = np.unique(ranks)
    cuts = np.concatenate(([distinct[0] - 1e-6], (distinct[1:] + distinct[:-1]) / 2, distinct[-1:]))
    gaps = np.concatenate(([0.0], np.diff(distinct), [0.0]))
    order = np.argsort(ranks, kind="stable")
    above = np.searchsorted(ranks[order], cuts, side="right")
    hits = gold.sum() - np.concatenate(([0.0], np.cumsum(gold[order])))[above]
    alarms = len(gold) - above - hits
    value = _value(hits, alarms, gold.sum(), len(gold) - gold.sum(), objective)
    best = np.flatnonzero(value >= value.max() - 1e-12)
    return float(cuts[best[np.argmax(gaps[best])]])


def _value(hits: Floats, alarms: Floats, positives: float, negatives: float, objective: Objective) -> Floats:
    if objective is Objective.F1:
        return 2 * hits / np.maximum(hits + alarms + positives, 1)
    rates = [hits / positives] if positives else []
    rates += [1 - alarms / negatives] if negatives else []
    return np.asarray(sum(rates) / len(rates))


def _ranking(gold: Floats, scores: Floats, weights: Floats) -> dict[str, Floats]:
    known = np.flatnonzero(~np.isnan(scores))
    order = known[np.argsort(-scores[known], kind="stable")]
    if not len(order):
        return {name: np.full(len(weights), np.nan) for name in NAMES[:2]}
    starts = np.flatnonzero(np.diff(scores[order], prepend=np.inf))
    right = np.add.reduceat((weights * gold)[:, order], starts, axis=1)
    wrong = np.add.reduceat((weights * (1 - gold))[:, order], starts, axis=1)
    hits, alarms = right.cumsum(axis=1), wrong.cumsum(axis=1)
    positives, negatives = hits[:, -1], alarms[:, -1]
    below = negatives[:, None] - alarms
    precision = _ratio(hits, hits + alarms)
    return {
        "auc_roc": _ratio((right * (below + wrong / 2)).sum(axis=1), positives * negatives),
        "pr_auc": _ratio(np.nansum(right * precision, axis=1), positives),
    }


def _deciding(gold: Floats, predicted: Floats, weights: Floats) -> dict[str, Floats]:
    known = ~np.isnan(predicted)
    gold, predicted, weights = gold[known], predicted[known], weights[:, known]
    hits, alarms = weights @ (gold * predicted), weights @ ((1 - gold) * predicted)
    misses, passed = weights @ (gold * (1 - predicted)), weights @ ((1 - gold) * (1 - predicted))
    recall, specificity = _ratio(hits, hits + misses), _ratio(passed, passed + alarms)
    return {
        "accuracy": _ratio(hits + passed, hits + passed + alarms + misses),
        "balanced_accuracy": (recall + specificity) / 2,
        "precision": _ratio(hits, hits + alarms),
        "recall": recall,
        "f1": _ratio(2 * hits, 2 * hits + alarms + misses),
    }


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)
