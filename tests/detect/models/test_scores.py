"""The score cache: each pair once, over runs, with what is not known kept unknown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.models.row_cache import CachedEntailment, ScoreCache

THREE_WAY, CONSISTENCY = [0.2, 0.3, 0.5], [0.25, np.nan, np.nan]


class Recording:
    """An entailment model that says one thing and records what it was asked."""

    model = "recording"

    def __init__(self, row):
        self.row = row
        self.pairs = []

    def entail(self, pairs):
        self.pairs.extend(pairs)
        return np.array([self.row] * len(pairs), np.float32).reshape(-1, 3)


@pytest.mark.parametrize("row", [THREE_WAY, CONSISTENCY])
def test_each_pair_once(tmp_path, row):
    """A distinct pair is computed once over repeats, calls and runs, and nan stays nan."""
    model = Recording(row)
    first = CachedEntailment(model, ScoreCache(tmp_path, model.model)).entail([("a", "b"), ("b", "a"), ("a", "b")])
    second = CachedEntailment(model, ScoreCache(tmp_path, model.model)).entail([("b", "a"), ("ab", "")])
    assert [("a", "b"), ("b", "a"), ("ab", "")] == model.pairs
    assert np.array_equal(np.array([row] * 3, np.float32), first, equal_nan=True)
    assert np.array_equal(np.array([row] * 2, np.float32), second, equal_nan=True)


@settings(max_examples=20, deadline=None)
@given(pairs=st.lists(st.tuples(st.text("a 1", max_size=4), st.text("a 1", max_size=4)), max_size=8))
def test_pairs_apart(pairs):
    """Two pairs share a score only if premise and hypothesis are the same."""
    model = Recording(THREE_WAY)
    found = CachedEntailment(model, ScoreCache(None, "m")).entail(pairs)
    assert list(dict.fromkeys(pairs)) == model.pairs
    assert (len(pairs), 3) == found.shape


def test_row_never_written(tmp_path):
    """A row of zeros, as a power cut leaves it, counts as missing; a consistency of 0 does not."""
    cache = ScoreCache(tmp_path, "m")
    cache.put([bytes(16), b"x" * 16], np.array([[0, 0, 0], [0, np.nan, np.nan]], np.float32))
    assert {bytes(16)} == cache.missing([bytes(16), b"x" * 16])
