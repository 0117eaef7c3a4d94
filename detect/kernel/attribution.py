"""Attribute a kernel distance to claims: divide KEA's one figure for a whole graph among its triples.

With phi and phi' the feature counts of claim KG and evidence KG, K = k(G, G), K' = k(G', G') and M = k(G, G'), the
distance is 1 - M / sqrt(K K'). K and M are sums over the nodes v of G and the iterations i: v adds phi(l_i(v)) to K and
phi'(l_i(v)) to M. A node's part goes in equal parts to the triples it stands in, so triple t gets

    share_t = K_t / K - M_t / sqrt(K K')        and the shares sum to the distance exactly.

Leaving one triple out and comparing again was rejected: those differences do not sum to the distance, and cost a kernel
a triple.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.kernel.wl import Encoding, LabelledEdge, encode, owners, refinements


@dataclass(frozen=True, slots=True)
class Attribution:
    """`share[i]` of claim i, summing to `distance` in [0, 1]; `weight[i]`, summing to 1, is its part of the claim KG.

    A share may be slightly negative: where the evidence has a feature more often than the claims.
    """

    distance: float
    share: NDArray[np.float64]
    weight: NDArray[np.float64]

    @property
    def own(self) -> NDArray[np.float64]:
        """Each claim's own distance share/weight, at most 1; the distance is their mean by weight."""
        return self.share / self.weight

    @property
    def scores(self) -> NDArray[np.float64]:
        """Scores in [0, 1]: the claim of greatest own distance gets the distance of the whole, so that the maximum over
        claims is the document's score, and the others less in proportion to their own.
        """
        own = np.clip(self.own, 0, None)
        worst = own.max(initial=0.0)
        return np.clip(self.distance * own / worst, 0, 1) if worst > 0 else own


def attribute(ours: Sequence[LabelledEdge], theirs: Sequence[LabelledEdge], encoding: Encoding, h: int) -> Attribution:
    """Divide the distance of two KGs among `ours`; claims with equal labels share one triple's part equally.

    Without evidence the distance is 1 and each share its weight.
    """
    distinct, others = list(dict.fromkeys(ours)), list(dict.fromkeys(theirs))
    graph, other = encode(distinct, encoding), encode(others, encoding)
    own, matched, norm = [0] * len(graph.labels), [0] * len(graph.labels), 0
    for (labels, other_labels), iterations in refinements([graph, other], h):
        count, other_count = Counter(labels), Counter(other_labels)
        for node, label in enumerate(labels):
            own[node] += iterations * count[label]
            matched[node] += iterations * other_count.get(label, 0)
        norm += iterations * sum(n * n for n in other_count.values())
    standing, total = owners(distinct, encoding), sum(own)
    weight = _spread(own, standing, len(distinct)) / total
    found = _spread(matched, standing, len(distinct)) / sqrt(total * norm or 1)
    times = Counter(ours)
    column = {triple: row for row, triple in enumerate(distinct)}
    rows, parts = [column[triple] for triple in ours], np.array([times[triple] for triple in ours])
    share = (weight - found)[rows] / parts
    return Attribution(float(np.clip(share.sum(), 0, 1)), share, weight[rows] / parts)


def mean(parts: Sequence[Attribution]) -> Attribution:
    """Return the mean of several attributions over the same claims; its shares sum to the mean distance."""
    share, weight = (np.mean(rows, axis=0) for rows in ([p.share for p in parts], [p.weight for p in parts]))
    return Attribution(float(np.mean([p.distance for p in parts])), share, weight)


def _spread(nodes: Sequence[int], owners: Sequence[Sequence[int]], size: int) -> NDArray[np.float64]:
    """Return the sum of its nodes' parts for each triple."""
    found = [0.0] * size
    for part, triples in zip(nodes, owners, strict=True):
        for triple in triples:
            found[triple] += part / len(triples)
    return np.array(found)
