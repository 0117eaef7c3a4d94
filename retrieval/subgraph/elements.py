"""Compare a question with the elements of a graph: with nodes by their names, with facts by their texts.

A caller that keeps vectors of a whole graph (a file beside its export) implements ElementCosines for its parts; the
implementation here needs only an embedder and suits graphs small enough to embed for each question.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Embedder


class ElementCosines(Protocol):
    """Cosines of a question with the elements of a graph."""

    def cosines(self, question: str, graph: GraphArrays) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return cosines of the question with the name of each node and the text of each fact, shapes (n,) and (m,)."""
        ...


class EmbeddedElements:
    """Embeds every name and text, in two calls. Implements ElementCosines."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def cosines(self, question: str, graph: GraphArrays) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return cosines of the question with the name of each node and the text of each fact, shapes (n,) and (m,)."""
        vector = self._embedder.embed([question])[0]
        texts = [graph.text(fact) for fact in range(len(graph.facts))]
        return self._embedder.embed(graph.names) @ vector, self._embedder.embed(texts) @ vector
