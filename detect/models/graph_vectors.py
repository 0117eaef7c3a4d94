"""Keep vectors of a whole graph's nodes and facts in one file beside its export, so that a question reads rows, not
texts.

A question compares some ten thousand names and texts. Looking each up in the vector cache by its hash takes 10
microseconds, a tenth of a second a question; reading numbered rows of a memory-mapped matrix takes 5 milliseconds. Rows
are computed on first use (a graph of 200,000 facts takes a quarter of an hour), so the first questions are slow, not
the first hour. Half precision was rejected: numpy widens it four times slower than it multiplies single precision,
which needs 1.5 kB a row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Embedder

_BLOCK = 512
"""Rows multiplied at a time: what fits into a core's cache. A killed process loses at most as many new ones."""

Rows = NDArray[np.int64]


class GraphVectors:
    """Cosines of questions with the elements of a graph or any part of it. Implements retrieval's ElementCosines.

    A row is known once its ends are not zero, so a file that was cut short or never synced is filled again, and
    processes that fill the same rows at once write the same bytes. Elements that the whole graph does not hold, or
    holds with other names or ends (a perturbed graph, a newer store), go through the embedder.
    """

    def __init__(self, whole: GraphArrays, embedder: Embedder, file: Path | None) -> None:
        """`file`: the path of the matrix, one a model and version of the graph; None: in memory."""
        self._whole, self._embedder, self._file = whole, embedder, file
        self._known: NDArray[np.float32] | None = None

    def cosines(self, question: str, graph: GraphArrays) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return cosines of the question with the name of each node and the text of each fact, shapes (n,) and (m,)."""
        vector = self._embedder.embed([question])[0]
        nodes = self._nodes(graph)
        facts = self._facts(graph, nodes)
        below = np.where(facts < 0, -1, facts + len(self._whole.nodes))
        return self._products(vector, nodes, graph.names.__getitem__), self._products(vector, below, graph.text)

    def _products(self, vector: NDArray[np.float32], rows: Rows, text: Callable[[int], str]) -> NDArray[np.float32]:
        """Return the product of the vector with each element, given its row or -1 and its text."""
        matrix = self._matrix(len(vector))
        found = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _BLOCK):
            part = rows[start : start + _BLOCK]
            block = matrix[part]
            unknown = np.flatnonzero((block[:, 0] == 0) | (block[:, -1] == 0))
            if len(unknown):
                block[unknown] = self._embedder.embed([text(start + at) for at in unknown.tolist()])
                self._write(part[unknown], block[unknown])
            found[start : start + _BLOCK] = block @ vector
        return found

    def _write(self, rows: Rows, vectors: NDArray[np.float32]) -> None:
        """Write the vectors with a row. Not through the mapping, where a full disk would be a signal instead of an
        error.
        """
        rows, vectors = rows[rows >= 0], vectors[rows >= 0]
        if self._file is None:
            assert self._known is not None
            self._known[rows] = vectors
            return
        try:
            with self._file.open("r+b") as file:
                for row, vector in zip(rows.tolist(), vectors, strict=True):
                    file.seek(row * vector.nbytes)
                    file.write(vector.tobytes())
        except FileNotFoundError:
            return  # a newer version of the graph took this one's place

    def _matrix(self, width: int) -> NDArray[np.float32]:
        """Return rows of nodes, then of facts, then an empty one for -1."""
        if self._known is None:
            shape = (len(self._whole.nodes) + len(self._whole.facts) + 1, width)
            self._known = np.zeros(shape, np.float32) if self._file is None else _mapped(self._file, shape)
        return self._known

    def _nodes(self, graph: GraphArrays) -> Rows:
        """Return the number of each node in the whole graph, -1 for one that is missing there under that name."""
        numbers, names = self._node_numbers, self._whole.names
        places = zip(map(numbers.get, graph.nodes, repeat(-1)), graph.names, strict=True)
        return np.array([at if at >= 0 and names[at] == name else -1 for at, name in places], dtype=np.int64)

    def _facts(self, graph: GraphArrays, nodes: Rows) -> Rows:
        """Return the number of each fact in the whole graph, -1 for one that differs there or is missing."""
        whole = self._whole
        relations = {key: at for at, key in enumerate(zip(whole.predicates, whole.relations, strict=True))}
        kinds = [relations.get(key, -1) for key in zip(graph.predicates, graph.relations, strict=True)]
        found = np.fromiter(map(self._fact_numbers.get, graph.facts, repeat(-1)), np.int64, len(graph.facts))
        own = np.flatnonzero(found >= 0)
        at = found[own]
        same = (nodes[graph.subject[own]] == whole.subject[at]) & (nodes[graph.object[own]] == whole.object[at])
        same &= np.array(kinds, dtype=np.int64)[graph.predicate[own]] == whole.predicate[at]
        found[own[~same]] = -1
        return found

    @cached_property
    def _node_numbers(self) -> dict[str, int]:
        return {key: at for at, key in enumerate(self._whole.nodes)}

    @cached_property
    def _fact_numbers(self) -> dict[str, int]:
        return {key: at for at, key in enumerate(self._whole.facts)}


def _mapped(file: Path, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return the file as a matrix; rows that it does not hold yet are zero, and take no room on disk."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as opened:
        opened.truncate(shape[0] * shape[1] * 4)
    return np.asarray(np.memmap(file, np.float32, "r", shape=shape))
