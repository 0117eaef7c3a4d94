"""Pairs thinned so that the claim alone tells its label less: a model that can guess from it need not read the premise.

Naive Bayes over a claim's words and pairs of words, names and numbers masked, guesses the label of each document's
claims from all other documents' (two halves). Where it guesses right for sure, fewer of the pairs are kept.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random

from training.pair import LABELS, Pair, fold

HALVES = 2
SURE = 0.3
"""Weight of a word's evidence: words stand together, so that the sum of all would be far too sure."""
POWER = 0.5
"""How far the odds are evened: 1 makes the guess worse than chance."""
_TOKEN = re.compile(r"\w+|[^\w\s]")


def evened(pairs: Sequence[Pair], random: Random) -> list[Pair]:
    """Those that are kept, in their order; pairs of three-way labels only."""
    halves = [fold(pair.document, HALVES) for pair in pairs]
    guessing = [_Guess(pair for pair, half in zip(pairs, halves, strict=True) if half != one) for one in range(HALVES)]
    kept = []
    for pair, half in zip(pairs, halves, strict=True):
        chance = guessing[half].share(pair)
        if random.random() < (1 / len(LABELS) / chance) ** POWER:
            kept.append(pair)
    return kept


def words(claim: str) -> set[str]:
    """Its words and pairs of neighbours; numbers are alike, and so are names, which have capitals inside a claim."""
    found = [
        "#" if token.isdigit() else "@" if at and token[0].isupper() else token.lower()
        for at, token in enumerate(_TOKEN.findall(claim))
    ]
    return {*found, *(" ".join(two) for two in pairwise(found))}


class _Guess:
    """Of a label from a claim's words."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._seen: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
        self._pairs: Counter[str] = Counter()
        for pair in pairs:
            self._pairs[pair.label] += 1
            self._seen[pair.label].update(words(pair.hypothesis))

    def share(self, pair: Pair) -> float:
        """P(label | claim), above 0."""
        said = words(pair.hypothesis)
        logged = [self._logged(label, said) for label in LABELS]
        most = max(logged)
        return math.exp(logged[LABELS.index(pair.label)] - most) / sum(math.exp(one - most) for one in logged)

    def _logged(self, label: str, said: Iterable[str]) -> float:
        count = self._pairs[label] + 1
        evidence = sum(math.log((self._seen[label][word] + 1) / (count + 1)) for word in said)
        return math.log(count) + SURE * evidence
