"""Read neighbourhoods of a graph that stays in its store, on demand, one query each time.

Nodes are numbered in the order in which they are met, so that walks and pushes over numbers need not know that the
graph is incomplete. Fetched facts become arrays again (`part`), without a second query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.export import assemble, names_of
from claimgraph.kgstore.arrays.graph import GraphArrays, Numbers
from claimgraph.kgstore.store import GraphStore, Row

_MOST = 10**15


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The other ends of a node's first facts by id, and the number of its facts: in the whole store, where not
    `read`.
    """

    nodes: Numbers
    degree: int
    read: bool


class StoreNeighbours:
    """The fetched part of some graphs of a store; `version` is that of export.graphs_version."""

    def __init__(self, store: GraphStore, graphs: Sequence[str], version: str) -> None:
        self.ids: list[str] = []
        self._store, self._graphs, self._version = store, sorted(set(graphs)), version
        self._number: dict[str, int] = {}
        self._names: dict[str, str] = {}
        self._relations: dict[str, str] = {}
        self._facts: dict[str, tuple[str, str, str]] = {}

    def __len__(self) -> int:
        """Return the number of nodes met."""
        return len(self.ids)

    def numbers(self, ids: Iterable[str]) -> Numbers:
        """Return the numbers of nodes, old or new, in the order of `ids`, which is read once."""
        ids = tuple(ids)
        for identity in ids:
            if identity not in self._number:
                self._number[identity] = len(self.ids)
                self.ids.append(identity)
        return np.array([self._number[identity] for identity in ids], dtype=np.int32)

    def fetch(self, nodes: Numbers, below: NDArray[np.float64], cap: int) -> list[Ends]:
        """Return the ends of each node, by one query; a node of `below` facts or more is only counted.

        Of others the first `cap` facts by id are fetched; ids are hashes, so of a hub that is a sample.
        """
        wanted = [self.ids[i] for i in nodes]
        limits = np.minimum(np.ceil(below), _MOST).astype(np.int64).tolist()
        asked = [{"id": identity, "below": limit} for identity, limit in zip(wanted, limits, strict=True)]
        rows = self._store.read("neighbours", wanted=asked, graphs=self._graphs, cap=cap)
        found = {row["id"]: self._keep(row) for row in rows}
        return [found.get(identity, Ends(np.zeros(0, np.int32), 0, read=True)) for identity in wanted]

    def part(self, nodes: Numbers, whole: Numbers) -> GraphArrays:
        """Return the fetched facts whose ends are both among the nodes, or one of whose ends is of the `whole`, as
        arrays.
        """
        inside, own = ({self.ids[i] for i in numbers} for numbers in (nodes, whole))
        facts = [
            (key, *said)
            for key, said in self._facts.items()
            if (said[0] in inside and said[2] in inside) or said[0] in own or said[2] in own
        ]
        ends = {end for _, subject, _, object in facts for end in (subject, object)}
        names = self._names | names_of(self._store, ends - self._names.keys())
        return assemble(self._version, facts, names, self._relations)

    def _keep(self, row: Row) -> Ends:
        identity = row["id"]
        self._names[identity] = row["name"]
        if row["away"] is None:
            return Ends(np.zeros(0, np.int32), row["degree"], read=False)
        self._relations |= zip(row["predicates"], row["relations"], strict=True)
        columns = (row[key] for key in ("facts", "others", "predicates", "away"))
        for fact, other, predicate, away in zip(*columns, strict=True):
            self._facts[fact] = (identity, predicate, other) if away else (other, predicate, identity)
        return Ends(self.numbers(row["others"]), row["degree"], read=True)
