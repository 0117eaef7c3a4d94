"""A claim's sentence beside the wording of its context: signals of fusion that need neither triples nor an NLI model.

Four views of how far a sentence departs from what it was written from: words and runs of words (`novelty`, a baseline
of every method too), words in the order of one sentence of the context, and nearness of meaning. Those of the whole
output are there too: a claim is less to be trusted where everything around it was rewritten. Systems that copy are
mostly right and systems that rewrite are sometimes wrong, so the share of novel bigrams orders summaries nearly as well
as trained models do on SummEval, and says nothing where a right text was edited (SummEdits). ROUGE against the source
was rejected: it measures coverage of the source, which a summary is not meant to have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from claimgraph.detect.check_input import Case
from claimgraph.detect.compare.premise_choice import Premises
from claimgraph.detect.methods.fusion.runs import Runs
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.span_index import SpanIndex
from claimgraph.detect.text.words import content, names, stem, tokens
from claimgraph.kgstore.model import Span


@dataclass(frozen=True, slots=True)
class Novelty:
    """The novelty of a text relative to its source; shares in [0, 1], None for a text without words.

    `words` and `bigrams`: share of the text's words and bigrams that the source has nowhere. `pieces`: number of pieces
    when the text is cut, from the left, into the longest runs that the source has too, as a share of its words: near 0
    for a copied sentence, 1 where no two words follow each other as in the source (Grusky et al. 2018 sum the squares
    of the same runs). `names`, `numbers`: how many words written as a name, or with a digit first, are novel.
    """

    words: float | None
    bigrams: float | None
    pieces: float | None
    names: int
    numbers: int


class SourceText:
    """A source text prepared for many comparisons."""

    def __init__(self, text: str) -> None:
        found = _folded_words(text)
        self._runs = Runs(found)
        self._words = frozenset(found)
        self._bigrams = set(pairwise(found))
        self._stems = set(content(text))

    def novelty(self, text: str) -> Novelty:
        """Compare a text with the source: lower-case words without punctuation, names by their stems."""
        words = _folded_words(text)
        bigrams = list(pairwise(words))
        return Novelty(
            words=_share(sum(word not in self._words for word in words), len(words)),
            bigrams=_share(sum(pair not in self._bigrams for pair in bigrams), len(bigrams)),
            pieces=_share(self._runs.pieces(words), len(words)),
            names=sum(stem(name) not in self._stems for name in names(text)),
            numbers=sum(word[0].isdigit() and word not in self._words for word in words),
        )


def _folded_words(text: str) -> list[str]:
    return [match[0].lower() for match in tokens(text)]


def _share(count: int, total: int) -> float | None:
    return count / total if total else None


_CLOSEST = 16
"""Sentences of the context that share most words with a sentence, whose order is compared."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A sentence or output beside its context; None where it has no words.

    `words`, `pieces`, `names` and `numbers` as in novelty.Novelty. `order` in [0, 1]: the share of its words
    that stand in one sentence of the context in the same order, the best there is. `meaning` in [-1, 1]: the greatest
    cosine with one of the sentences nearest to it. For an output both are means over its sentences.
    """

    words: float | None
    pieces: float | None
    names: float
    numbers: float
    order: float | None
    meaning: float | None


class Reader:
    """The sentences of a context, prepared for many outputs."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._source = SourceText(" ".join(sentences))
        self._words = [_words(sentence) for sentence in sentences]
        self.premises = Premises(sentences)

    def read(self, case: Case, space: Space) -> tuple[list[Wording], Wording]:
        """Wording of the sentence of each claim, in order, and of the whole output."""
        spans = [span for span in case.sentences if case.text[span.start : span.end].strip()]
        texts = [case.text[span.start : span.end] for span in spans] or [case.text]
        chosen = [[self._sentences[row] for row in self.premises.nearest(text)] for text in texts]
        space.add([text for texts_of in (texts, *chosen) for text in texts_of])
        read = [self._sentence(text, near, space) for text, near in zip(texts, chosen, strict=True)]
        places = SpanIndex(("", span) for span in spans)
        homes = [_home(claim.span, spans, places) for claim in case.claims]
        return [read[home] for home in homes], self._output(case.text, read)

    def _sentence(self, text: str, near: Sequence[str], space: Space) -> Wording:
        found, words = self._source.novelty(text), _words(text)
        meaning = max((space.cosine(text, other) for other in near), default=None)
        order = self._order(text, words) if words else None
        return Wording(found.words, found.pieces, float(found.names), float(found.numbers), order, meaning)

    def _order(self, text: str, words: Sequence[str]) -> float:
        from rapidfuzz.distance import LCSseq

        rows = self.premises.closest(text, _CLOSEST)
        return max((LCSseq.similarity(words, self._words[row]) for row in rows), default=0) / len(words)

    def _output(self, text: str, read: Sequence[Wording]) -> Wording:
        found = self._source.novelty(text)
        orders = [w.order for w in read if w.order is not None]
        meanings = [w.meaning for w in read if w.meaning is not None]
        return Wording(
            found.words,
            found.pieces,
            float(found.names),
            float(found.numbers),
            float(np.mean(orders)) if orders else None,
            float(np.mean(meanings)) if meanings else None,
        )


def _home(span: Span, sentences: Sequence[Span], places: SpanIndex) -> int:
    """The sentence of which a claim covers most, ties to the first; 0 where it lies in none."""
    shared = {
        row: min(span.end, sentences[row].end) - max(span.start, sentences[row].start)
        for row in places.overlapping("", span.start, span.end)
    }
    return max(shared, key=lambda row: (shared[row], -row)) if shared else 0


def _words(text: str) -> list[str]:
    return [match[0].lower() for match in tokens(text)]
