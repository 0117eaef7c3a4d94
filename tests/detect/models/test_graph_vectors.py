"""Vectors of a graph's elements kept by number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import oracle_retrieval as oracle
import pytest

from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.detect.models.graph_vectors import GraphVectors
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.subgraph.elements import EmbeddedElements

QUESTION = "which node joins node 3?"


class Counted:
    """MiniLM that notes what it was asked for."""

    model = MiniLMEmbedder.model

    def __init__(self, embedder: MiniLMEmbedder) -> None:
        self.embedder, self.texts = embedder, list[str]()

    def embed(self, texts):
        self.texts += texts
        return self.embedder.embed(texts)


@pytest.fixture(scope="module")
def minilm() -> MiniLMEmbedder:
    return MiniLMEmbedder(threads=1)


@pytest.fixture
def embedder(minilm) -> Counted:
    return Counted(minilm)


WHOLE = oracle.graph(6, [(0, 1), (1, 2), (2, 3), (3, 3), (4, 5), (3, 2)])


def _same(embedder: Counted, vectors: GraphVectors, graph: GraphArrays) -> list[str]:
    """Checks the cosines against those of all texts embedded, and returns what was embedded for them."""
    expected = EmbeddedElements(embedder.embedder).cosines(QUESTION, graph)
    embedder.texts.clear()
    for one, other in zip(expected, vectors.cosines(QUESTION, graph), strict=True):
        assert np.allclose(one, other, atol=1e-6)
    return [text for text in embedder.texts if text != QUESTION]


@pytest.mark.parametrize("kept", [True, False])
def test_each_element_once(kept, embedder, tmp_path):
    """A part embeds its own elements at its first question, nothing at its second; the whole then only the rest."""
    file = tmp_path / "folder" / "vectors" if kept else None
    vectors, part = GraphVectors(WHOLE, embedder, file), WHOLE.part(np.array([1, 2]))
    assert [*part.names, "node 1 joins node 2", "node 2 joins node 3"] == _same(embedder, vectors, part)
    assert [] == _same(embedder, vectors, part)
    again = GraphVectors(WHOLE, embedder, file) if kept else vectors
    assert 3 + 4 == len(_same(embedder, again, WHOLE))


def test_changed_elements(embedder):
    """Facts that say something else than in the whole graph, and nodes of another name, are embedded as they are."""
    vectors = GraphVectors(WHOLE, embedder, None)
    _same(embedder, vectors, WHOLE)
    turned = replace(WHOLE, object=np.roll(WHOLE.object, 1))
    assert [turned.text(fact) for fact in range(6) if turned.text(fact) != WHOLE.text(fact)] == _same(
        embedder, vectors, turned
    )
    named = replace(WHOLE, names=["zero", *WHOLE.names[1:]])
    assert ["zero", "zero joins node 1"] == _same(embedder, vectors, named)
    related = replace(WHOLE, relations=["leaves"])
    assert [related.text(fact) for fact in range(6)] == _same(embedder, vectors, related)
    other = oracle.graph(8, [(6, 7), (0, 1)]).part(np.array([0, 1]))
    assert ["node 6", "node 7", "node 6 joins node 7", "node 0 joins node 1"] == _same(embedder, vectors, other)


def test_torn_file(embedder, tmp_path):
    """Rows that were never written through are computed again."""
    file = tmp_path / "vectors"
    _same(embedder, GraphVectors(WHOLE, embedder, file), WHOLE)
    size = file.stat().st_size
    file.write_bytes(file.read_bytes()[: 2 * 384 * 4 + 100])
    assert 4 + 6 == len(_same(embedder, GraphVectors(WHOLE, embedder, file), WHOLE))
    assert size == file.stat().st_size


def test_removed_folder(embedder, tmp_path):
    """A version of the graph that was replaced on disk while it is in use is still answered from."""
    file = tmp_path / "version" / "vectors"
    vectors = GraphVectors(WHOLE, embedder, file)
    _same(embedder, vectors, WHOLE.part(np.array([0])))
    file.unlink()
    assert 4 + 5 == len(_same(embedder, vectors, WHOLE)) == len(_same(embedder, vectors, WHOLE))


def test_empty(embedder, tmp_path):
    """A graph without elements has no cosines, and an empty whole graph holds nothing."""
    nothing = oracle.graph(0, [])
    for vectors in (GraphVectors(WHOLE, embedder, None), GraphVectors(nothing, embedder, tmp_path / "vectors")):
        assert [(0,), (0,)] == [found.shape for found in vectors.cosines(QUESTION, nothing)]
    assert 12 == len(_same(embedder, GraphVectors(nothing, embedder, None), WHOLE))
