"""Thresholds of single methods, searched exhaustively or, as FactAlign does, by a few seeded Bayesian trials.

With one number to find, trying every score there is is exact and cheap; the Bayesian search is there because it is the
paper's protocol (a tenth of the data, 30 iterations), and to show what it costs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from claimgraph.evaluation.kinds import by_kind
from claimgraph.evaluation.units import Pair, judge, scores
from claimgraph.labelled import Unit
from detect.metrics import Objective, best_threshold, measure
from kgstore.errors import InputError
from kgstore.model import Outcome

START = 5
"""Trials at random places before the search begins to choose."""


@dataclass(frozen=True, slots=True)
class Trials:
    """A Bayesian search of `count` trials in all, on a `share` of the groups in (0, 1]."""

    count: int
    share: float
    seed: int


def tune_score(pairs: Sequence[Pair], unit: Unit, objective: Objective, trials: Trials | None = None) -> float:
    """The threshold in [0, 1] above which a score is hallucinated.

    `trials` None: the best on all pairs. Raises InputError where no score is known.
    """
    used = judge(_sample(pairs, trials) if trials else pairs, unit, nei=True)
    gold, values = np.array([unit.gold for unit in used], dtype=float), scores(used)
    best = best_threshold(gold, values, objective)
    if best is None:
        raise InputError("no text has a score: there is nothing to choose a threshold by")
    figure = "f1" if objective is Objective.F1 else "balanced_accuracy"

    def value(threshold: float) -> float:
        found = measure(gold, values, np.where(np.isnan(values), np.nan, values > threshold))[figure][0]
        return 0.0 if np.isnan(found) else float(found)

    return _search(value, trials) if trials else best


def tune_contradiction(pairs: Sequence[Pair], signal: str, trials: Trials | None = None) -> float | None:
    """The threshold in [0, 1] of the signal above which a hallucinated claim is intrinsic, by weighted F1 of the types
    (FactAlign table 2); None where no claim has a type or the signal is unknown.
    """
    used = _sample(pairs, trials) if trials else list(pairs)
    values = sorted({v for _, result in used for c in result.claims if (v := c.signals.get(signal)) is not None})
    if not values or by_kind(used) is None:
        return None

    def value(threshold: float) -> float:
        found = by_kind([_ruled(pair, signal, threshold) for pair in used])
        return (found or {})["detected"]["weighted"]["f1"] or 0.0

    if trials:
        return _search(value, trials)
    cuts = [(a + b) / 2 for a, b in pairwise(values)] or values
    return max(cuts, key=lambda cut: (value(cut), -cut))


def _ruled(pair: Pair, signal: str, threshold: float) -> Pair:
    case, result = pair
    kinds = {True: Outcome.REFUTED, False: Outcome.NOT_ENOUGH_INFO}
    claims = tuple(
        claim
        if claim.outcome is Outcome.SUPPORTED
        else replace(claim, outcome=kinds[(claim.signals.get(signal) or 0.0) > threshold])
        for claim in result.claims
    )
    return case, replace(result, claims=claims)


def _sample(pairs: Sequence[Pair], trials: Trials) -> list[Pair]:
    groups = sorted({case.group for case, _ in pairs})
    kept = set(random.Random(trials.seed).sample(groups, max(1, round(trials.share * len(groups)))))
    return [pair for pair in pairs if pair[0].group in kept]


def _search(value: Callable[[float], float], trials: Trials) -> float:
    from bayes_opt import BayesianOptimization

    search = BayesianOptimization(
        f=value,
        pbounds={"threshold": (0.0, 1.0)},
        random_state=trials.seed,
        verbose=0,
        allow_duplicate_points=True,
    )
    search.maximize(init_points=min(START, trials.count), n_iter=max(0, trials.count - START))
    best = search.max
    assert best is not None
    return float(best["params"]["threshold"])
