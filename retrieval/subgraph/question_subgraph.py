"""Build the part of a graph that a question is answered from: the pruned graph, and every fact of the entities it
names.

PageRank of one of an entity's thousand neighbours is a thousandth, so pruning removes the very facts that a question
about a hub asks for ("who was born in Hamburg?"). They are cheap to keep: an entity's facts are adjacent in the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.subgraph.prune import Pruned


@dataclass(frozen=True, slots=True, eq=False)
class QuestionSubgraph:
    """A pruned graph of n nodes, and `degrees` (n,): the facts of each in the whole graph; None where unknown."""

    pruned: Pruned
    degrees: NDArray[np.int64] | None


def surroundings(graph: GraphArrays, pruned: Pruned, seeds: Sequence[str]) -> QuestionSubgraph:
    """Return the pruned part of `graph` with all facts of the seeds; nodes that only these add have PageRank 0."""
    numbers = [at for at in map(graph.node, seeds) if at is not None]
    start = graph.adjacency.start
    own = [graph.adjacency.fact[start[at] : start[at + 1]] for at in numbers]
    part = graph.part(np.concatenate([_numbers(graph.facts, pruned.graph.facts), *own]))
    scores = dict(zip(pruned.graph.nodes, pruned.scores.tolist(), strict=True))
    wanted = set(seeds)
    widened = replace(
        pruned,
        graph=part,
        scores=np.array([scores.get(key, 0.0) for key in part.nodes]),
        seeds=np.array([at for at, key in enumerate(part.nodes) if key in wanted], dtype=np.int32),
    )
    places = _numbers(graph.nodes, part.nodes)
    return QuestionSubgraph(widened, start[places + 1] - start[places])


def component(graph: GraphArrays, fact: int) -> NDArray[np.int64]:
    """Return numbers of all facts that are connected with this one, ascending."""
    met, found = np.zeros(len(graph.nodes), bool), np.array([fact])
    while True:
        met[graph.subject[found]] = met[graph.object[found]] = True
        facts = np.flatnonzero(met[graph.subject] | met[graph.object])
        if len(facts) == len(found):
            return facts
        found = facts


def _numbers(ids: Sequence[str], wanted: Sequence[str]) -> NDArray[np.int64]:
    """Return the positions of the wanted ids among all ids, both ascending."""
    from bisect import bisect_left

    found, low = np.empty(len(wanted), np.int64), 0
    for at, key in enumerate(wanted):
        low = bisect_left(ids, key, low)
        found[at] = low
    return found
