"""Collect a graph's evidence for and against one fact, in words and with the supporting facts, for verdicts to cite.

The score is GraphEvidence's; each reason has a measure of its own. Shares of the logistic's sum were rejected as
reasons: its features overlap, so single shares mean little, while a path or a rule can be checked by the reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from claimgraph.detect.methods.graph_evidence.adjacency import Ints
from claimgraph.detect.methods.graph_evidence.judge import GraphEvidence
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Stance

FEW = 0.3
"""Share of sources with a second target below which another target is evidence against a fact."""

_PATHS = 3
_RULES = 2
_VALUES = 3
_UNLIKE = 0.01
"""Share of a relation's known ends that fit no better, below which an end is called unlike them."""


@dataclass(frozen=True, slots=True)
class GraphReason:
    """A reason: its `text`, its stance on the fact, its own `score` in [0, 1], and the numbers of its facts."""

    text: str
    stance: Stance
    score: float
    facts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FactEvidence:
    """The evidence for and against a fact.

    `score` in [0, 1] is the probability that the fact is true, with equal priors; None where the graph does not know an
    end or does not use the predicate. `stated`: the graph holds the fact. `reasons`: the fact itself, other values,
    paths by reliability, rules by confidence, types.
    """

    score: float | None
    stated: bool
    reasons: tuple[GraphReason, ...]


UNKNOWN = FactEvidence(None, False, ())


def evidence_for(judge: GraphEvidence, subject: str, predicate: str, object: str) -> FactEvidence:
    """Return the evidence for a fact given by ids."""
    graph = judge.graph
    start, relation, end = graph.node(subject), graph.relation(predicate), graph.node(object)
    if start is None or relation is None or end is None:
        return UNKNOWN
    fact = np.array([[start, relation, end]])
    score = float(judge.probabilities(fact)[0])
    if np.isnan(score):
        return UNKNOWN
    return FactEvidence(score, bool(judge.stated(fact)[0]), reasons_of(judge, (start, relation, end)))


def reasons_of(judge: GraphEvidence, fact: tuple[int, int, int]) -> tuple[GraphReason, ...]:
    """Return the reasons for and against a fact given by numbers, in the order of FactEvidence.reasons."""
    told = _Reasons(judge, np.array([fact]))
    return (*told.itself(), *told.others(), *told.paths(), *told.rules(), *told.types())


class _Reasons:
    """The reasons for one fact, shape (1, 3)."""

    def __init__(self, judge: GraphEvidence, fact: Ints) -> None:
        self._judge, self._features, self._fact = judge, judge.features, fact
        self._subject, self._predicate, self._object = (int(part) for part in fact[0])
        self._back = self._predicate + len(judge.graph.predicates)

    def itself(self) -> Iterator[GraphReason]:
        """Yield the fact, where the graph holds it."""
        if self._judge.stated(self._fact)[0]:
            yield self._reason([self._fact[0]], Stance.SUPPORTS, 1.0)

    def others(self) -> Iterator[GraphReason]:
        """Yield other values of a relation that has few; in the other direction too, where there is one: an owner of
        several firms has room for another.
        """
        if self._judge.stated(self._fact)[0]:
            return
        steps, several = self._features.steps, self._features.schema.several
        for relation, node in ((self._predicate, self._subject), (self._back, self._object)):
            _, step = steps.around(np.array([node]))
            step = step[steps.relation[step] == relation][:_VALUES]
            room = relation == self._back and len(step) > 1
            if len(step) and not room and several[relation] < FEW:
                facts = [self._as_fact(node, relation, int(other)) for other in steps.target[step]]
                yield self._reason(facts, Stance.REFUTES, 1 - float(several[relation]))

    def paths(self) -> Iterator[GraphReason]:
        """Yield the most reliable paths, which true facts have more often than drawn pairs."""
        connections = self._features.connections
        _, first, second, middle = connections.paths(self._predicate, self._fact[:, 0], self._fact[:, 2])
        reliability = connections.reliability(self._predicate, first, second)
        for i in np.argsort(-reliability, kind="stable")[:_PATHS]:
            if reliability[i] > 0.5:
                yield self._path(int(first[i]), int(second[i]), int(middle[i]), float(reliability[i]))

    def rules(self) -> Iterator[GraphReason]:
        """Yield the best rules that lead from the subject to the object."""
        graph = self._judge.graph
        rules = self._features.associations.rules(self._predicate, self._subject, self._object)
        itself = self._predicate * len(graph.nodes) + self._object
        for key, confidence, support in [rule for rule in rules if rule[0] != itself][:_RULES]:
            relation, node = divmod(key, len(graph.nodes))
            fact = self._as_fact(self._subject, relation, node)
            goal = f"{graph.relations[self._predicate]} {graph.names[self._object]}"
            text = f"{_text(graph, fact)}; {support} others of whom this holds have {goal}"
            yield GraphReason(text, Stance.SUPPORTS, confidence, self._cited([fact]))

    def types(self) -> Iterator[GraphReason]:
        """Yield ends that are unlike those the relation has."""
        graph, schema = self._judge.graph, self._features.schema
        ends = ((self._predicate, self._subject, "subjects"), (self._back, self._object, "objects"))
        for relation, node, role in ends:
            typical = schema.typical(relation, node)
            if typical < _UNLIKE:
                text = f"{graph.names[node]} is unlike the {role} of {graph.relations[self._predicate]}"
                yield GraphReason(text, Stance.REFUTES, 1 - typical)

    def _path(self, first: int, second: int, middle: int, score: float) -> GraphReason:
        if middle < 0:
            return self._reason([self._as_fact(self._subject, first, self._object)], Stance.SUPPORTS, score)
        facts = [self._as_fact(self._subject, first, middle), self._as_fact(middle, second, self._object)]
        return self._reason(facts, Stance.SUPPORTS, score)

    def _reason(self, facts: list[Ints], stance: Stance, score: float) -> GraphReason:
        text = "; ".join(_text(self._judge.graph, fact) for fact in facts)
        return GraphReason(text, stance, score, self._cited(facts))

    def _cited(self, facts: list[Ints]) -> tuple[int, ...]:
        return tuple(int(number) for number in self._judge.numbers(np.stack(facts)))

    def _as_fact(self, source: int, relation: int, target: int) -> Ints:
        if relation < len(self._judge.graph.predicates):
            return np.array([source, relation, target])
        return np.array([target, relation - len(self._judge.graph.predicates), source])


def _text(graph: GraphArrays, fact: Ints) -> str:
    subject, predicate, object = fact
    return f"{graph.names[subject]} {graph.relations[predicate]} {graph.names[object]}"
