"""Score hypotheses against the windows of their contexts, all documents in one stream.

GraphEval's hypotheses are triples; the baseline it compares itself with (its section 5) is the same on whole outputs,
and only the hypotheses differ: `--method nli` is `judge` with one hypothesis, the output, a document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.model import EntailmentModel


@dataclass(frozen=True, slots=True)
class WindowScores:
    """The scores of one hypothesis over the windows.

    `entailment` and `contradiction` in [0, 1] are the greatest over the windows, `support` and `against` the windows
    they come from, ties to the first. A model without a contradiction class has None for the last two.
    """

    entailment: float
    support: int
    contradiction: float | None
    against: int | None

    @property
    def hallucination(self) -> float:
        """P(hallucination) = 1 - P(entailment); above 0.5 the hypothesis is inconsistent (GraphEval, section 4)."""
        return 1 - self.entailment


def judge(
    jobs: Sequence[tuple[Sequence[str], Sequence[str]]], model: EntailmentModel
) -> list[list[WindowScores | None]]:
    """Return for each job of (hypotheses, windows) one judgement a hypothesis; None where there are no windows.

    Each distinct pair of all jobs goes through the model once, in one call.
    """
    pairs = [(window, hypothesis) for hypotheses, windows in jobs for hypothesis in hypotheses for window in windows]
    distinct = {pair: row for row, pair in enumerate(dict.fromkeys(pairs))}
    scores = model.entail(list(distinct))[[distinct[pair] for pair in pairs]]
    found, start = [], 0
    for hypotheses, windows in jobs:
        shape, size = (len(hypotheses), len(windows), 3), len(hypotheses) * len(windows)
        found.append([_judgement(rows) for rows in scores[start : start + size].reshape(shape)])
        start += size
    return found


def _judgement(scores: NDArray[np.float32]) -> WindowScores | None:
    """Return the judgement of `scores`, shape (windows, 3)."""
    if not len(scores):
        return None
    support = int(scores[:, 0].argmax())
    entailment = float(scores[support, 0])
    if np.isnan(scores[:, 2]).any():
        return WindowScores(entailment, support, None, None)
    against = int(scores[:, 2].argmax())
    return WindowScores(entailment, support, float(scores[against, 2]), against)
