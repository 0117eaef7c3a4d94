"""Answer questions that compare two things by a date or a quantity: "Who is older, A or B?", "Is A longer than B?".

    question ──▶ relations that say it, least or greatest ──▶ a value of each of the things named ──▶ the one that wins

Values are compared where all of them are known with one relation and do not overlap; else the question is not answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Fact, Literal, Subgraph
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.dates import Date
from claimgraph.retrieval.linking.link import Candidate

_BORN = ("date of birth", "birth date", "inception", "founding date", "founding year", "publication date")
_SIZES = ("area", "area total", "population", "population total")


@dataclass(frozen=True, slots=True)
class Scale:
    """The relations that a comparison speaks of, in the order they are tried, and whether the greatest value wins."""

    words: re.Pattern[str]
    relations: tuple[str, ...]
    greatest: bool


def _scale(words: str, relations: tuple[str, ...], *, greatest: bool) -> Scale:
    return Scale(re.compile(rf"\b(?:{words})\b"), relations, greatest)


_DEATH = ("date of death", "death date", "dissolved, abolished or demolished date")
_PEOPLE = ("population", "population total")
_HIGH = ("height", "elevation above sea level", "elevation")
_LONG = ("length", "duration", "runtime")
SCALES = (
    _scale(r"died? (?:first|earlier|before)|dead first", _DEATH, greatest=False),
    _scale(r"died? (?:later|last|after)", _DEATH, greatest=True),
    _scale(r"(?:more|larger|bigger|greater|higher) (?:people|inhabitants|residents|population)|more populous", _PEOPLE,
           greatest=True),
    _scale(r"(?:fewer|smaller|less|lower) (?:people|inhabitants|residents|population)|less populous", _PEOPLE,
           greatest=False),
    _scale(r"older|oldest|(?:born|founded|published|released|made|built) (?:first|earlier|before)", _BORN,
           greatest=False),
    _scale(r"younger|youngest|newer|newest|(?:born|founded|published|released|made|built) (?:later|last|after)", _BORN,
           greatest=True),
    _scale(r"taller|tallest|higher|highest", _HIGH, greatest=True),
    _scale(r"longer|longest", _LONG, greatest=True),
    _scale(r"shorter|shortest", (*_LONG, *_HIGH), greatest=False),
    _scale(r"larger|largest|bigger|biggest", _SIZES, greatest=True),
    _scale(r"smaller|smallest", _SIZES, greatest=False),
)  # fmt: skip
_RIVAL = 0.5
"""A mention is ambiguous where a second candidate has more than this share of the best one's score."""
YES_NO = re.compile(r"^\s*(?:is|was|are|were|did|does|do|has|have)\b")


@dataclass(frozen=True, slots=True)
class Compared:
    """The thing that wins, the facts that were compared, in the order of the question, and what to say: its name, or
    yes or no.
    """

    winner: str
    said: str
    facts: tuple[Fact, ...]
    score: float


def scale_asked(question: str) -> Scale | None:
    """Return the scale that the words of a question name; None for a question that compares nothing known."""
    words = question.casefold()
    return next((scale for scale in SCALES if scale.words.search(words)), None)


def facts_to_compare(question: str, linked: Sequence[Candidate], graph: GraphArrays) -> tuple[str, ...]:
    """Return ids of the facts of the things a question names by the relations it compares; () where it compares none
    or names only one.
    """
    scale, things = scale_asked(question), _things(linked)
    if scale is None or len(things) < 2:
        return ()
    wanted = {at for at, name in enumerate(graph.relations) if name in scale.relations}
    nodes = {node for one in things if (node := graph.node(one.entity.id)) is not None}
    rows = zip(graph.facts, graph.subject.tolist(), graph.predicate.tolist(), strict=True)
    return tuple(fact for fact, subject, predicate in rows if subject in nodes and predicate in wanted)


def compared(question: str, linked: Sequence[Candidate], facts: Subgraph) -> Compared | None:
    """Return what the values of the first two things that a question names say; None where they do not tell."""
    scale, things = scale_asked(question), _things(linked)[:2]
    if scale is None or len(things) < 2:
        return None
    for relation in scale.relations:
        values = [list(_values(one, relation, facts)) for one in things]
        if all(len(some) == 1 for some in values):
            (first, one), (second, other) = values[0][0], values[1][0]
            higher = _above(one, other)
            if higher is None:
                continue
            wins = higher == scale.greatest
            name = things[0 if wins else 1].entity.name
            said = ("yes" if wins else "no") if YES_NO.match(question.casefold()) else name
            score = min(thing.score for thing in things)
            return Compared(things[0 if wins else 1].entity.id, said, (first, second), score)
    return None


def _things(linked: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidate of each mention, in the order of the question; () where a mention may mean two things.

    Of mentions that overlap the likelier counts: "Marie Curie" names one person, not a second one called Curie.
    """
    kept: list[Candidate] = []
    for one in sorted(linked, key=lambda one: (-one.score, one.entity.id)):
        over = [other for other in kept if _overlap(one, other)]
        if any(one.span == other.span and one.score > _RIVAL * other.score for other in over):
            return []
        if one.span and not over:
            kept.append(one)
    return sorted(kept, key=lambda one: one.span.start if one.span else 0)


def _overlap(one: Candidate, other: Candidate) -> bool:
    if one.span is None or other.span is None:
        return False
    return one.span.start < other.span.end and other.span.start < one.span.end


def _values(thing: Candidate, relation: str, facts: Subgraph) -> Iterator[tuple[Fact, literals.Parsed]]:
    """Yield the facts of a thing by a relation with their values; of several the preferred ones alone."""
    own = [fact for fact in facts.facts if fact.subject == thing.entity.id and fact.name == relation]
    for fact in [fact for fact in own if fact.rank == "preferred"] or own:
        node = facts.nodes[fact.object]
        if isinstance(node, Literal) and (value := literals.from_literal(node)):
            yield fact, value


def _above(one: literals.Parsed, other: literals.Parsed) -> bool | None:
    """Return whether the one value is greater; None where they overlap or cannot be compared."""
    if isinstance(one, Date) and isinstance(other, Date):
        a, b = one.span, other.span
        return None if a[0] <= b[1] and b[0] <= a[1] else a > b
    if isinstance(one, Date) or isinstance(other, Date) or one.unit != other.unit:
        return None
    low, high = one.span, other.span
    return None if low[0] <= high[1] and high[0] <= low[1] else low > high
