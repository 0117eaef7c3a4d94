"""Find the nodes of a graph that a fact of a file is about: by id, or by name where the file has another graph's ids.

Full-text search and embeddings were rejected here: a fact names its ends by title, and a wrong end costs a judgement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from claimgraph.detect.methods.graph_evidence.adjacency import Ints, Steps
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.naming import same_name

_MOST = 4
"""Most nodes of one name that are considered, the best-connected ones."""


class NamedNodes:
    """Nodes of a graph by name. `aliases` are further names by id; a name of a node stands before an alias."""

    def __init__(self, graph: GraphArrays, aliases: Mapping[str, Sequence[str]]) -> None:
        """Names are compared without case, accents and punctuation."""
        self._steps = _steps(graph)
        self._names = _index((same_name(name), node) for node, name in enumerate(graph.names))
        self._aliases = _index(
            (same_name(alias), node) for node, key in enumerate(graph.nodes) for alias in aliases.get(key, ())
        )

    def pair(self, subject: str, object: str) -> tuple[int, int] | None:
        """Return the nodes of two names; None where one is not in the graph.

        Of several pairs the one with most facts between its ends, then the best-connected, then the first.
        """
        pairs = [(s, o) for s in self._named(subject) for o in self._named(object) if s != o]
        if not pairs:
            return None
        ends = np.array(pairs)
        row, _ = self._steps.between(ends[:, 0], ends[:, 1])
        joined = np.bincount(row, minlength=len(pairs))
        degree = self._degree[ends].min(axis=1)
        return pairs[int(np.lexsort((np.arange(len(pairs)), -degree, -joined))[0])]

    def _named(self, name: str) -> list[int]:
        for form in _forms(name):
            if found := self._names.get(form) or self._aliases.get(form):
                return sorted(found, key=lambda node: (-int(self._degree[node]), node))[:_MOST]
        return []

    @property
    def _degree(self) -> Ints:
        return np.diff(self._steps.start)


def _forms(name: str) -> Iterator[str]:
    """Yield a title, then the title without its qualifier: "Seal (musician)", "Akron, Ohio"."""
    bare = re.sub(r"(?<!\s)\s*\([^()]*\)", "", name)
    yield from dict.fromkeys(form for text in (name, bare, bare.partition(",")[0]) if (form := same_name(text)))


def _index(names: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for name, node in names:
        found.setdefault(name, []).append(node)
    return found


def _steps(graph: GraphArrays) -> Steps:
    facts = np.column_stack([graph.subject, graph.predicate, graph.object]).astype(np.int64)
    return Steps.of(facts, len(graph.nodes), len(graph.predicates))
