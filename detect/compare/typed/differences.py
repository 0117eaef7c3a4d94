"""Find how a claim's proposition differs from a sentence's: words missing, opposite, turned or of another part."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from claimgraph.detect.compare.typed.propositions import Chunk, Proposition
from claimgraph.detect.compare.typed.sentence import Value, Word
from claimgraph.detect.compare.typed.value_relation import Relation, relation
from claimgraph.detect.compare.typed.word_relation import converse, exclusive, opposed, same


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a sentence excludes (True) or states (False) a claim; `kind` names what decides, `said` and `known` are
    the differing words, "" where no words differ. `short`: both are short enough that hardly anything can be misread.
    """

    excluded: bool
    kind: str
    said: str = ""
    known: str = ""
    short: bool = False


@dataclass(slots=True)
class Difference:
    """How a claim's proposition differs from that of a sentence."""

    missing: list[Word]
    opposites: list[tuple[str, str]]
    turned: bool = False
    """A word says the same from the other side."""
    replaced: tuple[str, str] | None = None
    """Words of the claim that stand in another part, and what the same part has instead."""


def coverage(words: list[Word], values: tuple[Value, ...], option: Proposition, options: list[Proposition]) -> float:
    """Return how well a proposition covers the claim's words, and its values a little."""
    covered = sum(having(word.stem, option) for word in words)
    equal = sum(any(relation(v.parsed, k.parsed) is Relation.SUPPORTS for k in option.values) for v in values)
    missing = [word for word in words if not having(word.stem, option)]
    elsewhere = [word for word in missing if any(having(word.stem, other) for other in options)]
    near = sum(any(opposed(w.stem, o) for o in option.has) for w in missing if w not in elsewhere)
    return covered + 0.5 * (equal if len(values) > 1 else 0) + 0.05 * equal + 0.8 * near - 0.5 * len(elsewhere)


def having(stem: str, option: Proposition) -> float:
    if stem in option.has:
        return option.has[stem]
    return max((weight for other, weight in option.has.items() if same(stem, other)), default=0.0)


def difference(
    words: list[Word], best: Proposition, options: list[Proposition], background: Collection[str]
) -> Difference:
    found, ours = Difference([], []), [word.stem for word in words]
    free = [other for other in best.has if not any(same(other, stem) for stem in ours)]
    for word in words:
        if having(word.stem, best):
            continue
        against = next((other for other in free if opposed(word.stem, other)), None)
        against = None if word.noun and word.role != "O" else against
        turned = (word.verb or word.role == "O") and any(converse(word.stem, other) for other in free)
        rival = next((other for other in free if exclusive(word.stem, other)), None) if _told(word) else None
        if turned:
            found.turned = True
        elif against:
            found.opposites.append((word.text, _written(against, options)))
        elif other := _elsewhere(word, best, options, ours):
            found.replaced = found.replaced or (word.text, other)
        elif rival:
            found.replaced = found.replaced or (word.text, _written(rival, options))
        elif not word.light and (word.verb or not any(same(word.stem, other) for other in background)):
            found.missing.append(word)
    return found


def _told(word: Word) -> bool:
    """Return whether a word is what is said of something, not what tells it from others: "is red", "on Monday"."""
    return not word.verb and word.role not in ("S", "of", "") and not word.attribute


def _written(stem: str, options: list[Proposition]) -> str:
    words = (word for option in options for chunk in option.chunks for word in chunk.words)
    return next((word.text for word in words if word.stem == stem), stem)


def _elsewhere(word: Word, best: Proposition, options: list[Proposition], ours: list[str]) -> str:
    """Return what the claim's part of the sentence has in the place of words that stand in another part.

    That part must be parallel: the claim has all of its phrase and something of its own part that the other replaces.
    "" where that is not so.
    """
    for option in options:
        chunks = [chunk for chunk in option.chunks if any(same(word.stem, other.stem) for other in chunk.words)]
        if option is best or not chunks or chunks[0].kind == "V" or not _among(chunks[0].words, ours):
            continue
        partner, marks = _partner(best, options, chunks[0]), _marks(best, option, chunks[0])
        free = partner and not any(same(other.stem, stem) for other in partner.words for stem in ours)
        if partner and free and any(any(same(mark.stem, stem) for stem in ours) for mark in marks):
            return " ".join(other.text for other in partner.words)
    return ""


def _among(words: tuple[Word, ...], stems: list[str]) -> bool:
    return all(word.light or any(same(word.stem, stem) for stem in stems) for word in words)


def _marks(best: Proposition, option: Proposition, chunk: Chunk) -> list[Word]:
    """Return the words of the own part that the other part has other words for, beside that chunk and the verb."""
    kinds = {other.kind for other in option.chunks} - {chunk.kind, "V"}
    there = {word.stem for other in option.chunks for word in other.words}
    return [word for own in best.chunks if own.kind in kinds for word in own.words if word.stem not in there]


def _partner(best: Proposition, options: list[Proposition], chunk: Chunk) -> Chunk | None:
    """Return the chunk of the same kind: of the part itself, or of the one that it has its other words from."""
    if own := best.partner(chunk):
        return own
    row = options.index(best)
    return next((found for option in reversed(options[:row]) if (found := option.partner(chunk))), None)
