"""Judge facts in another vocabulary than the graph's: align their relations, then score them by the graph.

A relation is aligned by its name's embedding and by the ends asked about: how much oftener it joins the pairs asked
about under the predicate than pairs asked about under others. Names alone were rejected: "film film" is starring,
inverted, and only the pairs show direction. Labels are not used.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from claimgraph.detect.methods.graph_evidence.adjacency import Floats, Ints, Steps
from claimgraph.detect.methods.graph_evidence.judge import GraphEvidence, with_statements
from claimgraph.detect.methods.graph_evidence.schema import Schema
from claimgraph.detect.models.embedder import Space
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Embedder

ALIGNED = 0.75
"""Least alignment of a relation that counts as the predicate."""

_JOINING = 0.5
"""Weight of a unit of log-lift in joining, added to the cosine of the names."""


def alignment(
    predicates: Sequence[str], pairs: Ints, graph: GraphArrays, steps: Steps, embedder: Embedder
) -> dict[str, Floats]:
    """Return how well each step relation (p, or its inverse p + R) matches each distinct predicate, in words.

    `pairs` (k, 2) are subject and object beside `predicates`. Cosine of the names plus _JOINING times ln((joined + 1) /
    (expected + 1)), joined being the predicate's pairs that the relation joins, expected what the other predicates'
    pairs would give; shape (2R,) each. A relation that joins none of the pairs takes the direction that its ends fit
    better.
    """
    names = np.array(predicates)
    row, step = steps.between(pairs[:, 0], pairs[:, 1])
    relation, size = steps.relation[step], 2 * steps.predicates
    schema, vectors = Schema(steps), Space(embedder, [*graph.relations, *predicates])
    words = vectors.rows(list(graph.relations))
    found = {}
    for predicate in dict.fromkeys(predicates):
        ours = names == predicate
        joined = np.bincount(relation[ours[row]], minlength=size)
        expected = np.bincount(relation[~ours[row]], minlength=size) * (ours.sum() / max((~ours).sum(), 1))
        cosine = np.tile(words @ vectors.rows([predicate])[0], 2).astype(np.float64)
        found[predicate] = cosine + _JOINING * np.log((joined + 1) / (expected + 1))
        for p in np.flatnonzero((joined + np.roll(joined, steps.predicates) == 0)[: steps.predicates]):
            found[predicate][_other_way(int(p), pairs[ours], schema, steps)] = -1.0
    return found


def _other_way(predicate: int, pairs: Ints, schema: Schema, steps: Steps) -> int:
    """Return the direction whose domain and range fit the pairs worse."""
    back = predicate + steps.predicates
    ways = ((predicate, back), (back, predicate))
    fits = [np.median(schema.fit(a, pairs[:, 0]) + schema.fit(b, pairs[:, 1])) for a, b in ways]
    return back if fits[0] >= fits[1] else predicate


def log_odds(
    predicates: Sequence[str], pairs: Ints, graph: GraphArrays, embedder: Embedder, seed: int = 0
) -> tuple[Floats, Floats]:
    """Return log-odds that each fact is true, and how far it is stated (0 for not at all, 1 for by the same relation).

    Judged by the best aligned relation with all asked facts left out, as GraphEvidence does, plus what the graph
    states: the fact itself, or else other values where there is room for few. nan where no relation is aligned.
    """
    columns = (np.asarray(column, np.int64) for column in (graph.subject, graph.predicate, graph.object))
    steps = Steps.of(np.column_stack(list(columns)), len(graph.nodes), len(graph.predicates))
    aligned = alignment(predicates, pairs, graph, steps, embedder)
    best = np.array([aligned[predicate].argmax() for predicate in predicates])
    weight = np.array([aligned[predicate].max() for predicate in predicates])
    facts = as_facts(pairs, best, steps.predicates)
    judge = GraphEvidence(graph, facts, seed)
    schema = Schema(steps)
    back = steps.back(best)
    room = schema.room(best, pairs[:, 0], pairs[:, 1]) + schema.room(back, pairs[:, 1], pairs[:, 0])
    stated = _stated(predicates, pairs, steps, aligned)
    odds = with_statements(judge.log_odds(facts), stated, room)
    return np.where((weight < ALIGNED) & (stated == 0), np.nan, odds), stated


def as_facts(pairs: Ints, relation: Ints, predicates: int) -> Ints:
    """Return facts, shape (k, 3), of pairs joined by step relations: the ends of an inverse one are swapped."""
    turned = relation >= predicates
    subject, object = np.where(turned, pairs[:, 1], pairs[:, 0]), np.where(turned, pairs[:, 0], pairs[:, 1])
    return np.column_stack([subject, relation % predicates, object])


def _stated(predicates: Sequence[str], pairs: Ints, steps: Steps, aligned: dict[str, Floats]) -> Floats:
    """Return the alignment of the best aligned relation that joins each pair, scaled to [0, 1]: 0 below ALIGNED, 1 from
    1 on.
    """
    row, step = steps.between(pairs[:, 0], pairs[:, 1])
    value = np.array([aligned[predicates[i]][steps.relation[j]] for i, j in zip(row, step, strict=True)])
    found = np.zeros(len(pairs))
    if len(row):
        np.maximum.at(found, row, np.where(value >= ALIGNED, np.clip(value, 0, 1), 0))
    return found
