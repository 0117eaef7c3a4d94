"""Triplets, paths and Steiner trees against slow oracles, and a question answered from a graph."""

from __future__ import annotations

import numpy as np
import oracle_retrieval as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError
from claimgraph.retrieval.subgraph.paths import paths
from claimgraph.retrieval.subgraph.pcst import subgraph
from claimgraph.retrieval.subgraph.prizes import PRESETS, Prizes
from claimgraph.retrieval.subgraph.prune import Pruned
from claimgraph.retrieval.subgraph.retrieve import MODES, retrieve
from claimgraph.retrieval.subgraph.triplets import triplets

small = st.integers(0, 4).map(float)


@st.composite
def prized(draw: st.DrawFn, facts: int) -> tuple[GraphArrays, Prizes]:
    """A graph of up to six nodes, loops and parallel facts among its facts, with prizes and a cost."""
    nodes = draw(st.integers(1, 6))
    ends = st.integers(0, nodes - 1)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=facts))
    earned = [draw(st.lists(small, min_size=size, max_size=size)) for size in (nodes, len(edges))]
    return oracle.graph(nodes, edges), Prizes(
        np.array(earned[0]), np.array(earned[1]), draw(st.sampled_from([0.5, 1, 2]))
    )


def _loss(earned: Prizes, score: float) -> float:
    """Costs of facts plus prizes left out: what Goemans and Williamson bound, with prizes of facts net of costs."""
    return float(earned.nodes.sum() + np.maximum(earned.facts - earned.cost, 0).sum() - score)


@settings(max_examples=80, deadline=None)
@given(prized(facts=7))
def test_subgraph_guarantee(case):
    """The subgraph is connected, and its costs plus prizes left out are at most twice the least possible."""
    graph, earned = case
    nodes, facts = subgraph(graph, earned)
    reached = {int(nodes[0])}
    for _ in facts:
        for fact in facts:
            pair = {int(graph.subject[fact]), int(graph.object[fact])}
            reached |= pair if pair & reached else set()
    assert reached == set(nodes.tolist())
    found, best = earned.score(nodes, facts), oracle.best_subgraph(graph, earned)
    assert found == oracle.score(earned, nodes, facts)
    assert found <= best + 1e-9
    assert _loss(earned, found) <= 2 * _loss(earned, best) + 1e-9


def test_subgraph_often_best():
    """On most random graphs the subgraph is the best there is."""
    random, equal = np.random.default_rng(0), 0
    for _ in range(60):
        edges = random.integers(0, 6, (8, 2)).tolist()
        graph = oracle.graph(6, edges)
        earned = Prizes(random.integers(0, 5, 6) * 1.0, random.integers(0, 4, 8) * 1.0, 1.5)
        equal += earned.score(*subgraph(graph, earned)) == pytest.approx(oracle.best_subgraph(graph, earned))
    assert equal >= 54


def test_parallel_facts_and_direction():
    """Two parallel facts that are both worth their cost are both taken, whichever way they point; a poor one is not."""
    graph = oracle.graph(2, [(0, 1), (1, 0), (0, 1), (1, 1)])
    earned = Prizes(np.array([5.0, 5]), np.array([3.0, 2, 0, 4]), 1.0)
    nodes, facts = subgraph(graph, earned)
    assert ([0, 1], [0, 1, 3]) == (nodes.tolist(), facts.tolist())


def test_one_node_without_facts():
    """A graph without facts gives its best node, an empty one nothing."""
    alone = Prizes(np.array([1.0, 2]), np.zeros(0), 1.0)
    assert ([1], []) == tuple(part.tolist() for part in subgraph(oracle.graph(2, []), alone))
    nothing = Prizes(np.zeros(0), np.zeros(0), 1.0)
    assert ([], []) == tuple(part.tolist() for part in subgraph(oracle.graph(0, []), nothing))


@settings(max_examples=80, deadline=None)
@given(prized(facts=10), st.integers(1, 5))
def test_paths_greedy(case, most_nodes):
    """Paths are the best that a plain greedy walk finds, one after another, from nodes whose prize is left."""
    graph, earned = case
    left, expected = Prizes(earned.nodes.copy(), earned.facts.copy(), earned.cost), []
    for _ in range(3):
        walks = [oracle.greedy_path(graph, left, int(start), most_nodes) for start in np.flatnonzero(left.nodes)]
        scored = [(-oracle.score(left, *walk), *walk) for walk in walks if walk[1]]
        if not scored:
            break
        expected.append(min(scored)[1:])
        left.nodes[list(expected[-1][0])] = 0
        left.facts[list(expected[-1][1])] = 0
    found = paths(graph, earned, 3, most_nodes)
    assert expected == [(path.nodes, path.facts) for path in found]
    assert all(len(set(path.nodes)) == len(path.nodes) == len(path.facts) + 1 <= most_nodes for path in found)


