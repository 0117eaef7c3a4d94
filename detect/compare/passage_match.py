"""Compare a claim with the sentences of a context: words covered, values compared, negation.

An index from word to sentences makes a long context cost what its matching words cost. The subject's words may stand up
to two sentences earlier, where a pronoun replaces them here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.embedder import greatest
from claimgraph.detect.text.words import affirmed, content, names, negated, stem, tokens
from claimgraph.kgstore.model import Claim, Passage, Span
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison, Parsed

BACK = 2
"""Number of sentences before one in which its subject may be named."""
_NEAR = 4
"""Most words between a negation and the negated word."""


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """The comparison of a claim with one passage.

    `coverage` in [0, 1] is the share of the claim's content words found, names and numbers counting twice. `whole`: no
    name and no value of the claim is missing. `conflict`: a value of the passage that contradicts one of the claim, as
    (claim's words, passage's words), or None. `denied`: negated on one side only.
    """

    passage: int
    coverage: float
    whole: bool
    conflict: tuple[str, str] | None
    denied: bool


class PassageIndex:
    """Passages prepared for many claims."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._values: dict[int, tuple[tuple[Span, Parsed], ...]] = {}
        self._found: dict[tuple[str, int], NDArray[np.intp]] = {}
        self._words = [frozenset(content(p.text)) for p in passages]
        self._here: dict[str, list[int]] = defaultdict(list)
        for row, found in enumerate(self._words):
            for word in found:
                self._here[word].append(row)

    def read(self, claim: Claim, limit: int) -> list[PassageMatch]:
        """Return the `limit` passages that cover most of the claim, best first, ties to the earlier passage."""
        coverage = self.coverage(claim)
        found = greatest(coverage, limit)
        return [self._reading(claim, row, float(coverage[row])) for row in found if coverage[row] > 0]

    def at(self, claim: Claim, rows: Sequence[int]) -> list[PassageMatch]:
        """Return those of the passages of these numbers that share words with the claim, best first, ties to the
        earlier passage.
        """
        coverage = self.coverage(claim)
        found = sorted((row for row in rows if coverage[row] > 0), key=lambda row: (-coverage[row], row))
        return [self._reading(claim, row, float(coverage[row])) for row in found]

    def coverage(self, claim: Claim) -> NDArray[np.float64]:
        """Return the share of the claim's words found in each passage."""
        subject, rest = content(claim.subject), content(affirmed(f"{claim.predicate} {claim.object}"))
        heavy = {*names(claim.subject), *names(claim.object)}
        found, total = np.zeros(len(self._passages)), 0.0
        for word in dict.fromkeys([*rest, *subject]):
            weight = 2.0 if word in heavy or word[0].isdigit() else 1.0
            total += weight
            found[self._rows(word, 0 if word in rest else BACK)] += weight
        return found / total if total else found

    def _rows(self, word: str, back: int) -> NDArray[np.intp]:
        """Return the passages that contain the word, or follow one in the same document within `back` passages."""
        if (word, back) not in self._found:
            rows = set(self._here.get(word, ()))
            for row in tuple(rows):
                for later in range(row + 1, min(row + 1 + back, len(self._passages))):
                    if self._passages[later].document == self._passages[row].document is not None:
                        rows.add(later)
            self._found[word, back] = np.array(sorted(rows), np.intp)
        return self._found[word, back]

    def _spoken_of(self, word: str, row: int) -> bool:
        """Return whether the passage has the word, or follows one in the same document that has it."""
        document = self._passages[row].document
        before = range(max(0, row - BACK), row) if document is not None else ()
        near = (at for at in before if self._passages[at].document == document)
        return word in self._words[row] or any(word in self._words[at] for at in near)

    def _reading(self, claim: Claim, row: int, coverage: float) -> PassageMatch:
        text = self._passages[row].text
        missing = {w for w in content(f"{claim.predicate} {claim.object}") if w not in self._words[row]}
        missing |= {w for w in names(claim.subject) if not self._spoken_of(w, row)}
        if text.rstrip(" .\"'”’)").endswith("?"):  # a question states nothing
            return PassageMatch(row, coverage, False, None, False)
        conflict, unmatched = self._compare_values(claim, row)
        named = {*names(claim.object), *names(claim.subject)} & missing
        return PassageMatch(row, coverage, not named and not unmatched, conflict, _denied(claim, text))

    def _compare_values(self, claim: Claim, row: int) -> tuple[tuple[str, str] | None, bool]:
        """Return the first contradicted value, and whether a value of the claim has no equal in the passage."""
        ours, text = f"{claim.predicate} {claim.object}", self._passages[row].text
        if row not in self._values:
            self._values[row] = literals.literals_in(text)
        conflict, unmatched = None, False
        for span, value in literals.literals_in(ours):
            found = [(s, literals.compare(value, theirs)) for s, theirs in self._values[row]]
            if any(c in (Comparison.EQUAL, Comparison.COMPATIBLE) for _, c in found):
                continue
            unmatched = True
            counted = _counted(ours, span)
            other = [s for s, c in found if c is Comparison.DIFFERENT and _counted(text, s) == counted]
            if other and conflict is None:
                conflict = ours[span.start : span.end], text[other[0].start : other[0].end]
        return conflict, unmatched


def _counted(text: str, span: Span) -> str:
    """Return the stem of the word after a value: what a bare number counts."""
    following = next(tokens(text[span.end : span.end + 40]), None)
    return stem(following[0]) if following else ""


def _denied(claim: Claim, text: str) -> bool:
    """Return whether exactly one of the claim's predicate and its words in the passage is negated."""
    anchors = set(content(affirmed(claim.predicate))) or set(content(claim.object))
    words = list(tokens(text))
    at = next((i for i, word in enumerate(words) if stem(word[0]) in anchors), None)
    if at is None:
        return False
    before = text[words[max(0, at - _NEAR)].start() : words[at].start()]
    return negated(before) != negated(claim.predicate)
