"""Retrieve triplets: the facts with the highest rewards, each for itself, connected or not."""

from __future__ import annotations

import numpy as np

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.subgraph.prizes import Numbers, Prizes, Values, best_first


def triplets(graph: GraphArrays, prizes: Prizes, similarity: Values, count: int) -> Numbers:
    """Return the `count` facts with the highest total reward: own prize plus its end nodes'; best first.

    Equal rewards are common, since a node with a prize gives it to all its facts: the fact more similar to the
    question, shape (m,), comes first, then the smaller number.
    """
    rewards = prizes.rewards(graph)
    if not 0 < count < len(rewards):
        return best_first(np.arange(len(rewards)), rewards, similarity)[: max(count, 0)]
    near = np.flatnonzero(rewards >= np.partition(rewards, -count)[-count])
    return best_first(near, rewards, similarity)[:count]
