"""Tell what an answer rests on: the entity and relation that lead to it, how surely the question names that entity, and
what else the question names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimgraph.answering.retrieval_result import RetrievalResult
from claimgraph.kgstore.model import Fact, Subgraph
from claimgraph.retrieval.answers.answers import NodeAnswer

Place = tuple[str, str, bool, int]
NAMED = 0.3
"""Least score of an entity that counts as named by the question."""


def place_of(answer: NodeAnswer, known: Mapping[int, Fact], steps: int) -> Place | None:
    """Return the entity that is asked about, the relation, its direction, and the number of facts that lead to the
    answer.
    """
    fact = known.get(answer.facts[steps]) if len(answer.facts) > steps else None
    if fact is None:
        return None
    forward = fact.object == answer.id
    return fact.subject if forward else fact.object, fact.predicate, forward, len(answer.facts)


def equally_right(first: Place, place: Place | None, steps: int) -> bool:
    """Return whether two answers are equally right: by one relation of one entity, or of all that a first step gave."""
    return place is not None and place[steps:] == first[steps:]


def link_score(answer: NodeAnswer, known: Mapping[int, Fact], found: RetrievalResult) -> float:
    """Return how surely the question names the entity that the answer is about."""
    place = place_of(answer, known, 0)
    named = [one.score for one in found.linked if place and one.entity.id == place[0]]
    return max(named, default=1.0 if place and len(answer.facts) > 1 else 0.0)


def conditions(answer: NodeAnswer, known: Mapping[int, Fact], found: RetrievalResult) -> frozenset[str]:
    """Return the other things that the question names, away from the words that name the answer's entity: conditions
    that an answer must meet.
    """
    place = place_of(answer, known, 0)
    span = next((one.span for one in found.linked if place and one.entity.id == place[0]), None)
    if span is None or found.step:
        return frozenset()
    least = min(NAMED, link_score(answer, known, found) / 2)
    apart = (
        one
        for one in found.linked
        if one.score >= least and one.span and (one.span.end <= span.start or span.end <= one.span.start)
    )
    return frozenset(one.entity.id for one in apart if one.entity.id != answer.id)


def joined(node: str, facts: Subgraph) -> frozenset[str]:
    """Return the nodes that facts join to a node, and itself."""
    ends = [(fact.subject, fact.object) for fact in facts.facts if node in (fact.subject, fact.object)]
    return frozenset((node, *(end for pair in ends for end in pair)))


def number_of(
    alike: Sequence[NodeAnswer], over: Sequence[NodeAnswer], found: RetrievalResult, known: Mapping[int, Fact]
) -> int | None:
    """Return how many answers the graph has, also those that were not retrieved, without those that no longer hold;
    None where it was not read whole.
    """
    steps = 1 if found.step else 0
    places = {place_of(one, known, steps) for one in alike}
    numbers = [found.counts.get(place[:3]) for place in places if place]
    if not numbers or None in numbers:
        return None
    return sum(filter(None, numbers)) - sum(place_of(one, known, steps) in places for one in over)
