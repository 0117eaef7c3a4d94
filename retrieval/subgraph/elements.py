"""How near a question is to the elements of a graph: to nodes by their names, to facts by their texts.

Whoever keeps vectors of a whole graph (a file beside its export) implements ElementCosines for its parts; here is the
way that needs nothing but an embedder, for graphs small enough to be hashed a question.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Embedder


class ElementCosines(Protocol):
    """Questions beside the elements of graphs."""

    def cosines(self, question: str, graph: GraphArrays) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Cosines of the question with the name of each node and the text of each fact, shapes (n,) and (m,)."""
        ...


class EmbeddedElements:
    """Every name and text through the embedder, in two calls. Implements ElementCosines."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def cosines(self, question: str, graph: GraphArrays) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Cosines of the question with the name of each node and the text of each fact, shapes (n,) and (m,)."""
        vector = self._embedder.embed([question])[0]
        texts = [graph.text(fact) for fact in range(len(graph.facts))]
        return self._embedder.embed(graph.names) @ vector, self._embedder.embed(texts) @ vector
