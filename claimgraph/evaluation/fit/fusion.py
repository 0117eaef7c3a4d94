"""Fusion's weights, fitted to what the methods found of labelled texts: one set of weights for each kind of text.

What goes in is chosen once, here, by cross-validation on SummEval, QAGS-XSum and the KEA triples; what is fitted are
the weights. More signals fit better and judge worse: a few hundred outputs have labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from claimgraph.detect.levels import inside
from claimgraph.detect.methods.fusion.calibration import Profile, ProfileKind, Weights
from claimgraph.evaluation.data.labelled import LabelledCase, Unit
from claimgraph.evaluation.detection.crossval import Fit, Scorer, fitted, folds
from claimgraph.evaluation.detection.results import CaseResult
from claimgraph.evaluation.detection.units import Pair, default_unit, judge
from claimgraph.evaluation.fit.weights import Bag, balanced, fit
from claimgraph.evaluation.statistics.metrics import best_threshold
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.extras import require

Floats = NDArray[np.float64]

SUPPORTED = "fused.supported"
"""The calibrated probability that the claim is supported: what reading it beside the context says."""
SIGNALS: Mapping[ProfileKind, tuple[str, ...]] = {
    ProfileKind.TEXT: (
        "sentence.order",
        "sentence.meaning",
        "sentence.names",
        "sentence.numbers",
        "output.order",
        "output.meaning",
        SUPPORTED,
    ),
    ProfileKind.SENTENCE: ("sentence.words", "sentence.meaning", "sentence.names", "sentence.numbers", SUPPORTED),
    ProfileKind.TRIPLES: ("sentence.order", "sentence.meaning", SUPPORTED),
}
"""What is weighed for each kind; SENTENCE and TRIPLES have no output beyond their sentence. More signals were tried on
each and judged no better on held-out articles."""
PENALTY = 0.5
FOLDS = 5


def kind_of(pair: Pair) -> ProfileKind | None:
    """The kind of a text; None where it has no claims, and so no signals."""
    case, result = pair
    if case.context is None:
        return ProfileKind.TRIPLES
    sentences = next((claim.signals.get("output.sentences") for claim in result.claims), None)
    return None if sentences is None else ProfileKind.TEXT if sentences > 1 else ProfileKind.SENTENCE


def by_kind(pairs: Iterable[Pair]) -> dict[ProfileKind, list[Pair]]:
    """The texts of each kind that there is, in order."""
    found: dict[ProfileKind, list[Pair]] = {}
    for pair in pairs:
        kind = kind_of(pair)
        if kind:
            found.setdefault(kind, []).append(pair)
    return found


def fitting(unit: Unit | None) -> Fit:
    """What cross-validation fits in each fold: weights for each kind of text that has both labels there.

    `unit` None: what most labels are about.
    """

    def fit_fold(pairs: Sequence[Pair]) -> Scorer:
        return _scorer(_each_kind([pairs], unit))

    return fit_fold


def fit_profile(
    sets: Mapping[str, Sequence[Pair]], kind: ProfileKind, objective: Objective, models: Sequence[str], seed: int
) -> Profile:
    """The profile of one kind of text, fitted on sets of that kind that count alike.

    Scores by weights that did not see a text's
    group say how far the fitted sum can be trusted: it is stretched and shifted to be a probability on them where both
    labels are as likely (Platt), and the threshold is the mean, over the sets, of the best one. Raises InputError
    where only one label is there.
    """
    weights = _each_kind(list(sets.values()), None)[kind]
    held = [
        _held(pairs, [other for key, other in sets.items() if key != name], objective, seed=seed)
        for name, pairs in sets.items()
    ]
    stretch, shift = _platt(held)
    threshold = float(np.mean([_logit(cut) for _, _, cut in held]))
    return Profile(
        weights.rescaled(stretch, shift),
        float(_logistic(stretch * threshold + shift)),
        objective.value,
        tuple(sets),
        tuple(models),
    )


def _unit(pairs: Sequence[Pair]) -> Unit:
    return default_unit([case for case, _ in pairs])


def _each_kind(sets: Sequence[Sequence[Pair]], unit: Unit | None) -> dict[ProfileKind, Weights]:
    """Weights of each kind with both labels, sets counting alike."""
    bags: dict[ProfileKind, list[Bag]] = {}
    for pairs in sets:
        about = unit or _unit(pairs)
        for kind, some in by_kind(pairs).items():
            made = [bag for case, result in some for bag in _bags_of(case, result, about)]
            if len({bag.label for bag in made}) == 2:
                bags.setdefault(kind, []).extend(balanced(made))
    if not bags:
        raise InputError("nothing can be fitted where all labels are the same or no text has a claim")
    return {kind: fit(made, SIGNALS[kind], PENALTY) for kind, made in bags.items()}


def _scorer(weights: Mapping[ProfileKind, Weights]) -> Scorer:
    """Scores by the weights of a text's kind, or of another where its own was not fitted."""

    def score(pair: Pair) -> list[float | None]:
        kind = kind_of(pair)
        used = weights.get(kind) if kind else None
        chosen = used or next(iter(weights.values()))
        return [chosen.probability(c.signals) for c in pair[1].claims]

    return score


_Held = tuple[Floats, Floats, float]
"""Gold labels and scores of the units of a set, shape (n,), and the best threshold."""


def _held(pairs: Sequence[Pair], others: Sequence[Sequence[Pair]], objective: Objective, *, seed: int) -> _Held:
    def fit_fold(train: Sequence[Pair]) -> Scorer:
        return _scorer(_each_kind([train, *others], None))

    unit = _unit(pairs)
    fold = folds([case.group for case, _ in pairs], FOLDS, seed)
    gold = np.array([one.gold for one in judge(pairs, unit, nei=True)], dtype=np.float64)
    scores = fitted(pairs, fit_fold, unit, fold, objective).scores
    threshold = best_threshold(gold, scores, objective)
    assert threshold is not None, "fitted sets have claims"
    return gold, scores, threshold


def _platt(held: Sequence[_Held]) -> tuple[float, float]:
    """Stretch and shift that make the logits of held-out scores those of a probability."""
    require("eval")
    from sklearn.linear_model import LogisticRegression

    known = [(gold[scores > 0], scores[scores > 0]) for gold, scores, _ in held]
    weights = [np.where(gold == 1, 0.5 / gold.sum(), 0.5 / (1 - gold).sum()) for gold, _ in known]
    rows = _logit(np.concatenate([scores for _, scores in known]))[:, None]
    found = LogisticRegression(C=1e6).fit(
        rows, np.concatenate([gold for gold, _ in known]), 1e3 * np.concatenate(weights)
    )
    return float(found.coef_[0, 0]), float(found.intercept_[0])


def _logit(probability: ArrayLike) -> Floats:
    value = np.asarray(probability, dtype=np.float64)
    return np.asarray(np.log(value / (1 - value)))


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


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
