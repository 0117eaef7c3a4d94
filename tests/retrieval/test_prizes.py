"""Prizes by rank, and the score of what is retrieved."""

from __future__ import annotations

import numpy as np
import oracle_retrieval as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.errors import InputError
from claimgraph.retrieval.subgraph.prizes import Prizes, RetrievalPreset, best_first, preset, prizes, top

similarities = st.lists(st.sampled_from([-0.5, 0.0, 0.25, 0.5, 1.0]) | st.floats(-1, 1, width=32), max_size=12)


@settings(max_examples=60, deadline=None)
@given(similarities, st.integers(0, 12))
def test_as_published(similarity, k):
    """max(0, k - rank + 1) with ranks from 1 is the published max(0, k - rank) with ranks from 0; ties by number."""
    assert oracle.published_prizes(similarity, k) == prizes(np.array(similarity, dtype=np.float64), k).tolist()


def test_top_of_many():
    """The k best of many values are those of a full sort."""
    values = np.random.default_rng(0).integers(0, 50, 1000).astype(np.float32)
    assert sorted(range(1000), key=lambda i: (-values[i], i))[:30] == top(values, 30).tolist()


def test_score():
    """S adds the prizes of nodes and facts and takes off the cost of each fact; rewards count a loop's node once."""
    earned = Prizes(np.array([3.0, 0, 1]), np.array([2.0, 0, 0]), 0.5)
    graph = oracle.graph(3, [(0, 1), (1, 2), (0, 0)])
    assert 3 + 1 + 2 - 2 * 0.5 == earned.score(np.arange(3), np.array([0, 1]))
    assert [5.0, 1.0, 3.0] == earned.rewards(graph).tolist()


def test_best_first():
    """Reward goes before similarity, similarity before number."""
    rewards, similarity = np.array([1.0, 2, 1, 1]), np.array([0.1, 0.0, 0.3, 0.1])
    assert [1, 2, 0, 3] == best_first(np.arange(4), rewards, similarity).tolist()


def test_presets():
    """The published constants are a preset by name; another name is refused with those that are."""
    assert RetrievalPreset(k=10, cost=1.0, paths=5, path_nodes=8) == preset("okgqa")
    with pytest.raises(InputError, match="okgqa"):
        preset("nothing")
