"""What can be told of a statement beside its premises without a model: values, names, negations and opposites.

Nothing here decides alone. Each signal says one thing of both texts, 0 where it does not hold; a calibrated model
weighs them with what an entailment model reads (methods/fusion).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from claimgraph.detect.text.words import content, names, negated, stem, tokens
from claimgraph.kgstore.model import Span
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison, Parsed

_NEAR = 0.6
"""Share of a statement's other words that a sentence must have for its value, negation or opposite to count."""


@dataclass(frozen=True, slots=True)
class TypedSignals:
    """Signals in [0, 1] of one statement.

    `values` is the share of the statement's numbers and dates that the passage has, `conflict` whether the nearest
    sentence has another value of the same thing for one it has not; `names` the share of its names that the context
    has; `negation` whether exactly one of statement and nearest sentence is negated, `opposite` whether the nearest
    sentence has the opposite of a word. The last three of the nearest sentence hold only where it has most of the
    statement's other words.
    """

    values: float
    conflict: float
    names: float
    negation: float
    opposite: float

    def signals(self) -> Mapping[str, float]:
        """By name."""
        return {name: getattr(self, name) for name in ("values", "conflict", "names", "negation", "opposite")}


def compare(statement: str, nearest: str, passage: str, context_words: frozenset[str]) -> TypedSignals:
    """A statement beside the nearest sentence and the passage around it; `context_words` are stems of all there is."""
    here = set(content(nearest))
    ours = literals.literals_in(statement)
    theirs, around = literals.literals_in(nearest), literals.literals_in(passage)
    missing = [(span, value) for span, value in ours if not _found(value, around)]
    rivals = any(_rival(statement, item, nearest, theirs) for item in missing)
    named = [name for name in names(statement) if not name[0].isdigit()]
    known = sum(name in context_words for name in named)
    plain = [word for word in content(statement) if not word[0].isdigit()]
    near = sum(word in here for word in plain) >= _NEAR * len(plain)
    return TypedSignals(
        values=1 - len(missing) / len(ours) if ours else 1.0,
        conflict=float(rivals),
        names=known / len(named) if named else 1.0,
        negation=float(near and negated(statement) != negated(nearest)),
        opposite=float(near and _opposed(statement, nearest)),
    )


def words_of(context: str) -> frozenset[str]:
    """Stems of all words with content, as `compare` takes them."""
    return frozenset(content(context)) | frozenset(names(context))


def _found(value: Parsed, among: Sequence[tuple[Span, Parsed]]) -> bool:
    fits = (Comparison.EQUAL, Comparison.COMPATIBLE)
    return any(literals.compare(value, other) in fits for _, other in among)


def _rival(statement: str, item: tuple[Span, Parsed], sentence: str, among: Sequence[tuple[Span, Parsed]]) -> bool:
    """Whether the sentence has another value of the same thing."""
    span, value = item
    return any(
        literals.compare(value, known) is Comparison.DIFFERENT
        and _counted(statement, span) == _counted(sentence, other)
        for other, known in among
    )


def _counted(text: str, span: Span) -> str:
    """Stem of the word after a value: what a bare number counts."""
    following = next(tokens(text[span.end : span.end + 40]), None)
    return stem(following[0]) if following else ""


def _opposed(statement: str, sentence: str) -> bool:
    ours, theirs = ({match[0].lower() for match in tokens(text)} for text in (statement, sentence))
    return any(_opposites().get(word, frozenset()) & theirs for word in ours - theirs)


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    lines = (files("claimgraph.detect") / "data" / "antonyms.txt").read_text(encoding="utf-8").splitlines()
    found: dict[str, set[str]] = {}
    for first, second in (line.split() for line in lines if line and not line.startswith("#")):
        found.setdefault(first, set()).add(second)
        found.setdefault(second, set()).add(first)
    return {word: frozenset(others) for word, others in found.items()}
