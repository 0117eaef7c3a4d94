"""Score each fact by how well it answers a question about an entity that the question names.

A question names an entity and asks for a relation; the fact's text mixes both with the answer, which the question
cannot contain. So the entity's name is removed from the question, the rest is compared with the relation's name, and
the confidence of the entity link is added. The scores earn the prizes as an ElementCosines does, so triplets, paths and
subgraphs grow around facts that answer. Scoring by the fact's text alone found half as many answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Embedder, Span
from claimgraph.kgstore.naming import search_words
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.dates import Date
from claimgraph.retrieval.answers.relation_wordings import all_forms, names, wordings
from claimgraph.retrieval.linking.link import Candidate
from claimgraph.retrieval.subgraph.elements import ElementCosines

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoreWeights:
    """Weights of the sum whose logistic function is a fact's score.

    `link`: of the log-odds that the entity is meant; `relation`: of the cosine of the question's remainder with the
    relation, `unnamed` in its place where a relation has no name; `word`: where both contain words with the same
    beginning; `kind`: where the question word asks for a date or a number and the answer is one, or is none; `other`:
    the share of its cosine that a fact without a named entity keeps; `facts`: of log(1 + facts of the answer), so small
    that it decides between equals only: of a hundred actors the best known one.
    """

    link: float = 0.5
    relation: float = 8.0
    unnamed: float = 0.35
    word: float = 1.0
    kind: float = 1.0
    bias: float = -2.0
    other: float = 0.25
    facts: float = 0.001


FITTED = ScoreWeights()
"""Link and relation fitted on 200 of the SimpleQuestions whose subject has a name; docs/quality.md."""

OTHERS = 300
"""Most facts without a named entity that are compared with a question: embedding thousands takes ten times as long as
all else, and they are context, never the first answer.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Scores of m facts in [0, 1], and for each the number of the node that would be the answer.

    0 and -1 for a fact without a named entity. Of a fact between two named entities the higher score counts. `others`
    is by how much (cosine) the question is nearer to a way to ask for another relation, whether or not the entity has
    it: "who wrote it" does not ask for the director of a film without a writer.
    """

    scores: Values
    answers: NDArray[np.int32]
    others: Values

    def part(self, graph: GraphArrays, facts: NDArray[np.integer]) -> Scored:
        """Return the scores of a subset of facts (ascending), numbered as GraphArrays.part numbers it."""
        ends = np.unique(np.concatenate([graph.subject[facts], graph.object[facts]]))
        kept = self.answers[facts]
        numbers = np.where(kept < 0, -1, np.searchsorted(ends, kept)).astype(np.int32)
        return Scored(self.scores[facts], numbers, self.others[facts])


def score_facts(
    question: str,
    graph: GraphArrays,
    linked: Sequence[Candidate],
    embedder: Embedder,
    weights: ScoreWeights = FITTED,
    degrees: NDArray[np.int64] | None = None,
) -> Scored:
    """Return the scores of the facts of the linked entities; `degrees` are the facts of each node in the whole graph.

    Answers by the same relation of the same entity are equally right by the question, and have nearly equal scores.
    """
    none = np.zeros(len(graph.facts))
    found = Scored(none, np.full(len(graph.facts), -1, np.int32), none.copy())
    known = [(one, node) for one in linked if (node := graph.node(one.entity.id)) is not None]
    if not known:
        return found
    asked = dict.fromkeys(_asked(question, one.span) for one, _ in known)
    near = dict(zip(asked, _relations(graph, list(asked), embedder, weights), strict=True))
    extra = _kinds(question, graph) * weights.kind
    if degrees is not None:
        extra += weights.facts * np.log1p(degrees)
    for one, node in known:
        own = slice(graph.adjacency.start[node], graph.adjacency.start[node + 1])
        facts, ends = graph.adjacency.fact[own], graph.adjacency.neighbour[own]
        turned = (graph.subject[facts] != node).astype(np.int32)
        wanted = near[_asked(question, one.span)][graph.predicate[facts], turned]
        sums = weights.bias + weights.link * _odds(one.score) + wanted[:, 0]
        scores = 1 / (1 + np.exp(-(sums + extra[ends])))
        better = scores > found.scores[facts]
        found.scores[facts[better]] = scores[better]
        found.answers[facts[better]] = ends[better]
        found.others[facts[better]] = wanted[better, 1]
    return found


def facts_of_interest(graph: GraphArrays, scored: Scored, limit: int = OTHERS) -> NDArray[np.int64]:
    """Return numbers of the facts with a named entity and of at most `limit` others, ascending.

    Those of the others are taken that touch the likeliest answers, ties by number.
    """
    own = scored.answers >= 0
    worth = np.zeros(len(graph.nodes))
    np.maximum.at(worth, scored.answers[own], scored.scores[own])
    others = np.flatnonzero(~own)
    best = np.maximum(worth[graph.subject[others]], worth[graph.object[others]])
    return np.sort(np.concatenate([np.flatnonzero(own), others[np.argsort(-best, kind="stable")[:limit]]]))


class AskedElements:
    """An ElementCosines in which the scores of facts may replace their cosines."""

    def __init__(self, elements: ElementCosines, scored: Scored, weights: ScoreWeights = FITTED) -> None:
        self._elements, self._scored, self._weights = elements, scored, weights

    def cosines(self, question: str, graph: GraphArrays) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return cosines of nodes and facts, shapes (n,) and (m,), of the scored graph; only texts without a score are
        compared.
        """
        nodes, facts = np.zeros(len(graph.nodes), np.float32), self._scored.scores.astype(np.float32)
        others = np.flatnonzero(self._scored.answers < 0)
        near_nodes, near_facts = self._elements.cosines(question, graph.part(others))
        ends = np.unique(np.concatenate([graph.subject[others], graph.object[others]]))
        nodes[ends], facts[others] = self._weights.other * near_nodes, self._weights.other * near_facts
        own = np.flatnonzero(self._scored.answers >= 0)
        np.maximum.at(nodes, self._scored.answers[own], facts[own])
        return nodes, facts


