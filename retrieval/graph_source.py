"""Read facts for retrieval from a whole graph as arrays, or from a store that is queried during the walk.

Arrays are faster and cost memory and one export a version; a store needs neither and is shared by many processes. Both
prune alike, so retrieval does not depend on which is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from claimgraph.kgstore.arrays.export import graphs_version
from claimgraph.kgstore.arrays.graph import GraphArrays, Numbers
from claimgraph.kgstore.arrays.neighbours import Ends, StoreNeighbours
from claimgraph.kgstore.model import Subgraph
from claimgraph.kgstore.reads import load_facts
from claimgraph.kgstore.store import GraphStore
from claimgraph.retrieval.subgraph.ppr import NeighbourRows, Reals, push
from claimgraph.retrieval.subgraph.prune import LOCAL, Pruned, PruningPreset, best, prune
from claimgraph.retrieval.subgraph.question_subgraph import QuestionSubgraph

NEAR = PruningPreset("near", whole=False, tolerance=1e-3, most=300)
"""For a store: a coarser push, since every fact crosses a socket."""

HUB = 200
"""Most facts fetched of one node: a larger node passes little on to each neighbour, and has thousands of facts."""

OWN = 2000
"""Most facts fetched of an entity that the question names: it may ask for any of them."""


class FactSource(Protocol):
    """The facts that questions are answered from."""

    def pruned(self, seeds: Sequence[str]) -> Pruned:
        """Return the part around the entities of those ids; unknown ids are skipped."""
        ...

    def subgraph(self, facts: Sequence[str]) -> Subgraph:
        """Return the facts of those ids as model objects, by id."""
        ...


class ArrayWorld:
    """A graph held as arrays; its model objects are read from the store."""

    def __init__(self, store: GraphStore, arrays: GraphArrays, preset: PruningPreset = LOCAL) -> None:
        self._store, self._arrays, self._preset = store, arrays, preset

    def pruned(self, seeds: Sequence[str]) -> Pruned:
        """See World."""
        return prune(self._arrays, seeds, self._preset)

    def subgraph(self, facts: Sequence[str]) -> Subgraph:
        """See World."""
        return load_facts(self._store, facts)


class StoreWorld:
    """Some graphs of a store, read one local push at a time: one query a round.

    The preset's `whole` is not supported. A push reads at most `hub` facts of a node, and none of a node whose residue
    is too small for its number of facts in the whole store; facts between two such nodes are not found.
    """

    def __init__(self, store: GraphStore, graphs: Sequence[str], preset: PruningPreset = NEAR, hub: int = HUB) -> None:
        self._store, self._graphs, self._preset, self._hub = store, graphs, preset, hub
        self._version = graphs_version(store, graphs)

    def pruned(self, seeds: Sequence[str]) -> Pruned:
        """See World. The number of facts within two hops is unknown."""
        return self._pruned(seeds, ())

    def surroundings(self, entities: Sequence[str], seeds: int) -> QuestionSubgraph:
        """Return the part around the first `seeds` entities, with up to OWN facts of every entity.

        Nodes that only these facts add have PageRank 0; degrees are unknown.
        """
        return QuestionSubgraph(self._pruned(entities[:seeds], entities), None)

    def _pruned(self, seeds: Sequence[str], own: Sequence[str]) -> Pruned:
        around = _Fetched(StoreNeighbours(self._store, self._graphs, self._version), self._hub)
        linked = around.begin(sorted({*seeds, *own}))
        ids, wanted = around.neighbours.ids, set(seeds)
        starts = linked[[ids[number] in wanted for number in linked.tolist()]]
        kept, scores = best(push(around, starts, epsilon=self._preset.tolerance), self._preset)
        part = around.neighbours.part(kept, linked[[ids[number] in own for number in linked.tolist()]])
        score = dict(zip((ids[i] for i in kept.tolist()), scores.tolist(), strict=True))
        known = {ids[number] for number in linked.tolist()}
        return Pruned(
            part,
            np.array([score.get(node, 0.0) for node in part.nodes]),
            np.array([at for at, node in enumerate(part.nodes) if node in known], dtype=np.int32),
        )

    def subgraph(self, facts: Sequence[str]) -> Subgraph:
        """See World."""
        return load_facts(self._store, facts)


class _Fetched:
    """Neighbourhoods of a store as a push reads them; rows fetched before they are needed are kept."""

    def __init__(self, neighbours: StoreNeighbours, hub: int) -> None:
        self.neighbours, self._hub = neighbours, hub
        self._found: dict[int, Ends] = {}

    def __len__(self) -> int:
        return len(self.neighbours)

    def begin(self, named: Sequence[str]) -> Numbers:
        """Fetch the nodes that a question names; return the numbers of those that have facts."""
        numbers = self.neighbours.numbers(named)
        self._fetch(numbers, np.full(len(numbers), np.inf), OWN)
        return np.array([n for n in numbers.tolist() if self._found[n].degree], dtype=np.int32)

    def rows(self, nodes: Numbers, below: Reals) -> NeighbourRows:
        """See ppr.Around."""
        self._fetch(nodes, below, self._hub)
        found = [self._found[number] for number in nodes.tolist()]
        rows = [ends.nodes if ends.degree < limit else ends.nodes[:0] for ends, limit in zip(found, below, strict=True)]
        start = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
        degree = np.array([ends.degree for ends in found], dtype=np.int64)
        return NeighbourRows(start, np.concatenate([np.zeros(0, np.int32), *rows]), degree)

    def _fetch(self, nodes: Numbers, below: Reals, cap: int) -> None:
        new = [self._lacks(node, limit) for node, limit in zip(nodes.tolist(), below, strict=True)]
        if any(new):
            self._found |= zip(nodes[new].tolist(), self.neighbours.fetch(nodes[new], below[new], cap), strict=True)

    def _lacks(self, node: int, limit: float) -> bool:
        ends = self._found.get(node)
        return ends is None or (not ends.read and ends.degree < limit)
