"""Compute all figures of one method on one set as the documented object, with its baselines beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.methods.fusion.wording import SourceText
from claimgraph.evaluation.data.labelled import LabelledCase
from claimgraph.evaluation.detection.crossval import Held, held_out
from claimgraph.evaluation.detection.units import JudgedUnit
from claimgraph.evaluation.statistics.metrics import NAMES, interval, measure, resample
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.evaluation.statistics.shares import rounded

Floats = NDArray[np.float64]

BASELINE_FOLDS = 5
"""Folds in which baselines get their thresholds where the method's own are not cross-validated."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Scores of all units by a method or a baseline, and its predictions; shape (n,), nan is unknown."""

    name: str
    scores: Floats
    predicted: Floats
    threshold: float | None


def gold_of(units: Sequence[JudgedUnit]) -> Floats:
    """Gold labels, shape (n,)."""
    return np.array([unit.gold for unit in units], dtype=np.float64)


def baselines(units: Sequence[JudgedUnit], fold: NDArray[np.int_], objective: Objective) -> list[Ranked]:
    """Return the baselines: shares of words and word pairs that the context has nowhere, and the score of the rows.

    Their thresholds are fitted on the other folds. Only those known for some unit.
    """
    found = _novelty(units) | {"published": [unit.case.published for unit in units]}
    gold = gold_of(units)
    return [
        _ranked(name, held_out(gold, np.array(values, dtype=np.float64), fold, objective))
        for name, values in found.items()
        if any(value is not None for value in values)
    ]


def figures(units: Sequence[JudgedUnit], method: Ranked, others: Sequence[Ranked], seed: int) -> dict[str, Any]:
    """Return `{auc_roc, ..., threshold, ci95, baselines}`: plain values; None is undefined.

    Intervals are over the groups of the units; differences to a baseline are paired: both on the same groups.
    """
    gold, weights = gold_of(units), resample([unit.group for unit in units], seed)
    point, spread = _measured(gold, method), measure(gold, method.scores, method.predicted, weights)
    everything = measure(gold, np.full(len(gold), np.nan), np.ones(len(gold)))
    return {
        **point,
        "threshold": rounded(method.threshold),
        "ci95": {name: _pair(interval(spread[name])) for name in NAMES},
        "baselines": {
            **{other.name: _baseline(gold, other, weights, point, spread) for other in others},
            "all_positive": {name: rounded(everything[name][0]) for name in NAMES[2:]},
        },
    }


def difference(value: float | None, replicates: Floats) -> dict[str, Any]:
    """Return `{value, ci95}` of a paired difference."""
    return {"value": rounded(value), "ci95": _pair(interval(replicates))}


def _measured(gold: Floats, ranked: Ranked) -> dict[str, float | None]:
    found = measure(gold, ranked.scores, ranked.predicted)
    return {name: rounded(found[name][0]) for name in NAMES}


def _baseline(
    gold: Floats, other: Ranked, weights: Floats, point: dict[str, float | None], spread: dict[str, Floats]
) -> dict[str, Any]:
    ours, theirs = _measured(gold, other), measure(gold, other.scores, other.predicted, weights)
    pairs = {name: (point[name], ours[name]) for name in ("auc_roc", "balanced_accuracy")}
    return {
        **ours,
        "threshold": rounded(other.threshold),
        "method_minus_this": {
            name: difference(None if a is None or b is None else a - b, spread[name] - theirs[name])
            for name, (a, b) in pairs.items()
        },
    }


def _novelty(units: Sequence[JudgedUnit]) -> dict[str, list[float | None]]:
    sources: dict[str, SourceText] = {}
    found: dict[str, list[float | None]] = {"novel_bigrams": [], "novel_words": []}
    for unit in units:
        context = _context(unit.case)
        if context is not None and context not in sources:
            sources[context] = SourceText(context)
        novelty = None if context is None else sources[context].novelty(unit.text)
        found["novel_bigrams"].append(None if novelty is None else novelty.bigrams or 0.0)
        found["novel_words"].append(None if novelty is None else novelty.words or 0.0)
    return found


def _context(case: LabelledCase) -> str | None:
    """Return the evidence of the text, in words."""
    if case.context is not None or case.evidence is None:
        return case.context
    return " ".join(f"{triple.text}." for triple in case.evidence)


def _ranked(name: str, held: Held) -> Ranked:
    return Ranked(name, held.scores, held.predicted, held.threshold)


def _pair(bounds: tuple[float, float] | None) -> list[float] | None:
    return None if bounds is None else [round(bounds[0], 4), round(bounds[1], 4)]
