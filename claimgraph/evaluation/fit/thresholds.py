"""Thresholds of single methods, searched exhaustively or, as FactAlign does, by a few seeded Bayesian trials.

With one number to find, trying every score there is is exact and cheap; the Bayesian search is there because it is the
paper's protocol (a tenth of the data, 30 iterations), and to show what it costs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from claimgraph.evaluation.data.labelled import Unit
from claimgraph.evaluation.detection.kinds import by_kind
from claimgraph.evaluation.detection.results import ClaimResult
from claimgraph.evaluation.detection.units import Pair, judge, scores
from claimgraph.evaluation.statistics.metrics import best_threshold, measure
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.extras import require
from claimgraph.kgstore.model import Outcome

START = 5
"""Trials at random places before the search begins to choose."""


@dataclass(frozen=True, slots=True)
class Trials:
    """A Bayesian search of `count` trials in all, on a `share` of the groups in (0, 1]."""

    count: int
    share: float
    seed: int


def tune_score(pairs: Sequence[Pair], unit: Unit, objective: Objective, trials: Trials | None = None) -> float:
    """The threshold above which a score is hallucinated, in [0, 1], or just below 0 where all is to be hallucinated.

    `trials` None: the best on all pairs, as metrics.best_threshold has it; with trials the best that they try. Where
    only one class is there, balanced accuracy is the share of it that is right. Raises InputError where no score is
    known.
    """
    used = judge(_sample(pairs, trials) if trials else pairs, unit, nei=True)
    gold, values = np.array([unit.gold for unit in used], dtype=float), scores(used)
    gold, values = gold[~np.isnan(values)], values[~np.isnan(values)]
    best = best_threshold(gold, values, objective)
    if best is None:
        raise InputError("no text has a score: there is nothing to choose a threshold by")
    figure = "f1" if objective is Objective.F1 else "balanced_accuracy" if len(set(gold)) > 1 else "accuracy"

    def value(threshold: float) -> float:
        return float(np.nan_to_num(measure(gold, values, values > threshold)[figure][0]))

    return _search(value, trials) if trials else best


def tune_contradiction(pairs: Sequence[Pair], signal: str, trials: Trials | None = None) -> float | None:
    """The threshold in [0, 1] of the signal above which a hallucinated claim is intrinsic, by weighted F1 of the types
    (FactAlign table 2) over the claims that are not supported and whose signal is known; None where none has a type.

    `trials` None: the best on all pairs, of thresholds in the middle between neighbouring values, at the highest (all
    extrinsic) or half the lowest (all intrinsic); of several that do as well the lowest.
    """
    used = _sample(pairs, trials) if trials else list(pairs)
    known = [v for _, result in used for c in result.claims if (v := _asked(c, signal)) is not None]

    def detected(threshold: float) -> dict[str, Any]:
        found = by_kind([_ruled(pair, signal, threshold) for pair in used])
        return found["detected"] if found else {"n": 0}

    def value(threshold: float) -> float:
        return float(detected(threshold)["weighted"]["f1"] or 0.0)

    if not known or not detected(0.0)["n"]:
        return None
    if trials:
        return _search(value, trials)
    values = sorted(set(known))
    cuts = [values[0] / 2, *((a + b) / 2 for a, b in pairwise(values)), values[-1]]
    return max(cuts, key=lambda cut: (value(cut), -cut))


def _asked(claim: ClaimResult, signal: str) -> float | None:
    """The signal of a claim that is not supported."""
    return None if claim.outcome is Outcome.SUPPORTED else claim.signals.get(signal)


def _ruled(pair: Pair, signal: str, threshold: float) -> Pair:
    """The claims with their types by the threshold; one without the signal is found as neither."""
    case, result = pair
    kinds = {None: Outcome.SUPPORTED, True: Outcome.REFUTED, False: Outcome.NOT_ENOUGH_INFO}
    values = [_asked(claim, signal) for claim in result.claims]
    above = [None if value is None else value > threshold for value in values]
    claims = tuple(replace(claim, outcome=kinds[key]) for claim, key in zip(result.claims, above, strict=True))
    return case, replace(result, claims=claims)


def _sample(pairs: Sequence[Pair], trials: Trials) -> list[Pair]:
    groups = sorted({case.group for case, _ in pairs})
    kept = set(random.Random(trials.seed).sample(groups, max(1, round(trials.share * len(groups)))))
    return [pair for pair in pairs if pair[0].group in kept]


def _search(value: Callable[[float], float], trials: Trials) -> float:
    require("eval")
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
