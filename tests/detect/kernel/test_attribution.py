"""A kernel distance shared out over the claims."""

from __future__ import annotations

import numpy as np
import oracle_kea
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.kernel.attribution import attribute, mean
from claimgraph.detect.kernel.comparison import whole

_triples = st.lists(st.tuples(st.integers(0, 4), st.integers(3, 7), st.integers(0, 4)), min_size=1, max_size=6)
_encodings = st.sampled_from(["published", "paper", "directed"])


@settings(max_examples=80, deadline=None)
@given(_triples, st.just([]) | _triples, _encodings, st.integers(0, 5))
def test_shares_sum_to_the_distance(ours, theirs, encoding, h):
    """Shares sum to 1 - kernel, weights to 1, and the distance is the mean of the claims' own by weight."""
    found = attribute(ours, theirs, encoding, h)
    expected = pytest.approx(1 - whole(ours, theirs, encoding, h), abs=1e-9)
    assert expected == found.distance
    assert expected == found.share.sum()
    assert expected == (found.own * found.weight).sum()
    assert pytest.approx(1) == found.weight.sum()
    assert (found.own <= 1 + 1e-9).all()


@settings(max_examples=60, deadline=None)
@given(_triples, st.just([]) | _triples, _encodings, st.integers(0, 5))
def test_same_as_oracle(ours, theirs, encoding, h):
    """Distance, shares and weights are those of every iteration counted by itself."""
    expected, found = oracle_kea.attribute(ours, theirs, encoding, h), attribute(ours, theirs, encoding, h)
    assert pytest.approx(expected.distance, abs=1e-12) == found.distance
    assert np.allclose(expected.share, found.share, rtol=0, atol=1e-12)
    assert np.allclose(expected.weight, found.weight, rtol=0, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(_triples, _triples, _encodings)
def test_the_worst_claim_has_the_documents_score(ours, theirs, encoding):
    """Scores are in [0, 1] and their maximum is the distance of the whole; a KG beside itself has none."""
    found = attribute(ours, theirs, encoding, 3)
    assert pytest.approx(found.distance, abs=1e-9) == found.scores.max()
    assert ((found.scores >= 0) & (found.scores <= 1)).all()
    assert np.allclose(attribute(ours, ours[::-1], encoding, 3).scores, 0, atol=1e-7)


def test_the_wrong_claim_stands_out():
    """In KEA's worked example the wrong currency has the greater share, and with no evidence all is distance."""
    ours, theirs = [(0, 1, 2), (0, 3, 4)], [(0, 1, 2), (0, 3, 5)]
    found = attribute(ours, theirs, "paper", 2)
    assert pytest.approx(0.4) == found.distance
    assert found.share[1] > 2 * found.share[0]
    nothing = attribute(ours, [], "paper", 2)
    assert np.allclose(nothing.share, nothing.weight)
    assert 1.0 == nothing.distance


def test_equal_claims_share_equally():
    """Two claims with the same labels are one triple of the KG, of which each has half."""
    once, twice = attribute([(0, 1, 2)], [(0, 1, 3)], "paper", 2), attribute([(0, 1, 2)] * 2, [(0, 1, 3)], "paper", 2)
    assert pytest.approx(once.distance) == twice.distance
    assert np.allclose([once.share[0] / 2] * 2, twice.share)


def test_mean():
    """The mean of two attributions is one of the mean distance."""
    parts = [attribute([(0, 1, 2), (0, 3, 4)], [(0, 1, 2)], "directed", h) for h in (1, 4)]
    found = mean(parts)
    assert pytest.approx(sum(p.distance for p in parts) / 2) == found.distance
    assert pytest.approx(found.distance) == found.share.sum()
