"""CaRB's scorer: how good open extractions are against crowd-made gold tuples (Bhardwaj et al. 2019, EMNLP).

Written from the published description and the behaviour of its reference scorer, quirks included, since figures are
only comparable under the same matching: tokens are compared with case, a predicted "be" stands for any of its forms,
verbs of saying may be matched with subject and object exchanged, and the figure reported is the best F1 along the
precision-recall curve over confidences. Scoring by exact spans was rejected: no published system reports it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_BE = frozenset({"be", "is", "am", "are", "was", "were", "been", "being"})
_SAYING = ("said", "told", "added", "adds", "says")


@dataclass(frozen=True, slots=True)
class Tuple:
    """An n-ary extraction: a relation and its arguments, the subject first, tokens parted by spaces."""

    relation: str
    arguments: tuple[str, ...]
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1 at the best confidence threshold, and the area under the curve; all in [0, 1]."""

    precision: float
    recall: float
    f1: float
    auc: float


def match(gold: Tuple, predicted: Tuple) -> tuple[float, float]:
    """Token precision and recall of one pair (section 3.2, "tuple match"); (0, 0) where the relations share nothing."""
    parts = _binary(predicted)
    straight = _lenient(gold, parts)
    if len(parts) < 3 or not any(verb in gold.relation for verb in _SAYING):
        return straight
    relation, subject, other = parts
    return max(straight, _lenient(gold, [relation, other, subject]))


def score(sentences: Iterable[tuple[Sequence[Tuple], Sequence[Tuple]]]) -> Score:
    """Score (gold, predicted) tuples of every sentence: recall many-to-one, precision one-to-one.

    At each confidence threshold, recall adds for each gold tuple its best recall among the predictions kept;
    precision adds the precisions of a greedy one-to-one matching, best pair first, over the number kept. Ties go to
    the earlier gold tuple, then to the earlier prediction; equal F1 to the lower threshold.
    """
    curves = [_curve(gold, predicted) for gold, predicted in sentences]
    thresholds = sorted({confidence for _, curve in curves for confidence, *_ in curve})
    golds = sum(size for size, _ in curves)
    points = [_point(curves, threshold, golds) for threshold in thresholds]
    if not points:
        return Score(0.0, 0.0, 0.0, 0.0)
    f1, _, precision, recall = max((_f1(p, r), -i, p, r) for i, (p, r) in enumerate(points))
    return Score(precision, recall, f1, _area([*points, (1.0, 0.0)]))


def _binary(extraction: Tuple) -> list[list[str]]:
    """Relation, subject and all other arguments as one, each as tokens; no third part where there is no object."""
    arguments = list(extraction.arguments)
    while arguments and not arguments[-1].strip():
        arguments.pop()
    parts = [extraction.relation, *arguments[:1]]
    if len(arguments) > 1:
        parts.append(" ".join(arguments[1:]))
    return [part.split() for part in parts]


def _lenient(gold: Tuple, predicted: list[list[str]]) -> tuple[float, float]:
    wanted = _binary(gold)
    if len(predicted) < len(wanted):
        return 0.0, 0.0
    shared = [_shared(*pair) for pair in zip(wanted, predicted, strict=False)]
    shared[0] += _be(wanted[0], predicted[0])
    if not shared[0]:
        return 0.0, 0.0
    asked = sum(map(len, wanted))
    given = sum(map(len, predicted[: len(wanted)]))
    return sum(shared) / given, sum(shared) / asked


def _shared(gold: list[str], predicted: list[str]) -> int:
    return (Counter(gold) & Counter(predicted)).total()


def _be(gold: list[str], predicted: list[str]) -> int:
    """1 where a "be" that met no "be" meets one of its forms."""
    spare = predicted.count("be") > gold.count("be")
    return int(spare and not _BE.isdisjoint(gold))


_Curve = list[tuple[float, float, int, float]]
"""(confidence, precision summed, predictions kept, recall summed), confidence ascending."""


def _curve(gold: Sequence[Tuple], predicted: Sequence[Tuple]) -> tuple[int, _Curve]:
    scores = [[match(g, p) for p in predicted] for g in gold]
    curve: _Curve = []
    for threshold in sorted({p.confidence for p in predicted}):
        kept = [column for column, p in enumerate(predicted) if p.confidence >= threshold]
        recall = sum(max((row[column][1] for column in kept), default=0.0) for row in scores)
        curve.append((threshold, _one_to_one(scores, kept), len(kept), recall))
    return len(gold), curve


def _one_to_one(scores: list[list[tuple[float, float]]], kept: list[int]) -> float:
    pairs = sorted((-row[column][0], i, column) for i, row in enumerate(scores) for column in kept)
    rows: set[int] = set()
    columns: set[int] = set()
    total = 0.0
    for negative, row, column in pairs:
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            total -= negative
    return total


def _point(curves: list[tuple[int, _Curve]], threshold: float, golds: int) -> tuple[float, float]:
    precision = recall = 0.0
    kept = 0
    for _, curve in curves:
        at = next((point for point in curve if point[0] >= threshold), None)
        if at:
            precision, kept, recall = precision + at[1], kept + at[2], recall + at[3]
    return (precision / kept if kept else 1.0), (recall / golds if golds else 0.0)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _area(points: list[tuple[float, float]]) -> float:
    """Trapezoids under precision over recall; points in falling order of recall."""
    ordered = sorted(points, key=lambda point: point[1])
    return sum((b[1] - a[1]) * (a[0] + b[0]) / 2 for a, b in itertools.pairwise(ordered))
