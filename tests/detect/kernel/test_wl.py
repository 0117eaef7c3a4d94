"""The Weisfeiler-Lehman kernel: the paper's worked example, GraKeL's values, what the encodings see."""

from __future__ import annotations

import random
import sys

import oracle_kea
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.kernel import comparison, wl_grakel
from claimgraph.detect.kernel.wl import LabelledGraph, encode, features, kernel, refinements, similarity
from claimgraph.detect.kernel.wl_batch import feature_matrix
from claimgraph.kgstore.errors import MissingExtra

FRANCE, CAPITAL, PARIS, CURRENCY, EURO, FRANC = range(6)


def test_worked_example():
    """KEA's appendix: kernel 9, self-kernels 15, similarity 0.6 at h = 2."""
    first = encode([(FRANCE, CAPITAL, PARIS), (FRANCE, CURRENCY, EURO)], "paper")
    second = encode([(FRANCE, CAPITAL, PARIS), (FRANCE, CURRENCY, FRANC)], "paper")
    a, b = features([first, second], 2)
    assert (9, 15, 15) == (kernel(a, b), kernel(a, a), kernel(b, b))
    assert pytest.approx(0.6) == similarity(a, b)


@pytest.mark.parametrize(
    ("encoding", "relation_seen", "direction_seen"),
    [("published", False, False), ("paper", True, False), ("directed", True, True)],
)
def test_encodings(encoding, relation_seen, direction_seen):
    """Another relation changes nothing for `published`; who did it to whom matters to `directed` only."""
    here, other, turned = (encode([t], encoding) for t in ((0, 2, 1), (0, 3, 1), (1, 2, 0)))
    a, b, c = features([here, other, turned], 3)
    assert relation_seen == (similarity(a, b) < 1)
    assert direction_seen == (similarity(a, c) < 1)


def test_empty_graph():
    """An empty graph is like nothing, not even itself."""
    [empty] = features([encode([], "paper")], 2)
    assert 0.0 == similarity(empty, empty)


@st.composite
def _graphs(draw):
    labels = draw(st.lists(st.integers(0, 3), min_size=1, max_size=7))
    nodes = st.integers(0, len(labels) - 1)
    edges = draw(st.sets(st.tuples(nodes, nodes), max_size=12))
    undirected = edges | {(b, a) for a, b in edges} if draw(st.booleans()) else edges
    around = tuple(tuple(sorted(b for a, b in undirected if a == v)) for v in range(len(labels)))
    return LabelledGraph(tuple(labels), around)


@settings(max_examples=60, deadline=None)
@given(_graphs(), _graphs(), st.integers(1, 5))
def test_same_as_grakel(first, second, h):
    """The normalised kernel is GraKeL's within 1e-9, on directed and undirected graphs."""
    a, b = features([first, second], h)
    assert pytest.approx(wl_grakel.similarity(first, second, h), abs=1e-9) == similarity(a, b)


@settings(max_examples=60, deadline=None)
@given(_graphs(), _graphs(), st.integers(0, 5))
def test_same_iterations_as_oracle(first, second, h):
    """What stands for several iterations parts the nodes as each of them does."""
    found = [labels for labels, times in refinements([first, second], h) for _ in range(times)]
    expected = list(oracle_kea.iterations([first, second], h))
    assert [_partition(labels) for labels in expected] == [_partition(labels) for labels in found]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(_graphs(), st.just(LabelledGraph((), ()))), max_size=6), st.integers(0, 5))
def test_matrix_same_as_features(graphs, h):
    """Rows of the matrix have the kernels of the feature maps, for graphs of any sizes and for none."""
    maps, matrix = features(graphs, h), feature_matrix(graphs, h)
    assert len(graphs) + 1 == len(matrix.start)
    for a, ours in enumerate(maps):
        assert sorted(ours.values()) == sorted(matrix.count[matrix.start[a] : matrix.start[a + 1]].tolist())
        for b, theirs in enumerate(maps):
            assert kernel(ours, theirs) == matrix.kernel(a, b)
            assert similarity(ours, theirs) == matrix.similarity(a, b)


@pytest.mark.parametrize("encoding", ["published", "paper", "directed"])
def test_large_graphs(encoding, monkeypatch):
    """Two KGs of 2,000 triples have the same kernel by arrays as by dictionaries."""
    pick = random.Random(3)
    ours, theirs = ([tuple(pick.randrange(700) for _ in range(3)) for _ in range(2000)] for _ in range(2))
    theirs[:1000] = ours[:1000]
    found = comparison.whole(ours, theirs, encoding, 5)
    monkeypatch.setattr(comparison, "_LARGE", 10**9)
    assert 0 < found < 1
    assert comparison.whole(ours, theirs, encoding, 5) == found


def _partition(labels):
    number = {}
    return [[number.setdefault(label, len(number)) for label in row] for row in labels]


_anything = st.lists(st.tuples(st.integers(0, 3), st.integers(2, 6), st.integers(0, 3)), max_size=6)


@settings(max_examples=60, deadline=None)
@given(_anything, _anything, st.sampled_from(["published", "paper", "directed"]))
def test_encodings_same_as_grakel(first, second, encoding):
    """At h = 5 the three encodings have GraKeL's values within 1e-9: with several edges a pair, self loops, relations
    labelled as entities, and nothing at all.
    """
    graphs = [encode(triples, encoding) for triples in (first, second)]
    assert pytest.approx(wl_grakel.similarity(*graphs, 5), abs=1e-9) == similarity(*features(graphs, 5))


def test_without_grakel(monkeypatch):
    """Where GraKeL is not installed the error says what to install."""
    monkeypatch.setitem(sys.modules, "grakel", None)
    with pytest.raises(MissingExtra, match="grakel"):
        wl_grakel.similarity(*[encode([(0, 1, 2)], "paper")] * 2, 2)


_triples = st.lists(st.tuples(st.integers(0, 4), st.integers(5, 7), st.integers(0, 4)), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(_triples, _triples, st.sampled_from(["published", "paper", "directed"]), st.permutations(range(8)))
def test_properties(first, second, encoding, renamed):
    """Similarity is symmetric, in [0, 1], 1 with itself, and does not depend on the order of triples or the numbers
    of labels.
    """
    graphs = [encode(t, encoding) for t in (first, second, first[::-1])]
    other = [encode([(renamed[s], renamed[r], renamed[o]) for s, r, o in t], encoding) for t in (first, second)]
    a, b, reversed_a = features(graphs, 4)
    c, d = features(other, 4)
    assert 0 <= similarity(a, b) <= 1 + 1e-12
    assert similarity(a, b) == similarity(b, a) == similarity(c, d)
    assert pytest.approx(1) == similarity(a, reversed_a)
