"""KEA Explain: clustering of labels, comparison, contradictory pairs."""

from __future__ import annotations

import numpy as np
import oracle_kea
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import clusters
from unit_rows import unit

from claimgraph.detect.kernel import comparison
from claimgraph.detect.kernel.comparison import Contradiction, cluster, compare, contradictions, cuts, labelled
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.kgstore.model import Triple


@pytest.fixture(scope="module")
def space() -> Space:
    return Space(MiniLMEmbedder())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 9), st.integers(0, 2**32 - 1), st.sampled_from([0.2, 0.35, 0.8]))
def test_cluster_same_as_oracle(count, seed, distance):
    """Clusters are those of average linkage by hand, numbered by their first member."""
    vectors = unit(np.random.default_rng(seed).normal(size=(count, 3))) if count else np.zeros((0, 3), np.float32)
    found = cluster(vectors, distance).tolist()
    expected = clusters(vectors, distance)
    assert sorted(map(sorted, expected)) == [[i for i, f in enumerate(found) if f == n] for n in range(len(expected))]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 30), st.integers(0, 2**32 - 1), st.lists(st.floats(0, 1.5), max_size=4))
def test_cuts_same_as_scipy(count, seed, distances):
    """One tree cut at several distances, equal vectors among its leaves, has scipy's clusters at each."""
    rng = np.random.default_rng(seed)
    vectors = unit(rng.normal(size=(count, 3)))[rng.integers(count, size=count)] if count else np.zeros((0, 3), "f4")
    expected = [oracle_kea.cut(vectors, distance) for distance in distances]
    assert expected == [found.tolist() for found in cuts(vectors, distances)]


_WORDS = st.sampled_from(["Paris", "paris ", "Rome", "1867", "in 1867", "1869", "was born in", "was not born in"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.builds(Triple, _WORDS, _WORDS, _WORDS), max_size=5), st.sampled_from(["paper", "directed"]))
def test_labels_same_as_oracle(space, triples, encoding):
    """Labels at several distances are those of each distance by itself, values and denials included."""
    expected = [oracle_kea.labelled(triples[:2], triples[2:], space, encoding, distance) for distance in (0.2, 0.5)]
    assert expected == labelled(triples[:2], triples[2:], space, encoding, (0.2, 0.5))


def test_paraphrases_are_like(space):
    """Paraphrased labels fall together, so the graphs are equal; another object, or a negation, makes them less."""
    claim = Triple("France", "has capital", "Paris")
    rows = [Triple("France", "has the capital", "Paris"), Triple("France", "has capital", "Rome"),
            Triple("France", "has not capital", "Paris")]  # fmt: skip
    alike = [compare([claim], [row], space) for row in rows]
    assert pytest.approx(1) == alike[0].whole
    assert alike[1].whole < 0.5
    assert alike[2].whole < 1


def test_claims_one_by_one(space):
    """The whole is one figure; each claim has its own, so a wrong one stands out."""
    claims = [Triple("France", "capital", "Paris"), Triple("France", "currency", "Franc")]
    rows = [Triple("France", "capital", "Paris"), Triple("France", "currency", "Euro")]
    found = compare(claims, rows, space, encoding="paper", h=2, distance=0.0)
    assert pytest.approx(0.6) == found.whole
    assert pytest.approx(1) == found.claims[0]
    assert found.claims[1] < 0.6


def test_dates_are_no_paraphrases(space):
    """Two years have near vectors; they are two labels all the same."""
    claim, row = Triple("Curie", "was born in", "1867"), Triple("Curie", "was born in", "1869")
    assert compare([claim], [row], space).whole < 0.5


def test_nothing_to_compare(space):
    """No claims are like nothing."""
    assert (0.0, ()) == (compare([], [], space).whole, compare([], [], space).claims)


def test_contradictory_pairs(space, monkeypatch):
    """KEA's example is found in the whole evidence, with the element that differs; an unrelated triple is not, and
    the size of the blocks does not matter.
    """
    claims = [Triple("France", "capital city", "Paris"), Triple("Paris", "lies on", "the Seine")]
    evidence = [
        Triple("Anna", "likes", "soup"),
        Triple("France", "capital", "Rome"),
        Triple("Anna", "capital", "Paris"),
    ]
    settings = {"entity": 0.75, "relation": 0.65, "different": 0.6, "limit": 5}
    found = contradictions(claims, evidence, space, **settings)
    assert [(0, 1, "object"), (0, 2, "subject")] == sorted((c.claim, c.evidence, c.element) for c in found)
    monkeypatch.setattr(comparison, "_BLOCK", 1)
    assert found == contradictions(claims, evidence, space, **settings)
    assert all(isinstance(c, Contradiction) and c.likeness > 1.4 for c in found)
    assert 1 == len(contradictions(claims, evidence, space, **{**settings, "limit": 1}))
    assert [] == contradictions(claims, [], space, **settings)
