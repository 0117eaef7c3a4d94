"""Labelled files in, a calibration out: the weights of fusion and the thresholds of single methods.

What is fitted on one set is reported on another, or by cross-validation over articles (evaluation/crossval.py), which
fits with the functions here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from claimgraph.evaluation.crossval import Fit, Scorer, fitted, folds
from claimgraph.evaluation.results import CaseResult
from claimgraph.evaluation.units import Pair, default_unit, judge
from claimgraph.labelled import LabelledCase, Unit
from detect.calibration import Calibration, Profile
from detect.levels import inside
from detect.metrics import Objective, best_threshold
from detect.weights import Bag, Weights, balanced, fit
from kgstore.errors import InputError

WORDING = (
    "sentence.words",
    "sentence.pieces",
    "sentence.order",
    "sentence.meaning",
    "sentence.names",
    "sentence.numbers",
    "output.words",
    "output.pieces",
    "output.order",
    "output.meaning",
)
RULES = ("words.coverage", "rules.support", "rules.refute", "factalign.alignment", "kea.claim", "kea.document")
ENTAILMENT = ("entailment.entailment", "entailment.contradiction")
PENALTY = 0.1
"""On the squared weights; chosen once, by cross-validation on SummEval and QAGS-XSum together."""
FOLDS = 5


def names_of(*, entailment: bool) -> tuple[str, ...]:
    """The signals that are weighed."""
    return WORDING + RULES + (ENTAILMENT if entailment else ())


def fit_weights(sets: Iterable[Sequence[Pair]], *, entailment: bool, unit: Unit | None = None) -> Weights:
    """Weights fitted on labelled sets that count alike, and in each both labels alike.

    `unit` None takes what the labels of each set are about. Raises InputError where a set has only one label.
    """
    bags = [bag for pairs in sets for bag in _bags(pairs, unit or default_unit([case for case, _ in pairs]))]
    return fit(bags, names_of(entailment=entailment), PENALTY)


def fitting(unit: Unit | None, *, entailment: bool) -> Fit:
    """What cross-validation fits in each fold."""

    def fit_fold(pairs: Sequence[Pair]) -> Scorer:
        weights = fit_weights([pairs], entailment=entailment, unit=unit)
        return lambda result: _scores(result, weights)

    return fit_fold


def calibrate(
    sets: Mapping[str, Sequence[Pair]], objective: Objective, models: Sequence[str], *, entailment: bool, seed: int
) -> Profile:
    """A profile fitted on all sets.

    Its threshold is the mean, over the sets, of the best one for scores by weights that did not see their group.
    """
    thresholds = []
    for name, pairs in sets.items():
        unit = default_unit([case for case, _ in pairs])
        others = [other for key, other in sets.items() if key != name]
        thresholds.append(_held_threshold(pairs, others, unit, objective, entailment=entailment, seed=seed))
    weights = fit_weights(sets.values(), entailment=entailment)
    return Profile(weights, float(np.mean(thresholds)), objective.value, tuple(sets), tuple(models))


def with_profile(calibration: Calibration, name: str, profile: Profile) -> Calibration:
    """The calibration with one profile exchanged."""
    return replace(calibration, profiles={**calibration.profiles, name: profile})


def _held_threshold(
    pairs: Sequence[Pair],
    others: Sequence[Sequence[Pair]],
    unit: Unit,
    objective: Objective,
    *,
    entailment: bool,
    seed: int,
) -> float:
    def fit_fold(train: Sequence[Pair]) -> Scorer:
        weights = fit_weights([train, *others], entailment=entailment)
        return lambda result: _scores(result, weights)

    fold = folds([case.group for case, _ in pairs], FOLDS, seed)
    held = fitted(pairs, fit_fold, unit, fold, objective)
    gold = [unit.gold for unit in judge(pairs, unit, nei=True)]
    threshold = best_threshold(gold, held.scores, objective)
    assert threshold is not None, "fitted sets have claims"
    return threshold


def _bags(pairs: Sequence[Pair], unit: Unit) -> list[Bag]:
    found = [bag for case, result in pairs for bag in _bags_of(case, result, unit)]
    if {bag.label for bag in found} != {0, 1}:
        raise InputError("nothing can be fitted where all labels are the same or no text has a claim")
    return balanced(found)


def _bags_of(case: LabelledCase, result: CaseResult, unit: Unit) -> list[Bag]:
    signals = [claim.signals for claim in result.claims]
    if unit is Unit.DOCUMENT:
        members = [(case.label, signals)]
    elif unit is Unit.SENTENCE:
        spans = [claim.span for claim in result.claims]
        members = [(s.label, [signals[at] for at in inside(spans, s.span)]) for s in case.sentences or ()]
    else:
        given = [claim.label for claim in case.claims or ()]
        members = [(label, [own]) for label, own in zip(given, signals, strict=True) if label is not None]
    return [Bag(own, label) for label, own in members if own]


def _scores(result: CaseResult, weights: Weights) -> list[float | None]:
    return [weights.probability(claim.signals) for claim in result.claims]
