"""Answer a question without a language model: rank the nodes at the far ends of the retrieved facts.

Facts and scores come from retrieval (fact_scoring.py), so every answer rests on a retrieved fact. Answers two facts
away rank below all that are one away: the neighbour of the answer must not win a simple question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.answers.fact_scoring import Scored
from claimgraph.retrieval.subgraph.retrieve import Retrieved

FAR = 0.1
"""Factor by which a second fact lowers a score."""


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """A node that may be the answer: `score` in [0, 1], and the facts (numbers) that lead to it from a named entity.

    `other` is by how much the question is nearer to another relation than to that of the first fact: see Scored.others.
    """

    id: str
    name: str
    score: float
    facts: tuple[int, ...]
    other: float = 0.0


def answers(graph: GraphArrays, retrieved: Retrieved, scored: Scored, named: Sequence[str] = ()) -> list[NodeAnswer]:
    """Return the answers in the retrieved facts, best first, ties by id; each node once, with its best facts.

    `named` are ids of entities that the question names; they are excluded.
    """
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    for fact in retrieved.facts:
        _offer(best, int(scored.answers[fact]), float(scored.scores[fact]), (fact,))
    for node, score, facts in list(_second(graph, retrieved, scored, best)):
        if node not in best:
            _offer(best, node, score, facts)
    known = set(named)
    found = [
        NodeAnswer(
            graph.nodes[node], graph.names[node], round(score, 6), facts, round(float(scored.others[facts[0]]), 6)
        )
        for node, (score, facts) in best.items()
    ]
    return sorted((one for one in found if one.id not in known), key=lambda one: (-one.score, one.id))


def counts(graph: GraphArrays, entities: Sequence[str], most: int | None) -> Mapping[tuple[str, str, bool], int]:
    """Return how many nodes each relation joins to the entities, by entity, relation and whether it leads away from it.

    An entity of `most` facts or more is left out: the graph may not hold all of them.
    """
    found: dict[tuple[str, str, bool], set[int]] = {}
    for key in entities:
        if (node := graph.node(key)) is None:
            continue
        own = slice(graph.adjacency.start[node], graph.adjacency.start[node + 1])
        facts, ends = graph.adjacency.fact[own].tolist(), graph.adjacency.neighbour[own].tolist()
        if most is not None and len(facts) >= most:
            continue
        for fact, end in zip(facts, ends, strict=True):
            place = key, graph.predicates[graph.predicate[fact]], int(graph.subject[fact]) == node
            found.setdefault(place, set()).add(end)
    return {place: len(some) for place, some in found.items()}


def _offer(best: dict[int, tuple[float, tuple[int, ...]]], node: int, score: float, facts: tuple[int, ...]) -> None:
    if node >= 0 and (node not in best or score > best[node][0]):
        best[node] = score, facts


def _second(
    graph: GraphArrays, retrieved: Retrieved, scored: Scored, best: Mapping[int, tuple[float, tuple[int, ...]]]
) -> Iterator[tuple[int, float, tuple[int, ...]]]:
    """Yield nodes that a fact without a named entity joins to an answer."""
    for fact in retrieved.facts:
        if scored.answers[fact] >= 0:
            continue
        ends = int(graph.subject[fact]), int(graph.object[fact])
        for near, far in (ends, ends[::-1]):
            if near in best and far != near:
                score, (first, *_) = best[near]
                yield far, FAR * score * max(0.0, float(retrieved.fact_similarity[fact])), (first, fact)
