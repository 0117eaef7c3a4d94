"""KEA's comparison by the obvious way: every iteration refined, every distance clustered and labelled anew."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np

from claimgraph.detect.kernel.attribution import Attribution
from claimgraph.detect.kernel.wl import encode, owners
from claimgraph.detect.text.words import negated
from claimgraph.kgstore.values import literals


def cut(vectors, distance):
    """Clusters by scipy's own cut of the tree, numbered by their first member."""
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(vectors) < 2:
        return [0] * len(vectors)
    cosine = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    found = fcluster(linkage(np.clip(1 - cosine, 0, 2), "average"), distance, "distance").tolist()
    order = list(dict.fromkeys(found))
    return [order.index(number) for number in found]


def labelled(claims, selected, space, encoding, distance):
    """Each element's cluster, in our encoding its value, with denied relations turned."""
    said = [[" ".join(getattr(t, e).casefold().split()) for e in ("subject", "predicate", "object")]
            for t in (*claims, *selected)]  # fmt: skip
    names = sorted({name for each in said for name in each})
    label = dict(zip(names, cut(space.rows(names), distance), strict=True))
    if encoding == "directed":
        parsed = {name: literals.parse(name) for name in names}
        values = {name: literals.render(value) for name, value in parsed.items() if value}
        label |= {name: len(names) + sorted(set(values.values())).index(value) for name, value in values.items()}
    found = []
    for triple, (s, p, o) in zip((*claims, *selected), said, strict=True):
        turned = encoding == "directed" and negated(triple.predicate)
        found.append((label[s], -1 - label[p] if turned else label[p], label[o]))
    return found[: len(claims)], found[len(claims) :]


def iterations(graphs, h):
    """For iterations 0 to h the label of every node of every graph."""
    labels = [list(graph.labels) for graph in graphs]
    yield labels
    for _ in range(h):
        table: dict = {}
        labels = [[table.setdefault((row[v], tuple(sorted(row[n] for n in around))), len(table))
                   for v, around in enumerate(graph.neighbours)]
                  for graph, row in zip(graphs, labels, strict=True)]  # fmt: skip
        yield labels


def attribute(ours, theirs, encoding, h):
    """The formulas of detect/kernel/attribution.py, node by node and iteration by iteration."""
    distinct, others = list(dict.fromkeys(ours)), list(dict.fromkeys(theirs))
    graph, other = encode(distinct, encoding), encode(others, encoding)
    own, matched, norm = np.zeros(len(graph.labels)), np.zeros(len(graph.labels)), 0
    for labels, other_labels in iterations([graph, other], h):
        count, other_count = Counter(labels), Counter(other_labels)
        own += [count[label] for label in labels]
        matched += [other_count[label] for label in labels]
        norm += sum(n * n for n in other_count.values())
    parts = own / own.sum() - (matched / sqrt(own.sum() * norm) if norm else 0), own / own.sum()
    share, weight = (
        np.array([sum(part / len(found) for part, found in zip(nodes, owners(distinct, encoding), strict=True)
                      if distinct.index(triple) in found) / ours.count(triple) for triple in ours])
        for nodes in parts
    )  # fmt: skip
    return Attribution(float(np.clip(share.sum(), 0, 1)), share, weight)
