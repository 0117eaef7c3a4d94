"""What is our own instead of scipy's gives what scipy gives, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import squareform

from claimgraph.detect.kernel.linkage import average_linkage
from claimgraph.detect.linear_assignment import cheapest_assignment

STEPS = st.sampled_from([1, 2, 4, 1000])
"""Into how many values costs and distances fall: few make ties."""


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 9), st.integers(0, 9), STEPS, st.integers(0, 2**32 - 1))
def test_assignments_are_scipys(rows: int, columns: int, steps: int, seed: int) -> None:
    """The same places in matrices of any shape, with and without ties; negative costs too."""
    costs = np.random.default_rng(seed).integers(-steps, steps + 1, (rows, columns)) / 8
    expected, found = linear_sum_assignment(costs), cheapest_assignment(costs)
    assert [part.tolist() for part in expected] == [part.tolist() for part in found]


@settings(max_examples=300, deadline=None)
@given(st.integers(2, 14), STEPS, st.integers(0, 2**32 - 1))
def test_trees_are_scipys(leaves: int, steps: int, seed: int) -> None:
    """The same merges in the same order, with and without equal distances."""
    flat = np.random.default_rng(seed).integers(0, steps + 1, leaves * (leaves - 1) // 2) / steps
    expected = [(int(a), int(b), height) for a, b, height, _ in linkage(flat, "average").tolist()]
    assert expected == average_linkage(squareform(flat))


@pytest.mark.parametrize("size", [200])
def test_large_ones_are_scipys(size: int) -> None:
    """Also at sizes that documents have."""
    random = np.random.default_rng(1)
    costs, points = random.random((size, 2 * size)), random.random((size, 3))
    assert linear_sum_assignment(costs)[1].tolist() == cheapest_assignment(costs)[1].tolist()
    distances = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    expected = linkage(squareform(distances, checks=False), "average")
    found = np.array(average_linkage(distances))
    assert expected[:, :2].tolist() == found[:, :2].tolist()
    assert expected[:, 2] == pytest.approx(found[:, 2])
