"""Assign prizes to nodes and facts, and define the score S that all retrieval modes share (OKGQA, ACL 2025,
"G-Retrieval").

The k nodes and the k facts most similar to a question earn prizes, every fact taken costs, and triplets, paths and
subgraphs are three ways to a high score. A fact is compared by its text "subject relation object": by its bare
relation, as in G-Retriever, the k best would be any facts of one relation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError

Numbers = NDArray[np.integer]
Values = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class RetrievalPreset:
    """Settings of retrieval: `k` prizes for nodes and k for facts, the `cost` of a fact, and the most each mode
    returns.

    `near`: the weight of an element's PageRank beside its cosine (see relevance).
    """

    k: int = 10
    cost: float = 1.0
    near: float = 0.0
    triplets: int = 10
    paths: int = 5
    path_nodes: int = 8


PRESETS = {"okgqa": RetrievalPreset(), "near": RetrievalPreset(k=30, near=1.0, triplets=30, paths=10)}
"""`okgqa`: the constants of the published code. `near`: thrice as many prizes, which go to elements near the seeds
before those that are only similar; measured in docs/quality/questions.md.
"""


def preset(name: str) -> RetrievalPreset:
    """Return the preset of that name. Raises InputError."""
    if name not in PRESETS:
        raise InputError(f"no retrieval preset {name!r}: {', '.join(PRESETS)}")
    return PRESETS[name]


@dataclass(frozen=True, slots=True, eq=False)
class Prizes:
    """Prizes of n nodes and m facts, shapes (n,) and (m,), in 0..k, and the cost of a fact."""

    nodes: NDArray[np.float64]
    facts: NDArray[np.float64]
    cost: float

    def score(self, nodes: Numbers, facts: Numbers) -> float:
        """Return S(P) = sum of node prizes + sum of edge prizes - sum of edge costs, over distinct nodes and facts."""
        return float(self.nodes[nodes].sum() + self.facts[facts].sum() - self.cost * len(facts))

    def rewards(self, graph: GraphArrays) -> NDArray[np.float64]:
        """Return each fact's prize plus those of its end nodes, without costs, shape (m,); a loop's node counts
        once.
        """
        ends = self.nodes[graph.subject] + np.where(graph.subject != graph.object, self.nodes[graph.object], 0)
        rewards: NDArray[np.float64] = self.facts + ends
        return rewards


def relevance(
    graph: GraphArrays, scores: Values, similarity: tuple[Values, Values], near: float
) -> tuple[Values, Values]:
    """Return cosine + near * sqrt(PageRank / greatest PageRank) of nodes and facts, shapes (n,) and (m,).

    A fact takes the greater PageRank of its ends. `scores` are PageRank of the nodes, `similarity` the cosines of nodes
    and facts. The root keeps small scores apart from 0 beside a hub's.
    """
    nodes, facts = similarity
    if not near or not len(nodes):
        return nodes, facts
    close = np.sqrt(scores / scores.max())
    return nodes + near * close, facts + near * np.maximum(close[graph.subject], close[graph.object])


def prizes(similarity: Values, k: int) -> NDArray[np.float64]:
    """Return prize(x) = max(0, k - rank(x) + 1), ranks from 1, by descending similarity; equal ones by number.

    Shape and order of `similarity`; values in 0..k. Linear in the number of elements.
    """
    found = np.zeros(len(similarity))
    best = top(similarity, k)
    found[best] = k - np.arange(len(best))
    return found


def top(values: Values, k: int) -> Numbers:
    """Return numbers of the at most k greatest values, greatest first, equal ones by number."""
    if k <= 0 or not len(values):
        return np.zeros(0, np.int64)
    least = np.partition(values, -k)[-k] if k < len(values) else values.min()
    near = np.flatnonzero(values >= least)
    return near[np.argsort(-values[near], kind="stable")][:k]


def best_first(facts: Numbers, rewards: Values, similarity: Values) -> Numbers:
    """Return the facts by descending reward, equal ones by descending similarity, then by number; all of shape (m,)."""
    ordered: Numbers = facts[np.lexsort((facts, -similarity[facts], -rewards[facts]))]
    return ordered
