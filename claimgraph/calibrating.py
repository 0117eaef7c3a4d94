"""Labelled files in, a calibration out: the weights of fusion and the thresholds of single methods.

What is fitted on one set is reported on another, or by cross-validation over articles (evaluation/crossval.py), which
fits with the functions here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from claimgraph.evaluation.cases import Preparer
from claimgraph.evaluation.crossval import Fit, Scorer, fitted, folds
from claimgraph.evaluation.detection import detect
from claimgraph.evaluation.results import CaseResult, Journal
from claimgraph.evaluation.units import Pair, default_unit, judge
from claimgraph.labelled import LabelledCase, Unit, dataset_name, read_labelled
from claimgraph.tuning import Trials, tune_contradiction, tune_score
from detect.calibration import Calibration, Profile, profile_name
from detect.case import Detector
from detect.levels import inside
from detect.metrics import Objective, best_threshold
from detect.weights import Bag, Weights, balanced, fit
from kgstore.errors import InputError, UsageError
from kgstore.model import Extractor

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


def gathered(
    paths: Sequence[Path],
    detector: Detector,
    extractor: Extractor,
    cache: Path,
    limit: int | None,
    seed: int,
    advance: Callable[[int, int], None],
) -> dict[str, list[Pair]]:
    """What the detector says of each file's texts, by data set; an interruption costs one batch.

    Raises InputError for a file without texts to check, UsageError as `calibrated`; both before anything is detected.
    """
    read = {path: [case for case in read_labelled(path, limit=limit, seed=seed) if case.closed] for path in paths}
    for path, cases in read.items():
        if not cases:
            raise InputError(f"{path}: no text in it came with what to check it against")
    if detector.name == "fused":
        _of_texts(case for cases in read.values() for case in cases)
    sets = {}
    for path, cases in read.items():
        journal = _journal(path, detector, extractor, cache)
        detect(cases, [detector], Preparer(extractor), {detector.name: journal}, Unit.DOCUMENT, advance)
        sets[dataset_name(path)] = [(case, journal.done[case.line]) for case in cases]
    return sets


def forget(paths: Sequence[Path], detector: Detector, extractor: Extractor, cache: Path) -> None:
    """Delete what an interrupted `gathered` would go on from: call it once the calibration is kept."""
    for path in paths:
        _journal(path, detector, extractor, cache).delete()


def _journal(path: Path, detector: Detector, extractor: Extractor, cache: Path) -> Journal:
    key = hashlib.sha256(path.read_bytes()).hexdigest() + detector.config + extractor.name
    return Journal(cache / "evaluations" / f"calibrate-{hashlib.sha256(key.encode()).hexdigest()[:32]}.jsonl")


def calibrated(
    base: Calibration,
    sets: Mapping[str, Sequence[Pair]],
    detector: Detector,
    objective: Objective,
    trials: Trials | None,
    seed: int,
) -> Calibration:
    """The base with what was fitted to the sets: a profile for fusion, else the method's thresholds.

    Raises UsageError where texts with a context and given triples are mixed.
    """
    if detector.name != "fused":
        found = _thresholds([pair for pairs in sets.values() for pair in pairs], detector.name, objective, trials)
        return replace(base, thresholds={**base.thresholds, detector.name: found})
    texts = _of_texts(case for pairs in sets.values() for case, _ in pairs)
    config = json.loads(detector.config)
    models = [config["rules"]["model"], *([config["entailment"]] if config["entailment"] else [])]
    profile = fit_profile(sets, objective, models, seed)
    name = profile_name(sentences=texts, entailment=len(models) > 1)
    return replace(base, profiles={**base.profiles, name: profile})


def _of_texts(cases: Iterable[LabelledCase]) -> bool:
    """Whether the cases are texts with a context, not given triples. Raises UsageError where they are mixed."""
    found = {case.context is not None for case in cases}
    if len(found) > 1:
        raise UsageError("texts with a context and given triples are calibrated apart: give files of one kind")
    return found == {True}


def fit_profile(sets: Mapping[str, Sequence[Pair]], objective: Objective, models: Sequence[str], seed: int) -> Profile:
    """A profile fitted on all sets; the second of `models`, where there is one, is an entailment model.

    Its threshold is the mean, over the sets, of the best one for scores by weights that did not see their group.
    """
    entailment = len(models) > 1
    thresholds = []
    for name, pairs in sets.items():
        others = [other for key, other in sets.items() if key != name]
        thresholds.append(_held_threshold(pairs, others, objective, entailment=entailment, seed=seed))
    weights = fit_weights(sets.values(), entailment=entailment)
    return Profile(weights, float(np.mean(thresholds)), objective.value, tuple(sets), tuple(models))


def _thresholds(pairs: Sequence[Pair], method: str, objective: Objective, trials: Trials | None) -> dict[str, float]:
    """FactAlign's thresholds are of alignment and contradiction, the others' of the score."""
    score = tune_score(pairs, default_unit([case for case, _ in pairs]), objective, trials)
    if method != "factalign":
        return {"hallucination": score}
    contradiction = tune_contradiction(pairs, "factalign.contradiction", trials)
    return {"alignment": 1 - score} | ({} if contradiction is None else {"contradiction": contradiction})


def _held_threshold(
    pairs: Sequence[Pair],
    others: Sequence[Sequence[Pair]],
    objective: Objective,
    *,
    entailment: bool,
    seed: int,
) -> float:
    def fit_fold(train: Sequence[Pair]) -> Scorer:
        weights = fit_weights([train, *others], entailment=entailment)
        return lambda result: _scores(result, weights)

    unit = default_unit([case for case, _ in pairs])
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
