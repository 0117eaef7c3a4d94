"""Compute the Weisfeiler-Lehman subtree kernel (Shervashidze et al. 2011), as KEA Explain compares two KGs.

GraKeL was rejected: graphs of a few triples are compared by the thousand, and GraKeL's set-up costs more than the
kernel. tests/detect/kernel/test_wl.py compares the values with GraKeL's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Literal

Encoding = Literal["published", "paper", "directed"]
"""Encoding of triples as a graph.

`published`: entities are nodes, undirected, one edge a pair; relation labels are ignored (KEA's repository). `paper`:
relations are nodes too, one a triple, undirected (the worked example of KEA's appendix). `directed`: as `paper`, with
edges from subject to relation to object, so "A beat B" and "B beat A" differ.
"""

LabelledEdge = tuple[int, int, int]
"""Labels of subject, relation and object. Equal entity labels are one node."""


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """Node labels, and for each node the nodes it aggregates over."""

    labels: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]


def encode(triples: Sequence[LabelledEdge], encoding: Encoding) -> LabelledGraph:
    """Return the triples as a graph; entity nodes in order of first mention, then relation nodes in order of the
    triples.
    """
    entities = {label: row for row, label in enumerate(dict.fromkeys(e for s, _, o in triples for e in (s, o)))}
    labels = [*entities]
    edges: list[tuple[int, int]] = []
    for subject, relation, object in triples:
        path = [entities[subject], entities[object]]
        if encoding != "published":
            path.insert(1, len(labels))
            labels.append(relation)
        edges += pairwise(path)
    if encoding != "directed":
        edges += [(b, a) for a, b in edges]
    around: list[dict[int, None]] = [{} for _ in labels]
    for a, b in edges:
        around[a][b] = None
    return LabelledGraph(tuple(labels), tuple(tuple(nodes) for nodes in around))


def owners(triples: Sequence[LabelledEdge], encoding: Encoding) -> list[list[int]]:
    """Return for each node of `encode` the numbers of its triples: several for an entity, one for a relation."""
    standing: dict[int, dict[int, None]] = {}
    for row, (subject, _, object) in enumerate(triples):
        for entity in (subject, object):
            standing.setdefault(entity, {})[row] = None
    relations = [] if encoding == "published" else [[row] for row in range(len(triples))]
    return [*map(list, standing.values()), *relations]


LabelCounts = Counter[tuple[int, int]]
"""Counts of each (iteration, label): phi of KEA's eq. 4. Labels are comparable only within one call of `features`."""


def features(graphs: Iterable[LabelledGraph], h: int) -> list[LabelCounts]:
    """Return the feature maps of graphs that are compared with each other, after h iterations (0: the labels alone)."""
    graphs = list(graphs)
    counts: list[LabelCounts] = [Counter() for _ in graphs]
    iterations = (labels for labels, times in refinements(graphs, h) for _ in range(times))
    for iteration, labels in enumerate(iterations):
        for count, row in zip(counts, labels, strict=True):
            count.update((iteration, label) for label in row)
    return counts


def refinements(graphs: Sequence[LabelledGraph], h: int) -> Iterator[tuple[list[list[int]], int]]:
    """Yield the label of every node of every graph, equal within an iteration where alike, and the number of
    iterations.

    In order, h + 1 iterations in all. An iteration that splits no label never splits one later, so the rest are one
    item.
    """
    labels = [list(graph.labels) for graph in graphs]
    known = len({label for row in labels for label in row})
    for left in range(h, 0, -1):
        table: dict[tuple[int, tuple[int, ...]], int] = {}
        refined = [_refined(graph, row, table) for graph, row in zip(graphs, labels, strict=True)]
        if len(table) == known:
            yield labels, left + 1
            return
        yield labels, 1
        labels, known = refined, len(table)
    yield labels, 1


def _refined(graph: LabelledGraph, labels: list[int], table: dict[tuple[int, tuple[int, ...]], int]) -> list[int]:
    """Return each node's label with the multiset of its neighbours' labels, compressed to a number."""
    seen = [(labels[v], tuple(sorted(labels[n] for n in around))) for v, around in enumerate(graph.neighbours)]
    return [table.setdefault(key, len(table)) for key in seen]


def kernel(a: LabelCounts, b: LabelCounts) -> int:
    """Return k(G, G') of KEA's eq. 3: the inner product of two feature maps."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    return sum(count * large[feature] for feature, count in small.items() if feature in large)


def similarity(a: LabelCounts, b: LabelCounts) -> float:
    """Return the kernel over the root of both self-kernels, in [0, 1]; 0 if one graph is empty."""
    norm = kernel(a, a) * kernel(b, b)
    return kernel(a, b) / sqrt(norm) if norm else 0.0
