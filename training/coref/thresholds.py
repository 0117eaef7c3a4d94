"""The least chance at which an antecedent is taken, by kind of anaphor, for a precision that was asked for.

A claim with a wrong name is worse than one with its pronoun, so a kind that never reaches its precision is left to
the highest threshold. Chosen on one fold of documents, through all of the product's resolution.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.extraction.coreference.candidates import KINDS
from claimgraph.detect.extraction.coreference.resolution import resolved
from claimgraph.detect.models.coreference import CoreferenceModel, Window
from claimgraph.detect.text.parse import Paragraph, paragraphs
from claimgraph.evaluation.coreference import CoreferenceFigures, JudgedMention, figures, judged
from claimgraph.evaluation.data.coreference_gold import GoldClusters
from training.coref.example import TUNED
from training.coref.examples import marked_texts

GRID = (*(round(0.3 + 0.05 * step, 2) for step in range(14)), 0.97, 0.99)
PRECISION = {"he, she": 0.83, "it": 0.88, "they": 0.88, "definite": 0.85, "name, renamed": 0.75}
"""That of "he" and "she" is pooled with GAP's passages, which were chosen for two names that both fit."""
_KIND = {"he": "he, she", "she": "he, she", "name": "name, renamed"}
SOURCES = frozenset({"gap", "written", "later"})
"""Those whose texts are most like what claims are read from: no novels, no talk, no single sentences."""
FEWEST = 10
"""Answers below which a precision says nothing."""


class Remembered:
    """A model whose chances are worked out once a window, at thresholds that can be changed."""

    def __init__(self, model: CoreferenceModel) -> None:
        self.model, self.thresholds = model.model, model.thresholds
        self._model = model
        self._found: dict[tuple[str, bytes], NDArray[np.float32]] = {}

    def chances(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """As the model has them."""
        keys = [(window.text, window.features.tobytes()) for window in windows]
        new = [at for at, key in enumerate(keys) if key not in self._found]
        for at, found in zip(new, self._model.chances([windows[at] for at in new]), strict=True):
            self._found[keys[at]] = found
        return [self._found[key] for key in keys]


def tuned_texts(data: Path) -> list[GoldClusters]:
    """The texts on which thresholds are chosen."""
    return [gold for gold in marked_texts(data) if gold.fold == TUNED and gold.source in SOURCES]


def chosen(model: CoreferenceModel, golds: Sequence[GoldClusters]) -> dict[str, float]:
    """The threshold of each kind: the least of GRID from which on the precision stays as high as it should be."""
    remembered = Remembered(model)
    parsed = list(paragraphs([gold.text for gold in golds]))
    found = {floor: _figures(remembered, golds, parsed, floor) for floor in GRID}
    groups = {kind: _KIND.get(kind, kind) for kind in KINDS}
    return {kind: least({floor: by.get(group) for floor, by in found.items()}, group) for kind, group in groups.items()}


def _figures(
    model: Remembered, golds: Sequence[GoldClusters], parsed: Sequence[tuple[int, Paragraph]], floor: float
) -> dict[str, CoreferenceFigures]:
    model.thresholds = dict.fromkeys(KINDS, floor)
    counted: dict[str, list[JudgedMention]] = defaultdict(list)
    for number, parts in groupby(resolved(parsed, model), key=lambda part: part.number):
        for one in judged(golds[number], list(parts)):
            counted[one.kind].append(one)
    return figures([one for some in counted.values() for one in some])


def least(by_threshold: Mapping[float, CoreferenceFigures | None], kind: str) -> float:
    """The least of GRID from which on the precision of a kind stays as high as it should be; else the greatest."""
    best = GRID[-1]
    for floor in reversed(GRID):
        found = by_threshold[floor]
        if found is None or found.answered < FEWEST:
            continue
        if (found.precision or 0.0) < PRECISION[kind]:
            break
        best = floor
    return best
