"""Fit a logistic regression in numpy, so that a plain installation judges facts by its graph without scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from claimgraph.detect.methods.graph_evidence.adjacency import Floats, Ints

_STEPS = 50
_NEAR = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class Logistic:
    """Log-odds = `bias` + `weight` . (row - `mean`) / `scale`; arrays of shape (columns,)."""

    mean: Floats
    scale: Floats
    weight: Floats
    bias: float

    def log_odds(self, rows: Floats) -> Floats:
        """Return the log-odds of each row, shape (k,)."""
        found: Floats = (rows - self.mean) / self.scale @ self.weight + self.bias
        return found


def fit(rows: Floats, labels: Ints) -> Logistic:
    """Return the logistic of labels 0 and 1, both of which weigh the same, with a ridge of 1 on standardised columns.

    Newton's method on the penalised likelihood, which is convex; the bias is not penalised.
    """
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    inputs = np.column_stack([np.ones(len(rows)), (rows - mean) / scale])
    share = len(rows) / (2 * np.bincount(labels, minlength=2))
    counted, ridge = share[labels], np.diag([0.0, *np.ones(rows.shape[1])])
    weight = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ weight, -500, 500)))
        slope = inputs.T @ (counted * (chance - labels)) + ridge @ weight
        curve = (inputs * (counted * chance * (1 - chance))[:, None]).T @ inputs + ridge
        step = np.linalg.solve(curve + 1e-9 * np.eye(len(weight)), slope)
        weight -= step
        if np.abs(step).max() < _NEAR:
            break
    return Logistic(mean, scale, weight[1:], float(weight[0]))
