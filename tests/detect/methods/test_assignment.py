"""FactAlign's one-to-one alignments: eq. 1 and its form over triples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_assignment import completed, least, objective, padded, powers
from unit_rows import unit

from claimgraph.detect.methods.factalign.assignment import adjacency, entity_scores, hungarian, sinkhorn, transport
from claimgraph.detect.methods.factalign.matching import matched
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.kgstore.model import Triple

SIZES = st.integers(1, 5)


def _graph(random: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    edges = [tuple(pair) for pair in random.integers(0, size, (size, 2)).tolist()]
    return adjacency(edges, size), unit(random.normal(size=(size, 4)))


@settings(max_examples=25, deadline=None)
@given(SIZES, SIZES, st.integers(1, 3), st.integers(0, 1), st.integers(0, 2**32 - 1))
def test_entities_same_as_oracle(ours, theirs, depth, first, seed):
    """The assignment reaches the least value of eq. 1 over all permutations of the padded entity sets."""
    random = np.random.default_rng(seed)
    one, other = _graph(random, ours), _graph(random, theirs)
    size = max(ours, theirs)
    found = hungarian(entity_scores(one, other, depth, first)).tolist()
    a, b = (powers(*graph, range(first, depth + 1), size) for graph in (one, other))
    assert pytest.approx(least(a, b), abs=1e-6) == objective(a, b, completed(found, size))


@settings(max_examples=25, deadline=None)
@given(SIZES, SIZES, st.integers(0, 2**32 - 1))
def test_triples_same_as_oracle(ours, theirs, seed):
    """Over triples the same holds for the distance of their vectors, and no fact is given twice."""
    random = np.random.default_rng(seed)
    first, second = unit(random.normal(size=(ours, 4))), unit(random.normal(size=(theirs, 4)))
    size = max(ours, theirs)
    found = hungarian(first @ second.T).tolist()
    a, b = [padded(first, size)], [padded(second, size)]
    assert pytest.approx(least(a, b), abs=1e-5) == objective(a, b, completed(found, size))
    given_away = [column for column in found if column >= 0]
    assert min(ours, theirs) == len(given_away) == len(set(given_away))


@settings(max_examples=10, deadline=None)
@given(SIZES, SIZES, st.integers(0, 2**32 - 1))
def test_transport_is_doubly_stochastic(ours, theirs, seed):
    """All columns of the plan sum to 1 and, at a mild temperature, all rows nearly do."""
    scores = np.random.default_rng(seed).normal(size=(ours, theirs))
    plan = transport(scores, 0.5, 200)
    assert np.allclose(plan.sum(axis=0), 1)
    assert np.allclose(plan.sum(axis=1), 1, atol=1e-2)


def test_sinkhorn_agrees_where_it_is_clear():
    """Where one assignment is clearly best both find it, one-to-one although one column is best for two rows."""
    scores = np.array([[0.9, 0.8, 0.0], [0.9, 0.1, 0.0]])
    assert [1, 0] == hungarian(scores).tolist() == sinkhorn(scores).tolist()
    assert [-1, 0] == hungarian(np.array([[0.2], [0.9]])).tolist() == sinkhorn(np.array([[0.2], [0.9]])).tolist()
    assert [] == sinkhorn(np.zeros((0, 3))).tolist()


@pytest.mark.parametrize("how", ["nearest", "hungarian", "sinkhorn", "entity", "entity-own"])
def test_matched(how):
    """Every form finds the same triple where it is there; one fact serves two claims unless triples are one-to-one."""
    space = Space(MiniLMEmbedder())
    facts = [
        Triple("Paris", "is the capital of", "France"),
        Triple("Marie Curie", "won", "the Nobel Prize"),
        Triple("Marie Curie", "lived in", "Paris"),
    ]
    found = matched(facts[::-1], facts, space, how)
    assert ([2, 1, 0], [1.0, 1.0, 1.0]) == (found.best.tolist(), found.score.round(3).tolist())
    twice = [facts[0], Triple("Paris", "is the capital city of", "France")]
    served = matched(twice, facts[:1], space, how)
    assert (1 if how in ("hungarian", "sinkhorn") else 2) == served.best.tolist().count(0)
    assert np.isnan(matched(facts, [], space, how).score).all()
    assert [] == matched([], facts, space, how).best.tolist()