def _asked(question: str, span: Span | None) -> str:
    """Return the question without the words that name the entity."""
    return " ".join((question[: span.start] + " " + question[span.end :]).split()) if span else question


def _relations(
    graph: GraphArrays, asked: Sequence[str], embedder: Embedder, weights: ScoreWeights
) -> NDArray[np.float64]:
    """Return what each relation adds to the sum for each question remainder, and how much nearer any known way to ask
    is, shape (len(asked), number of predicates, 2, 2): asked for from its subject, and from its object.
    """
    ways = list(product(zip(graph.predicates, graph.relations, strict=True), (False, True)))
    said = [wordings(key, name, turned=turned) for (key, name), turned in ways]
    texts = list(dict.fromkeys([*asked, *(text for some in said for text in some)]))
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    near = np.stack([vectors[one] for one in asked])
    cosines = [(near @ np.stack([vectors[one] for one in some]).T).max(axis=1) if some else None for some in said]
    unnamed = np.full(len(asked), weights.unnamed)
    table = np.stack([unnamed if one is None else one for one in cosines], axis=1).astype(np.float64)
    known = (near @ embedder.embed(all_forms()).T).max(axis=1, keepdims=True)
    stems = [set().union(*map(_stems, names(key, name, turned=turned))) for (key, name), turned in ways]
    shared = [[bool(_stems(one) & some) for some in stems] for one in asked]
    sums = weights.relation * table + weights.word * np.array(shared)
    return np.stack([sums, np.maximum(0, known - table)], axis=2).reshape(len(asked), -1, 2, 2)


_STEM = 5
"""Letters of a word's beginning: "directed" and "director" share them, which word vectors do not always show."""


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in search_words(text) if len(word) >= _STEM)


def _odds(score: float) -> float:
    sure = min(max(score, 1e-3), 1 - 1e-3)
    return float(np.log(sure / (1 - sure)))


def _kinds(question: str, graph: GraphArrays) -> Values:
    """Return 1 for nodes of the kind that the question word asks for, -1 for others, 0 where it asks for none."""
    words = question.casefold()
    if re.search(r"\bwhen\b|\b(what|which) (year|date|day)\b", words):
        return np.array([1.0 if isinstance(_value(graph, node), Date) else -1.0 for node in range(len(graph.nodes))])
    if re.search(r"\bhow (much|tall|old|long|high|deep|big|large|heavy)\b", words):
        return np.array([1.0 if _value(graph, node) is not None else -1.0 for node in range(len(graph.nodes))])
    return np.zeros(len(graph.nodes))


def _value(graph: GraphArrays, node: int) -> literals.Parsed | None:
    return literals.parse(graph.names[node]) if graph.nodes[node].startswith("l1:") else None
