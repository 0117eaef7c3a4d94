"""Retrieve the facts of a pruned graph that are relevant to a question: OKGQA's three modes, and a random baseline.

All three use the same prizes, so they differ only in the shape they look for. `random` measures what arbitrary facts of
the same neighbourhood are worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Embedder
from claimgraph.retrieval.subgraph.elements import ElementCosines, EmbeddedElements
from claimgraph.retrieval.subgraph.paths import paths
from claimgraph.retrieval.subgraph.pcst import subgraph
from claimgraph.retrieval.subgraph.prizes import PRESETS, Numbers, Prizes, RetrievalPreset, Values, prizes, relevance
from claimgraph.retrieval.subgraph.triplets import triplets

if TYPE_CHECKING:
    from claimgraph.retrieval.subgraph.prune import Pruned

MODES = ("triplet", "path", "subgraph", "random")


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """The result of retrieval in a pruned graph of n nodes and m facts; numbers are that graph's.

    `facts` are best first: by similarity, ties by number (a node's prize chooses facts, but does not say which of them
    answers). `nodes` are those they join, ascending, or the one node that is worth more than any fact. `paths` holds
    the facts of each path in order, the best path first; other modes have none. Prizes and similarities (cosines) have
    shape (n,) for nodes and (m,) for facts. `score` is S of nodes and facts (prizes.py).
    """

    facts: tuple[int, ...]
    nodes: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    node_prizes: NDArray[np.float64]
    fact_prizes: NDArray[np.float64]
    node_similarity: NDArray[np.float32]
    fact_similarity: NDArray[np.float32]
    score: float


def retrieve(
    question: str,
    pruned: Pruned,
    embedder: Embedder,
    mode: str,
    preset: RetrievalPreset = PRESETS["okgqa"],
    *,
    elements: ElementCosines | None = None,
    seed: int = 0,
) -> Retrieved:
    """Return the facts of the pruned graph for the question, by `mode`: triplet, path, subgraph or random.

    `elements` gives the cosines; without it every element is embedded. `random` takes as many facts as `triplet` does,
    from all, by the seed. Raises InputError for another mode.
    """
    graph = pruned.graph
    near_nodes, near_facts = map(_rounded, (elements or EmbeddedElements(embedder)).cosines(question, graph))
    ranked = relevance(graph, pruned.scores, (near_nodes, near_facts), preset.near)
    earned = Prizes(prizes(ranked[0], preset.k), prizes(ranked[1], preset.k), preset.cost)
    nodes, facts, chains = _found(graph, earned, ranked[1], mode, preset, seed)
    ordered = facts[np.argsort(-near_facts[facts], kind="stable")]
    return Retrieved(
        tuple(ordered.tolist()),
        tuple(nodes.tolist()),
        chains,
        earned.nodes,
        earned.facts,
        near_nodes,
        near_facts,
        earned.score(nodes, facts),
    )


def _rounded(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    """Round to six decimals, so that equal texts tie: a product's last bits depend on the position of a row."""
    return np.round(cosines, 6)


def _found(
    graph: GraphArrays, earned: Prizes, relevant: Values, mode: str, preset: RetrievalPreset, seed: int
) -> tuple[Numbers, Numbers, tuple[tuple[int, ...], ...]]:
    """Return nodes and facts, ascending, and the paths."""
    chains: tuple[tuple[int, ...], ...] = ()
    if mode == "subgraph":
        return *subgraph(graph, earned), chains
    if mode == "path":
        chains = tuple(path.facts for path in paths(graph, earned, preset.paths, preset.path_nodes))
        facts = np.unique(np.array([fact for chain in chains for fact in chain], dtype=np.int64))
    elif mode == "triplet":
        facts = np.sort(triplets(graph, earned, relevant, preset.triplets))
    elif mode == "random":
        count = min(preset.triplets, len(graph.facts))
        facts = np.sort(np.random.default_rng(seed).choice(len(graph.facts), count, replace=False))
    else:
        raise InputError(f"no retrieval mode {mode!r}: {', '.join(MODES)}")
    return np.unique(np.concatenate([graph.subject[facts], graph.object[facts]])), facts, chains
