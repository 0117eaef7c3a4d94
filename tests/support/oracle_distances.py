"""SC2D and SD2 by networkx, a relation's graph at a time, as Raman et al. define them."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np

from claimgraph.kgstore.arrays.graph import GraphArrays


def similarity(original: GraphArrays, changed: GraphArrays, of: Callable[[nx.DiGraph], dict[int, float]]) -> float:
    """1 - d / (d + 1) for the mean over the original's relations of what `of` says of each relation's graph alone."""
    count = max(len(set(original.predicate.tolist())), 1)
    either = {*original.predicate.tolist(), *changed.predicate.tolist()}
    one, other = (sum((_vector(g, r, of) for r in either), np.zeros(len(g.nodes))) / count for g in (original, changed))
    distance = np.linalg.norm(one - other)
    return float(1 - distance / (distance + 1))


def clustering(graph: nx.DiGraph) -> dict[int, float]:
    """Clustering coefficients, direction and loops aside."""
    return dict(nx.clustering(graph.to_undirected()))


def degree(graph: nx.DiGraph) -> dict[int, float]:
    """In and out."""
    return dict(graph.degree())


def _vector(graph: GraphArrays, relation: int, of: Callable[[nx.DiGraph], dict[int, float]]) -> np.ndarray:
    facts = [i for i in range(len(graph.facts)) if graph.predicate[i] == relation]
    found = of(nx.DiGraph([(int(graph.subject[i]), int(graph.object[i])) for i in facts]))
    return np.array([found.get(node, 0.0) for node in range(len(graph.nodes))])
