"""ROUGE-1, ROUGE-2 and ROUGE-L between two texts (Lin 2004), as the `rouge-score` package counts them, unstemmed.

How much of a text a correction leaves (GraphEval, table 3). The package is the oracle in the tests; it was rejected as
a dependency, since it brings NLTK for forty lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rouge:
    """F1 in [0, 1] of unigrams, bigrams and the longest common subsequence of words; 0 where a text has none."""

    rouge1: float
    rouge2: float
    rouge_l: float


def rouge(reference: str, text: str) -> Rouge:
    """How near two texts are; symmetric. Words are runs of a-z and 0-9 in lower case."""
    a, b = _words(reference), _words(text)
    return Rouge(_overlap(a, b, 1), _overlap(a, b, 2), _f1(_common(a, b), len(a), len(b)))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _overlap(a: Sequence[str], b: Sequence[str], n: int) -> float:
    x, y = (Counter(zip(*(words[i:] for i in range(n)), strict=False)) for words in (a, b))
    return _f1((x & y).total(), x.total(), y.total())


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for word in a:
        before = row
        row = [0]
        for j, other in enumerate(b):
            row.append(before[j] + 1 if word == other else max(before[j + 1], row[j]))
    return row[-1]


def _f1(shared: int, a: int, b: int) -> float:
    return 2 * shared / (a + b) if shared else 0.0
