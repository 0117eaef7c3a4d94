"""Fit a weighted sum of signals to labelled texts.

Labels are mostly given for whole outputs while scores are given to claims, and an output's score is the maximum over
its claims: multiple-instance learning. So that is what is fitted: logistic regression on the (soft) maximum over the
claims of an output. Fitting every claim with its output's label was rejected: most claims of a wrong output are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.methods.fusion.calibration import Signals, Weight, Weights

SHARPNESS = 3.0
"""Of the soft maximum while fitting: log-mean-exp(3 z) / 3. Where scores are given it is the maximum itself."""


@dataclass(frozen=True, slots=True)
class Bag:
    """One labelled output: the signals of its claims (at least one), and label 1 if it is hallucinated, else 0.

    `weight` is what it counts in the loss.
    """

    claims: Sequence[Signals]
    label: int
    weight: float = 1.0


def balanced(bags: Sequence[Bag]) -> list[Bag]:
    """The bags with weights so that both labels count one half together, whatever their numbers."""
    share = {label: 0.5 / max(1, sum(bag.label == label for bag in bags)) for label in (0, 1)}
    return [Bag(bag.claims, bag.label, share[bag.label]) for bag in bags]


def fit(bags: Sequence[Bag], names: Sequence[str], penalty: float) -> Weights:
    """Weights of the named signals that minimise the weighted log loss of the bags' soft maxima.

    `penalty` is that on half the squared weights (of standardised signals). Deterministic. The loss is not convex; it
    starts from zero, where all claims of a bag count alike.
    """
    from scipy.optimize import minimize

    values = np.array([[_number(c.get(name)) for name in names] for bag in bags for c in bag.claims])
    mean, scale = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    scale[~(scale > 0)] = 1.0
    rows = np.nan_to_num((values - mean) / scale)
    sizes = np.array([len(bag.claims) for bag in bags])
    loss = _Loss(rows, sizes, np.array([bag.label for bag in bags]), np.array([bag.weight for bag in bags]), penalty)
    found = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    parts = zip(names, mean.tolist(), scale.tolist(), found[:-1].tolist(), strict=True)
    return Weights(float(found[-1]), {name: Weight(m, s, w) for name, m, s, w in parts})


@dataclass(frozen=True, slots=True)
class _Loss:
    """The loss and its gradient at a point (weights, bias)."""

    rows: NDArray[np.float64]
    sizes: NDArray[np.int_]
    labels: NDArray[np.int_]
    weights: NDArray[np.float64]
    penalty: float

    def __call__(self, point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        bag = np.repeat(np.arange(len(self.sizes)), self.sizes)
        logits = self.rows @ point[:-1] + point[-1]
        top = np.maximum.reduceat(logits, starts)
        raised = np.exp(SHARPNESS * (logits - top[bag]))
        total = np.add.reduceat(raised, starts)
        pooled = top + np.log(total / self.sizes) / SHARPNESS
        signed = np.where(self.labels == 1, -pooled, pooled)
        loss = (self.weights * np.logaddexp(0, signed)).sum() + self.penalty / 2 * (point[:-1] ** 2).sum()
        slope = self.weights * (1 / (1 + np.exp(-pooled)) - self.labels)
        each = slope[bag] * raised / total[bag]
        return float(loss), np.concatenate([self.rows.T @ each + self.penalty * point[:-1], [each.sum()]])


def _number(value: float | None) -> float:
    return np.nan if value is None else value
