"""Retrieve the connected subgraph with the highest S, as a prize-collecting Steiner tree.

pcst_fast takes prizes of nodes only. As in G-Retriever (He et al. 2024, section 5.3), a fact whose prize is at most its
cost becomes a cheaper edge, and one whose prize exceeds it becomes a node that holds the difference, joined to both
ends at no cost. A maximum of S over connected subgraphs, cycles and parallel facts included, is then exactly a minimum
of edge costs plus prizes left out. An exact solver was rejected: the problem is NP-hard.
"""

from __future__ import annotations

import numpy as np

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.subgraph.prizes import Numbers, Prizes


def subgraph(graph: GraphArrays, prizes: Prizes) -> tuple[Numbers, Numbers]:
    """Return nodes and facts, ascending, of a connected subgraph with high S; one node and no facts where that is best.

    Goemans-Williamson with strong pruning: cost of its facts plus prizes left out is at most twice the least possible
    (Hegde, Indyk and Schmidt 2015). Both are empty for an empty graph. Deterministic.
    """
    if not len(graph.nodes):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    from pcst_fast import pcst_fast

    rich, plain = np.flatnonzero(prizes.facts > prizes.cost), _plain(graph, prizes)
    virtual = len(graph.nodes) + np.arange(len(rich))
    edges = np.concatenate(
        [_ends(graph, plain), _pairs(graph.subject[rich], virtual), _pairs(virtual, graph.object[rich])]
    )
    worth = np.concatenate([prizes.nodes, prizes.facts[rich] - prizes.cost])
    costs = np.concatenate([prizes.cost - prizes.facts[plain], np.zeros(2 * len(rich))])
    kept_nodes, kept_edges = pcst_fast(edges, worth, costs, -1, 1, "strong", 0)
    kept = kept_nodes[kept_nodes >= len(graph.nodes)] - len(graph.nodes)
    facts = np.union1d(plain[kept_edges[kept_edges < len(plain)]], rich[kept])
    nodes = kept_nodes[kept_nodes < len(graph.nodes)]
    return np.unique(np.concatenate([nodes, graph.subject[facts], graph.object[facts]])), facts


def _plain(graph: GraphArrays, prizes: Prizes) -> Numbers:
    """Return facts that can only be edges of a tree: of parallel ones the cheapest, the first among equals, and no
    loops.
    """
    facts = np.flatnonzero((prizes.facts <= prizes.cost) & (graph.subject != graph.object))
    ends = np.sort(_ends(graph, facts), axis=1)
    key = ends[:, 0] * len(graph.nodes) + ends[:, 1]
    order = np.lexsort((facts, -prizes.facts[facts], key))
    _, first = np.unique(key[order], return_index=True)
    return np.sort(facts[order[first]])


def _ends(graph: GraphArrays, facts: Numbers) -> Numbers:
    return _pairs(graph.subject[facts], graph.object[facts])


def _pairs(left: Numbers, right: Numbers) -> Numbers:
    return np.stack([left, right], axis=1).astype(np.int64)
