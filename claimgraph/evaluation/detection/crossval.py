"""Cross-validate over groups: parameters are fitted without the articles they are then judged on.

For one method the fitted part is its threshold. A method with weights gives a `Fit`, which is called on the training
texts of each fold; its scores then replace the method's own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from claimgraph.evaluation.data.labelled import Unit
from claimgraph.evaluation.detection.units import Pair, judge, scores
from claimgraph.evaluation.statistics.metrics import best_threshold
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.kgstore.errors import InputError

Scorer = Callable[[Pair], list[float | None]]
"""Returns one score in [0, 1] a claim of a text with its result, in order; None where it is unknown."""

Fit = Callable[[Sequence[Pair]], Scorer]
"""Fits a scorer to texts with labels and results; must not depend on anything else."""


@dataclass(frozen=True, slots=True)
class Held:
    """Scores and predictions of each row, made without its group: shape (n,). `threshold` is the folds' mean."""

    scores: NDArray[np.float64]
    predicted: NDArray[np.float64]
    threshold: float | None


def folds(groups: Sequence[str], count: int, seed: int) -> NDArray[np.int_]:
    """Return the fold of each row, shape (n,): groups in random order, dealt out one by one. Raises InputError for too
    few.
    """
    names = sorted(set(groups))
    if len(names) < count:
        raise InputError(f"{len(names)} articles or contexts cannot be dealt out to {count} folds")
    random.Random(seed).shuffle(names)
    fold = {name: at % count for at, name in enumerate(names)}
    return np.array([fold[name] for name in groups])


def held_out(
    gold: NDArray[np.float64], values: NDArray[np.float64], fold: NDArray[np.int_], objective: Objective
) -> Held:
    """Return predictions of fixed scores by thresholds fitted on the other folds."""
    predicted, thresholds = np.full(len(gold), np.nan), []
    for here in range(int(fold.max()) + 1):
        test = fold == here
        threshold = best_threshold(gold[~test], values[~test], objective)
        if threshold is not None:
            predicted[test] = decide(values[test], threshold)
            thresholds.append(threshold)
    return Held(values, predicted, float(np.mean(thresholds)) if thresholds else None)


def fitted(pairs: Sequence[Pair], fit: Fit, unit: Unit, fold: NDArray[np.int_], objective: Objective) -> Held:
    """Return scores and predictions of all units by scorers and thresholds fitted on the other folds; `fold` is of
    texts.
    """
    values, predicted, thresholds = [], [], []
    order: list[int] = []
    for here in range(int(fold.max()) + 1):
        train = [pair for pair, at in zip(pairs, fold, strict=True) if at != here]
        scorer = fit(train)
        known = judge([rescored(pair, scorer) for pair in train], unit, nei=True)
        threshold = best_threshold([unit.gold for unit in known], scores(known), objective)
        for text in np.flatnonzero(fold == here).tolist():
            found = scores(judge([rescored(pairs[text], scorer)], unit, nei=True))
            values.append(found)
            predicted.append(np.full(len(found), np.nan) if threshold is None else decide(found, threshold))
            order.append(text)
        thresholds += [] if threshold is None else [threshold]
    back = np.argsort(order)
    return Held(
        np.concatenate([values[at] for at in back]),
        np.concatenate([predicted[at] for at in back]),
        float(np.mean(thresholds)) if thresholds else None,
    )


def rescored(pair: Pair, scorer: Scorer) -> Pair:
    """Return the same text with the scorer's scores."""
    case, result = pair
    claims = zip(result.claims, scorer(pair), strict=True)
    return case, replace(result, claims=tuple(replace(claim, score=score) for claim, score in claims))


def decide(values: NDArray[np.float64], threshold: float) -> NDArray[np.float64]:
    """Return 1 above the threshold, else 0; nan where the score is nan."""
    return np.where(np.isnan(values), np.nan, (values > threshold).astype(np.float64))
