"""Perturb a share of a graph's facts (OKGQA-P), to measure how robust answers are.

Four modes: relations swapped between pairs of facts (rs), a relation replaced by the least similar one (rr), a fact
moved to another entity outside its subject's neighbourhood (er), a fact deleted (ed). A fact is changed at most once,
so the ratio is exact; the published code draws pairs and facts with replacement and swaps equal relations. Its
replacement minimises a link predictor's score of the changed triple; ours takes the relation whose vector is farthest,
which needs no trained model and is the same for all facts of a relation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays, Numbers
from claimgraph.kgstore.errors import InputError
from claimgraph.retrieval.subgraph.ppr import spans

MODES = ("rs", "rr", "er", "ed")
"""Relation swapping, relation replacement, edge reconnection, edge deletion."""

_LITERAL = "l1:"
_DRAWS = 50
"""Rounds of drawing new ends at random before the few left are chosen from all possible ones."""


@dataclass(frozen=True, eq=False)
class Perturbed:
    """A changed graph and its relation to the original.

    `graph` has the nodes, predicates and remaining facts (with their ids) of the original; `origin` (m',) are the
    original's numbers of its facts, `changed` (m',) marks the altered ones. Facts that could not be changed (one
    relation only, a subject beside every entity) stay as they were.
    """

    graph: GraphArrays
    origin: Numbers
    changed: NDArray[np.bool_]


def perturb(
    graph: GraphArrays, mode: str, ratio: float, seed: int, relations: NDArray[np.float32] | None = None
) -> Perturbed:
    """Return the graph with floor(ratio * m) facts, chosen by the seed, changed in one of MODES; rs an even number of
    them.

    A larger ratio changes the same facts and more. `relations` are unit vectors of `graph.relations`, shape (r, d);
    only rr needs them. The same arguments give the same graph; the original is unchanged. Raises InputError for another
    mode or a ratio outside [0, 1].
    """
    if mode not in MODES:
        raise InputError(f"no mode {mode!r}: {', '.join(MODES)}")
    if not 0 <= ratio <= 1:
        raise InputError(f"a ratio lies in [0, 1], not at {ratio}")
    random = np.random.default_rng(seed)
    order = random.permutation(len(graph.facts)).astype(np.int32)
    chosen = order[: int(ratio * len(order) + 1e-9)]
    predicate, object, kept = graph.predicate.copy(), graph.object.copy(), np.arange(len(order), dtype=np.int32)
    if mode == "rs":
        _swap(predicate, chosen, random)
    elif mode == "rr":
        predicate[chosen] = _farthest(graph, relations)[predicate[chosen]]
    elif mode == "er":
        object[chosen] = _elsewhere(graph, chosen, random)
    else:
        kept = np.setdiff1d(kept, chosen)
    return Perturbed(
        replace(
            graph,
            version=f"{graph.version}~{mode}:{ratio:g}:{seed}",
            facts=[graph.facts[i] for i in kept.tolist()],
            subject=graph.subject[kept],
            predicate=predicate[kept],
            object=object[kept],
        ),
        kept,
        ((predicate != graph.predicate) | (object != graph.object))[kept],
    )


def _swap(predicate: Numbers, chosen: Numbers, random: np.random.Generator) -> None:
    """Swap relations between facts half the chosen ones apart in the order of their relations (in random order).

    So both differ wherever no relation has more than half of them; of an odd number one is left out.
    """
    chosen = chosen[: len(chosen) // 2 * 2]
    rank = random.permutation(int(predicate.max(initial=0)) + 1)
    one, other = np.split(chosen[np.argsort(rank[predicate[chosen]], kind="stable")], 2)
    predicate[one], predicate[other] = predicate[other], predicate[one]


def _farthest(graph: GraphArrays, vectors: NDArray[np.float32] | None) -> Numbers:
    """Return for each predicate the least similar other one in use, the first of equals; itself where there is none."""
    if vectors is None:
        raise InputError("relation replacement needs vectors of the relations")
    similar = np.full((len(graph.predicates),) * 2, np.inf)
    used = np.unique(graph.predicate)
    similar[:, used] = (vectors @ vectors.T)[:, used]
    own = np.arange(len(similar))
    similar[own, own] = np.inf
    nearest = similar.argmin(axis=1)
    return np.where(np.isinf(similar[own, nearest]), own, nearest).astype(np.int32)


def _elsewhere(graph: GraphArrays, chosen: Numbers, random: np.random.Generator) -> Numbers:
    """Return for each chosen fact an entity, not its subject, that its subject has no fact with in either direction."""
    entities = np.array([i for i, key in enumerate(graph.nodes) if not key.startswith(_LITERAL)], dtype=np.int64)
    subject, nodes = graph.subject[chosen].astype(np.int64), len(graph.nodes)
    degree = np.diff(graph.adjacency.start)
    beside = np.repeat(np.arange(nodes), degree) * nodes + graph.adjacency.neighbour
    near = np.unique(np.concatenate([beside, np.arange(nodes) * (nodes + 1)]))
    found, open = graph.object[chosen].astype(np.int64), np.arange(len(chosen))
    for _ in range(_DRAWS):
        drawn = random.choice(entities, len(open)) if len(open) else entities[:0]
        keys = subject[open] * nodes + drawn
        free = near[np.minimum(np.searchsorted(near, keys), len(near) - 1)] != keys
        found[open[free]] = drawn[free]
        open = open[~free]
    for place in open.tolist():
        row = spans(graph.adjacency.start[subject[[place]]], degree[subject[[place]]])
        left = np.setdiff1d(entities, [*graph.adjacency.neighbour[row].tolist(), subject[place]])
        found[place] = random.choice(left) if len(left) else found[place]
    return found.astype(np.int32)
