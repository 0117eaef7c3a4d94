"""Turn facts of graphs that no store holds into claims and model objects: the gold facts beside a perturbed graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from claimgraph.detect.check_input import Case
from claimgraph.evaluation.answers.qa import GoldQuestion
from claimgraph.evaluation.data.questions import Question, node_of
from claimgraph.kgstore.arrays.graph import GraphArrays, Numbers
from claimgraph.kgstore.identity import claim_id
from claimgraph.kgstore.model import Claim, Entity, Fact, Link, Span, Subgraph

AROUND = 100
"""Most facts that a gold fact is checked against: those between its ends, then those around them."""


def gold_facts(questions: Sequence[Question], world: GraphArrays, graphs: Sequence[str]) -> list[int]:
    """Return the facts of the graph that answer the questions, by number: from its entity to an answer in the gold
    relation.
    """
    found: set[int] = set()
    for question in questions:
        entities, answers = (
            frozenset(world.nodes[node] for key in keys if (node := node_of(key, world, graphs)) is not None)
            for keys in (question.entities, question.answers)
        )
        gold = GoldQuestion(question, entities, answers)
        for fact in (fact for key in entities for fact in _touching(world, world.node(key))):
            subject, object = world.nodes[world.subject[fact]], world.nodes[world.object[fact]]
            if answers & {subject, object} and gold.holds(subject, world.predicates[world.predicate[fact]], object):
                found.add(int(fact))
    return sorted(found)


def case_of(world: GraphArrays, graph: GraphArrays, fact: int) -> Case:
    """Return the fact of the original graph as a claim, with the other graph's facts (of the same nodes) around its
    ends.
    """
    ends = {"subject": int(world.subject[fact]), "object": int(world.object[fact])}
    subject, object = (world.names[end] for end in ends.values())
    text, relation = world.text(fact), world.relations[world.predicate[fact]]
    key = claim_id("", 0, len(text), subject, relation, object)
    claim = Claim(key, "", subject, relation, object, text, Span(0, len(text)))
    links = tuple(Link(key, role, world.names[end], _entity(world, end), 1.0, 1.0) for role, end in ends.items())
    near = np.unique(np.concatenate([_touching(graph, end) for end in ends.values()]))
    both = np.isin(graph.subject[near], [*ends.values()]) & np.isin(graph.object[near], [*ends.values()])
    return Case(
        (claim,), nouns_of(graph, near[np.argsort(~both, kind="stable")][:AROUND]), (), closed=False, links=links
    )


def _touching(graph: GraphArrays, node: int | None) -> Numbers:
    if node is None:
        return np.zeros(0, np.int32)
    return graph.adjacency.fact[graph.adjacency.start[node] : graph.adjacency.start[node + 1]]


def nouns_of(graph: GraphArrays, facts: Numbers) -> Subgraph:
    """Return the facts as model objects, without querying the store, which does not hold them."""
    found = tuple(
        Fact(
            graph.facts[at],
            "",
            graph.nodes[graph.subject[at]],
            graph.predicates[graph.predicate[at]],
            graph.relations[graph.predicate[at]],
            graph.nodes[graph.object[at]],
        )
        for at in facts.tolist()
    )
    ends = np.unique(np.concatenate([graph.subject[facts], graph.object[facts]]))
    return Subgraph({graph.nodes[end]: _entity(graph, end) for end in ends.tolist()}, found)


def _entity(graph: GraphArrays, node: int) -> Entity:
    return Entity(graph.nodes[node], graph.names[node])
