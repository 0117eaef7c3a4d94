"""Measure how far a perturbed graph is from the original: ATS, SC2D and SD2.

Raman et al. 2021 ("Learning to deceive knowledge graph augmented models via targeted perturbation", section 3), taken
over by OKGQA-P. All three are 1 for the unchanged graph and fall with the deviation.

- ATS(G, G') = 1 / |T'| * sum over (s, r, o) in T' of s_G(s, r, o). There s_G is a link predictor trained on G; here it
  is the cosine, at least 0, of the fact's text with that of its original, which needs no training and is 1 for an
  unchanged fact. Unknown (nan) for a graph without facts; the published code says 0.
- SC2D(G, G') = 1 - |c - c'| / (|c - c'| + 1), where c is the vector of the nodes' local clustering coefficients,
  each the mean over all relations of G of that in the undirected graph of the relation's facts alone.
- SD2 is the same with degrees (in and out). Both count a repeated fact once, as a graph without parallel edges
  does, and a relation that G' has lost as 0: the published code takes the mean over the relations left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Embedder
from claimgraph.retrieval.perturbation.perturb import Perturbed
from claimgraph.retrieval.subgraph.ppr import spans

SAMPLE = 500
"""Changed facts that are embedded; the mean's standard error is then below 0.5 / sqrt(500) = 0.022."""


@dataclass(frozen=True, slots=True)
class Distances:
    """ATS, SC2D and SD2, each in [0, 1]; `ats` is nan for a graph without facts, or without an embedder."""

    ats: float
    sc2d: float
    sd2: float


def distances(
    original: GraphArrays, perturbed: Perturbed, embedder: Embedder | None, seed: int = 0, sample: int = SAMPLE
) -> Distances:
    """Return the distances of the perturbed graph from its original; `ats` is nan without an embedder."""
    similar = float("nan") if embedder is None else ats(original, perturbed, embedder, seed, sample)
    return Distances(similar, sc2d(original, perturbed.graph), sd2(original, perturbed.graph))


def ats(original: GraphArrays, perturbed: Perturbed, embedder: Embedder, seed: int = 0, sample: int = SAMPLE) -> float:
    """Return the mean similarity of facts with their originals; a random `sample` stands for more changed ones."""
    facts, changed = len(perturbed.graph.facts), np.flatnonzero(perturbed.changed)
    if not facts:
        return float("nan")
    if not len(changed):
        return 1.0
    drawn = np.sort(np.random.default_rng(seed).choice(changed, min(sample, len(changed)), replace=False))
    now = embedder.embed([perturbed.graph.text(i) for i in drawn.tolist()])
    was = embedder.embed([original.text(i) for i in perturbed.origin[drawn].tolist()])
    similarity = float(np.maximum((now * was).sum(axis=1), 0).mean())
    return 1 - len(changed) / facts * (1 - min(similarity, 1.0))


def sc2d(original: GraphArrays, changed: GraphArrays) -> float:
    """Return similarity of the clustering coefficients."""
    return _similarity(original, _known_clustering(original), clustering(changed))


def sd2(original: GraphArrays, changed: GraphArrays) -> float:
    """Return similarity of the degrees."""
    return _similarity(original, degrees(original), degrees(changed))


@lru_cache(maxsize=1)
def _known_clustering(graph: GraphArrays) -> NDArray[np.float64]:
    """Return `clustering` of the original, which one perturbation after the other is compared with."""
    return clustering(graph)


def degrees(graph: GraphArrays) -> NDArray[np.float64]:
    """Return the sum over relations of a node's degree in each, shape (n,): a loop counts twice, a repeated
    fact once.
    """
    subject, _, object = _distinct(graph)
    size = len(graph.nodes)
    return (np.bincount(subject, minlength=size) + np.bincount(object, minlength=size)).astype(np.float64)


def clustering(graph: GraphArrays) -> NDArray[np.float64]:
    """Return the sum over relations of a node's clustering coefficient in each, shape (n,).

    Nodes are split by relation, so that all relations form one graph; its edges point from the smaller degree to the
    larger, and each triangle is found once, from its first edge (Schank and Wagner 2005).
    """
    subject, predicate, object = _distinct(graph)
    apart, size = subject != object, len(graph.nodes)
    ends = np.stack([predicate[apart] * size + subject[apart], predicate[apart] * size + object[apart]])
    places, ends = np.unique(ends, return_inverse=True)
    ends = np.sort(ends.reshape(2, -1), axis=0)
    one, other = np.divmod(np.unique(ends[0] * len(places) + ends[1]), max(len(places), 1))
    degree = np.bincount(np.concatenate([one, other]), minlength=len(places))
    corners = np.bincount(_triangles(one, other, degree).ravel(), minlength=len(places))
    pairs = degree * (degree - 1) / 2
    coefficient = np.divide(corners, pairs, where=pairs > 0, out=np.zeros(len(places)))
    return np.bincount(places % max(size, 1), coefficient, minlength=size).astype(np.float64)


def _triangles(one: NDArray[np.int64], other: NDArray[np.int64], degree: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the triangles of a simple graph, given by its edges, as three corners each; shape (3, t)."""
    size = len(degree)
    rank = np.empty(size, np.int64)
    rank[np.argsort(degree, kind="stable")] = np.arange(size)
    low, high = np.where(rank[one] < rank[other], (one, other), (other, one))
    order = np.lexsort((high, low))
    low, high = low[order], high[order]
    start = np.concatenate([[0], np.cumsum(np.bincount(low, minlength=size))])
    out = np.diff(start)
    edge = np.repeat(np.arange(len(low)), out[low])
    third = high[spans(start[low], out[low])]
    keys, wanted = low * size + high, high[edge] * size + third
    at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    closed = keys[at] == wanted if len(keys) else np.zeros(0, np.bool_)
    return np.stack([low[edge][closed], high[edge][closed], third[closed]])


def _distinct(graph: GraphArrays) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Subjects, predicates and objects of the facts, each triple once."""
    size = max(len(graph.nodes), 1)
    pairs, object = np.divmod(
        np.unique((graph.predicate.astype(np.int64) * size + graph.subject) * size + graph.object), size
    )
    predicate, subject = np.divmod(pairs, size)
    return subject, predicate, object


def _similarity(original: GraphArrays, one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return 1 - d / (d + 1), d the Euclidean distance of means over the relations that the original's facts use."""
    distance = float(np.linalg.norm(one - other)) / max(len(np.unique(original.predicate)), 1)
    return 1 - distance / (distance + 1)
