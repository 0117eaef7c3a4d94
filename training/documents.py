"""Documents as checking reads them: sentences, windows of whole sentences, and the window nearest to a claim."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from claimgraph.detect.text.windows import windows as over
from claimgraph.kgstore.model import Passage, Span
from training.texts import sentences

_WORD = re.compile(r"\w+")


def said(text: str) -> list[str]:
    """The sentences of a text of several lines; none goes over a line's end."""
    return [sentence for line in text.splitlines() for sentence in sentences(line)]


def windows(context: str, words: int) -> list[str]:
    """Runs of whole sentences of at most that many words, each beginning with the last sentence of the one before."""
    found = [" ".join(sentence.split()) for sentence in said(context)]
    starts = accumulate((len(sentence) + 1 for sentence in found), initial=0)
    passages = [
        Passage(sentence, "context", "context", Span(start, start + len(sentence)))
        for start, sentence in zip(starts, found, strict=False)
    ]
    return [window.text.rstrip() for window in over(passages, words=words)]


class Nearest:
    """The window that shares most with a sentence, words weighed by how few windows have them; ties to the first."""

    def __init__(self, found: Sequence[str]) -> None:
        self.windows = list(found)
        self._words = [set(_WORD.findall(window.lower())) for window in found]
        seen = Counter(word for words in self._words for word in words)
        self._weight = {word: math.log(1 + len(found) / count) for word, count in seen.items()}
        self._unknown = math.log(2 + len(found))

    def to(self, sentence: str) -> tuple[str, float]:
        """And the share of the sentence's weight that it has, 0 to 1."""
        words = set(_WORD.findall(sentence.lower()))
        shared = [sum(self._weight[word] for word in words & have) for have in self._words]
        best = max(range(len(shared)), key=shared.__getitem__)
        return self.windows[best], shared[best] / (sum(self._weight.get(word, self._unknown) for word in words) or 1.0)
