"""FactAlign's alignment: eq. 2 and 3."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import aligned
from unit_rows import unit

from claimgraph.detect.methods.factalign import alignment
from claimgraph.detect.methods.factalign.alignment import align


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_same_as_oracle(claims, evidence, seed):
    """Best row and score are those of comparing every pair; ties, made by repeating rows, go to the first."""
    random = np.random.default_rng(seed)
    base = unit(random.normal(size=(max(2, evidence // 2), 5)))
    rows = base[random.integers(0, len(base), evidence)]
    ours = unit(np.concatenate([base[:1], random.normal(size=(claims, 5))]))
    found = align(ours, rows)
    expected = aligned(ours, rows)
    assert [best for best, _ in expected] == found.best.tolist()
    assert np.allclose([score for _, score in expected], found.score, atol=1e-5)


def test_same_triple_and_far_triple():
    """The same triple scores exactly 1, anything at a cosine of 0.5 or less 0, and one triple may serve many claims."""
    rows = unit(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    found = align(unit(np.array([[1.0, 0, 0], [1.0, 0, 0], [0, 0, 1.0]])), rows)
    assert ([0, 0, 0], [1.0, 1.0, 0.0]) == (found.best.tolist(), found.score.tolist())


def test_no_evidence():
    """Without evidence the best row is -1 and the score unknown, not 0."""
    found = align(unit(np.ones((2, 3))), np.zeros((0, 3), np.float32))
    assert [-1, -1] == found.best.tolist()
    assert np.isnan(found.score).all()


def test_blocks(monkeypatch):
    """Cutting the product into blocks of claims changes nothing."""
    random = np.random.default_rng(0)
    ours, rows = unit(random.normal(size=(7, 4))), unit(random.normal(size=(9, 4)))
    whole = align(ours, rows)
    monkeypatch.setattr(alignment, "_BLOCK", 20)
    assert whole.best.tolist() == align(ours, rows).best.tolist()
