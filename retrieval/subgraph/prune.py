"""Prune a graph to the part that a question is about: the nodes of high PageRank from its entities (OKGQA, step 1).

OKGQA takes everything within two hops and keeps what PageRank scores 1e-5 or more; on DBpedia that left 2,452 of
348,715 tokens. Two hops through a country are half of a graph, so `local` reads only what a local push reaches, and
keeps at most as many nodes as a question can use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from claimgraph.kgstore.arrays.graph import GraphArrays, Numbers, adjacency
from claimgraph.retrieval.subgraph.ppr import Ranks, Reals, directed_pagerank, personalised_pagerank, spans

HOPS = 2
"""Hops of OKGQA's neighbourhood."""


@dataclass(frozen=True, slots=True)
class PruningPreset:
    """Settings of pruning: how far to look and which nodes to keep.

    `whole`: everything within two hops is walked; else what a local push reaches, at any distance.
    `directed`: only from subject to object, and only where `whole`.
    `tolerance` is that of ppr.personalised_pagerank. Nodes with a score of at least `keep` are kept, at most the `most`
    best, ties by id.
    """

    name: str
    whole: bool
    tolerance: float
    keep: float = 1e-5
    most: int | None = None
    directed: bool = False


OKGQA = PruningPreset("okgqa", whole=True, tolerance=1e-6)
OKGQA_DIRECTED = PruningPreset("okgqa-directed", whole=True, tolerance=1e-6, directed=True)
"""As published: a walk from an entity that is only ever an object ends where it began."""
LOCAL = PruningPreset("local", whole=False, tolerance=1e-4, most=300)
PRESETS = {preset.name: preset for preset in (LOCAL, OKGQA, OKGQA_DIRECTED)}


@dataclass(frozen=True, eq=False)
class Pruned:
    """The facts between kept nodes.

    `scores` are PageRank of `graph.nodes`, shape (n,); `seeds` the numbers of those seeds that are among them. `whole`
    is the graph that was pruned, None where it was not read, and `starts` the seeds' numbers there.
    """

    graph: GraphArrays
    scores: Reals
    seeds: Numbers
    whole: GraphArrays | None = None
    starts: Numbers = field(default_factory=lambda: np.zeros(0, np.int32))

    @cached_property
    def within(self) -> Numbers | None:
        """Facts within two hops of the seeds, by their numbers in `whole`; None without that."""
        return None if self.whole is None else facts_within(self.whole, self.starts, HOPS)

    @property
    def tokens_before(self) -> int | None:
        """Tokens of the text (naming.tokens) of all facts within two hops."""
        return None if self.whole is None else int(self.whole.tokens[self.within].sum())

    @property
    def tokens_after(self) -> int:
        """Tokens of the text of the kept facts."""
        return int(self.graph.tokens.sum())


def prune(graph: GraphArrays, seeds: Sequence[str], preset: PruningPreset = LOCAL) -> Pruned:
    """Return the part of the graph around the entities of those ids; unknown ids are skipped."""
    starts = np.array(sorted({at for at in map(graph.node, seeds) if at is not None}), dtype=np.int32)
    within = facts_within(graph, starts, HOPS) if preset.whole else None
    if within is not None:
        ranks = _walked(graph, within, starts, preset)
    else:
        ranks = personalised_pagerank(graph.adjacency, starts, method="push", tolerance=preset.tolerance)
    kept, scores = best(ranks, preset)
    facts = facts_between(graph, kept)
    if within is not None:
        facts = np.intersect1d(facts, within, assume_unique=True)
    part = graph.part(facts)
    ends = np.unique(np.concatenate([graph.subject[facts], graph.object[facts]]))
    return Pruned(
        part,
        scores[np.searchsorted(kept, ends)],
        np.flatnonzero(np.isin(ends, starts)).astype(np.int32),
        graph,
        starts,
    )


def best(ranks: Ranks, preset: PruningPreset) -> tuple[Numbers, Reals]:
    """Return numbers and scores of the nodes that the preset keeps, by number."""
    kept = np.flatnonzero(ranks.scores >= preset.keep)
    order = np.argsort(-ranks.scores[kept], kind="stable")[: preset.most]
    kept = np.sort(kept[order])
    return ranks.nodes[kept], ranks.scores[kept]


def facts_within(graph: GraphArrays, nodes: Numbers, hops: int) -> Numbers:
    """Return facts on paths of at most `hops` facts that begin at one of the nodes, by number."""
    found = np.zeros(len(graph.facts), dtype=np.bool_)
    reached = np.zeros(len(graph.nodes), dtype=np.bool_)
    edge = nodes
    for _ in range(hops):
        reached[edge] = True
        places = _places(graph, edge)
        found[graph.adjacency.fact[places]] = True
        fresh = np.zeros(len(graph.nodes), dtype=np.bool_)
        fresh[graph.adjacency.neighbour[places]] = True
        edge = np.flatnonzero(fresh & ~reached).astype(np.int32)
    return np.flatnonzero(found).astype(np.int32)


def facts_between(graph: GraphArrays, nodes: Numbers) -> Numbers:
    """Return the facts whose ends are both among the nodes, by number."""
    inside = np.zeros(len(graph.nodes), dtype=np.bool_)
    inside[nodes] = True
    places = _places(graph, nodes)
    return np.unique(graph.adjacency.fact[places[inside[graph.adjacency.neighbour[places]]]])


def _places(graph: GraphArrays, nodes: Numbers) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    first = graph.adjacency.start[nodes]
    return spans(first, graph.adjacency.start[nodes + 1] - first)


def _walked(graph: GraphArrays, facts: Numbers, starts: Numbers, preset: PruningPreset) -> Ranks:
    """Walk some facts only, with the nodes they touch and the seeds."""
    subject, object = graph.subject[facts], graph.object[facts]
    inside = np.zeros(len(graph.nodes), dtype=np.bool_)
    for nodes in (subject, object, starts):
        inside[nodes] = True
    numbers = np.flatnonzero(inside).astype(np.int32)
    new = (np.cumsum(inside) - 1).astype(np.int32)
    ends = new[subject], new[object], len(numbers)
    if preset.directed:
        ranks = directed_pagerank(*ends, new[starts], tolerance=preset.tolerance)
    else:
        ranks = personalised_pagerank(adjacency(*ends), new[starts], tolerance=preset.tolerance)
    return Ranks(numbers[ranks.nodes], ranks.scores, ranks.missing, ranks.edges, ranks.rounds)
