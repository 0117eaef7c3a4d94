"""Write what a claim would say if a sentence were right: with the sentence's value, opposite word or name in its place.

An entailment model asked about a claim alone is led by the words that it shares with the source. Asked about the same
words with one thing changed as well, it tells which of both the source says. Denials ("did not") were tried and
rejected: this model finds a claim and its denial entailed about equally often.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from claimgraph.detect.compare.typed.sentence import Sentence, Word
from claimgraph.detect.compare.typed.value_conflicts import counts_same, held, is_article
from claimgraph.detect.compare.typed.value_relation import Relation, relation
from claimgraph.detect.compare.typed.word_relation import converse, exclusive, opposed

MOST = 3
"""Most alternatives of a claim by one sentence: the first."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A claim with `said` replaced by `known`, the words of a sentence; `kind` is value, opposite or name."""

    text: str
    kind: str
    said: str
    known: str


def alternatives(claim: Sentence, sentence: Sentence) -> list[Alternative]:
    """Return what the sentence offers in the place of the claim's words that it has not, at most `MOST`."""
    found = [*_values(claim, sentence), *_opposites(claim, sentence), *_names(claim, sentence)]
    return list(dict.fromkeys(found))[:MOST]


def _replaced(claim: Sentence, kind: str, start: int, said: str, known: str) -> Alternative:
    """Return the claim with the words `said` at a character replaced."""
    text = f"{claim.text[:start]}{known}{claim.text[start + len(said) :]}"
    return Alternative(text[:1].upper() + text[1:], kind, said, known)


def _values(claim: Sentence, sentence: Sentence) -> Iterator[Alternative]:
    for value in claim.values:
        if is_article(value) or value.bounds or held(value, sentence.values):
            continue
        for other in sentence.values:
            excludes = counts_same(value, other) and relation(value.parsed, other.parsed) is Relation.EXCLUDES
            if excludes and not is_article(other) and not held(other, claim.values):
                yield _replaced(claim, "value", claim.doc[value.at].idx, value.text, other.text)


def _opposites(claim: Sentence, sentence: Sentence) -> Iterator[Alternative]:
    """Yield the claim with a word replaced by its opposite or another of its set. Words that compare, or that say the
    same from the other side, are left: there the things compared have changed places too.
    """
    stems = {word.stem for word in sentence.words}
    for word in claim.words:
        if word.stem in stems or word.degree:
            continue
        for other in sentence.words:
            apart = opposed(word.stem, other.stem) or exclusive(word.stem, other.stem)
            if apart and not other.degree and not converse(word.stem, other.stem):
                yield _replaced(claim, "opposite", claim.doc[word.at].idx, word.text, other.text)


def _names(claim: Sentence, sentence: Sentence) -> Iterator[Alternative]:
    there = {word.stem for word in sentence.words}
    ours = {word.stem for word in claim.words}
    for name in _runs(claim):
        if any(word.stem in there for word in name):
            continue
        for other in _runs(sentence):
            if other[-1].role == name[-1].role and not any(word.stem in ours for word in other):
                yield _replaced(claim, "name", claim.doc[name[0].at].idx, _text(claim, name), _text(sentence, other))


def _runs(sentence: Sentence) -> list[list[Word]]:
    """Return the names of a sentence: words of names that stand together."""
    words = [word for word in sentence.words if word.name]
    groups = groupby(enumerate(words), key=lambda item: item[1].at - item[0])
    return [[word for _, word in group] for _, group in groups]


def _text(sentence: Sentence, words: list[Word]) -> str:
    return sentence.doc[words[0].at : words[-1].at + 1].text
