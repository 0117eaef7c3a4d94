"""Prizes and the score that all retrievals share (OKGQA, ACL 2025, "G-Retrieval").

The k nodes and the k facts most similar to a question earn prizes, every fact taken costs, and triplets, paths and
subgraphs are three ways to a high score. A fact competes with its text "subject relation object": with its bare
relation, as in G-Retriever, the k best would be any facts at all of one relation.
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
    """`k` prizes for nodes and k for facts, `cost` of a fact, and how much each retrieval returns at most.

    `near`: what an element gains in rank where a walk from the seeds ends most, beside a cosine (see relevance).
    """

    k: int = 10
    cost: float = 1.0
    near: float = 0.0
    triplets: int = 10
    paths: int = 5
    path_nodes: int = 8


PRESETS = {"okgqa": RetrievalPreset(), "near": RetrievalPreset(k=30, near=1.0, triplets=30, paths=10)}
"""`okgqa`: the constants of the published code. `near`: thrice as many prizes, which go to what is near the seeds
before what merely sounds alike; docs/quality.md says what that finds."""


def preset(name: str) -> RetrievalPreset:
    """The preset of that name. Raises InputError."""
    if name not in PRESETS:
        raise InputError(f"no retrieval preset {name!r}: {', '.join(PRESETS)}")
    return PRESETS[name]


@dataclass(frozen=True, slots=True, eq=False)
class Prizes:
    """Prizes of n nodes and m facts, shapes (n,) and (m,), in 0..k, and what a fact costs."""

    nodes: NDArray[np.float64]
    facts: NDArray[np.float64]
    cost: float

    def score(self, nodes: Numbers, facts: Numbers) -> float:
        """S(P) = sum of node prizes + sum of edge prizes - sum of edge costs, over distinct nodes and facts."""
        return float(self.nodes[nodes].sum() + self.facts[facts].sum() - self.cost * len(facts))

    def rewards(self, graph: GraphArrays) -> NDArray[np.float64]:
        """What each fact brings with its end nodes, costs not counted, shape (m,); a loop's node counts once."""
        ends = self.nodes[graph.subject] + np.where(graph.subject != graph.object, self.nodes[graph.object], 0)
        rewards: NDArray[np.float64] = self.facts + ends
        return rewards


def relevance(
    graph: GraphArrays, scores: Values, similarity: tuple[Values, Values], near: float
) -> tuple[Values, Values]:
    """What nodes and facts are ranked by: cosine + near * sqrt(PageRank / greatest PageRank), shapes (n,) and (m,).

    A fact is as near as the nearer of its ends. `scores` are PageRank of the nodes, `similarity` the cosines of nodes
    and facts. The root keeps hubs of small scores apart from nothing.
    """
    nodes, facts = similarity
    if not near or not len(nodes):
        return nodes, facts
    close = np.sqrt(scores / scores.max())
    return nodes + near * close, facts + near * np.maximum(close[graph.subject], close[graph.object])


def prizes(similarity: Values, k: int) -> NDArray[np.float64]:
    """prize(x) = max(0, k - rank(x) + 1), ranks from 1, by descending similarity; equal ones by number.

    Shape and order of `similarity`; values in 0..k. Linear in the number of elements.
    """
    found = np.zeros(len(similarity))
    best = top(similarity, k)
    found[best] = k - np.arange(len(best))
    return found


def top(values: Values, k: int) -> Numbers:
    """Numbers of the at most k greatest values, greatest first, equal ones by number."""
    if k <= 0 or not len(values):
        return np.zeros(0, np.int64)
    least = np.partition(values, -k)[-k] if k < len(values) else values.min()
    near = np.flatnonzero(values >= least)
    return near[np.argsort(-values[near], kind="stable")][:k]


def best_first(facts: Numbers, rewards: Values, similarity: Values) -> Numbers:
    """The facts by descending reward, equal ones by descending similarity, then by number; all of shape (m,)."""
    ordered: Numbers = facts[np.lexsort((facts, -similarity[facts], -rewards[facts]))]
    return ordered