@settings(max_examples=40, deadline=None)
@given(prized(facts=10), st.integers(0, 12))
def test_triplets(case, count):
    """Triplets are the facts with the highest reward, the more similar first among equals, then by number."""
    graph, earned = case
    similarity = np.arange(len(graph.facts))[::-1] // 2
    rewards = earned.rewards(graph)
    expected = sorted(range(len(rewards)), key=lambda fact: (-rewards[fact], -similarity[fact], fact))
    assert expected[:count] == triplets(graph, earned, similarity, count).tolist()


FACTS = [
    ("Sasha Vujačić", "place of birth", "Maribor"),
    ("Sasha Vujačić", "occupation", "basketball player"),
    ("Sasha Vujačić", "member of sports team", "Los Angeles Lakers"),
    ("Maribor", "country", "Slovenia"),
    ("Los Angeles Lakers", "sport", "basketball"),
    ("Kobe Bryant", "member of sports team", "Los Angeles Lakers"),
]


def _world() -> GraphArrays:
    names = sorted({name for subject, _, object in FACTS for name in (subject, object)})
    relations = sorted({relation for _, relation, _ in FACTS})
    columns = zip(*[(names.index(s), relations.index(p), names.index(o)) for s, p, o in FACTS], strict=True)
    numbers = [np.array(column, dtype=np.int32) for column in columns]
    return GraphArrays("v", names, names, [f"f1:{i}" for i in range(len(FACTS))], *numbers, relations, relations)


def _pruned(graph: GraphArrays) -> Pruned:
    """The whole graph, with one seed."""
    seeds = [at for at, name in enumerate(graph.names) if name == "Sasha Vujačić"]
    scores = np.full(len(graph.nodes), 0.01)
    scores[seeds] = 0.5
    return Pruned(graph, scores, np.array(seeds, dtype=np.int32))


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder(threads=1)


@pytest.mark.parametrize("mode", ["triplet", "path", "subgraph"])
def test_question(mode, embedder):
    """Each retrieval puts the fact that answers a simple question first."""
    found = retrieve("where was sasha vujačić born", _pruned(_world()), embedder, mode)
    assert FACTS[0] == FACTS[found.facts[0]]
    assert (len(_world().nodes), len(FACTS)) == (len(found.node_prizes), len(found.fact_prizes))
    assert found.score == pytest.approx(oracle.score(_earned(found), found.nodes, found.facts))
    assert (mode == "path") == bool(found.paths)


def _earned(found) -> Prizes:
    return Prizes(found.node_prizes, found.fact_prizes, 1.0)


def test_near_the_seed(embedder):
    """The preset `near` ranks what is near the seeds first: other players' facts come after all of the seed's own."""
    pruned = _pruned(_world())
    plain, near = (retrieve("the Lakers player", pruned, embedder, "triplet", PRESETS[name]) for name in PRESETS)
    about = ["Sasha" in pruned.graph.text(fact) for fact in range(len(FACTS))]
    assert 10 + 9 + 8 > plain.fact_prizes[about].sum()
    assert 30 + 29 + 28 == near.fact_prizes[about].sum()
    assert plain.fact_similarity.tolist() == near.fact_similarity.tolist()


def test_random_is_seeded(embedder):
    """Chance takes the same facts for the same seed."""
    pruned = _pruned(_world())
    same = [retrieve("who", pruned, embedder, "random", seed=3).facts for _ in range(2)]
    assert same[0] == same[1]
    assert set(range(len(FACTS))) == set(same[0])


def test_nothing_to_retrieve(embedder):
    """An empty graph gives nothing in every mode, and an unknown mode is refused with the known ones."""
    pruned = _pruned(oracle.graph(0, []))
    assert [()] * 4 == [retrieve("who", pruned, embedder, mode).facts for mode in MODES]
    with pytest.raises(InputError, match="triplet, path, subgraph, random"):
        retrieve("who", pruned, embedder, "all")
