"""A graph that stays in its store: neighbourhoods are fetched as they are asked for, one query each time.

Nodes are numbered in the order in which they are met, so that walks and pushes over numbers need not know that the
whole graph is not there. What was fetched becomes arrays again (`part`), without asking a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kgstore.arrays import GraphArrays, Numbers
from kgstore.export import assemble, graphs_version, names_of, relations_of
from kgstore.store import GraphStore, Row


class StoreNeighbours:
    """What is known of some graphs of a store so far. Raises NotFound for a graph the store does not hold.

    Of a hub only the first `cap` facts by id are fetched; ids are hashes, so that is a sample.
    """

    def __init__(self, store: GraphStore, graphs: Sequence[str], cap: int) -> None:
        self.ids: list[str] = []
        self._store, self._graphs, self._cap = store, sorted(set(graphs)), cap
        self._version = graphs_version(store, self._graphs)
        self._number: dict[str, int] = {}
        self._names: dict[str, str] = {}
        self._facts: dict[str, tuple[str, str, str]] = {}

    def __len__(self) -> int:
        """How many nodes were met."""
        return len(self.ids)

    def numbers(self, ids: Iterable[str]) -> Numbers:
        """Numbers of nodes, old or new."""
        for identity in ids:
            if identity not in self._number:
                self._number[identity] = len(self.ids)
                self.ids.append(identity)
        return np.array([self._number[identity] for identity in ids], dtype=np.int32)

    def fetch(self, nodes: Numbers) -> list[tuple[Numbers, int]]:
        """Of each node, by one query: the other ends of its first facts by id, and how many it has."""
        wanted = [self.ids[i] for i in nodes]
        rows = self._store.read("neighbours", ids=wanted, graphs=self._graphs, cap=self._cap)
        for row in rows:
            self._keep(row)
        found = {row["id"]: (self.numbers(row["others"]), int(row["degree"])) for row in rows}
        return [found.get(identity, (np.zeros(0, np.int32), 0)) for identity in wanted]

    def part(self, nodes: Numbers) -> GraphArrays:
        """The facts fetched whose ends are both among the nodes, as arrays."""
        inside = {self.ids[i] for i in nodes}
        facts = [(key, *said) for key, said in self._facts.items() if said[0] in inside and said[2] in inside]
        ends = {end for _, subject, _, object in facts for end in (subject, object)}
        names = self._names | names_of(self._store, ends - self._names.keys())
        return assemble(self._version, facts, names, relations_of(self._store, (fact[2] for fact in facts)))

    def _keep(self, row: Row) -> None:
        identity = row["id"]
        self._names[identity] = row["name"]
        for fact, other, predicate, away in zip(
            row["facts"], row["others"], row["predicates"], row["away"], strict=True
        ):
            self._facts[fact] = (identity, predicate, other) if away else (other, predicate, identity)
