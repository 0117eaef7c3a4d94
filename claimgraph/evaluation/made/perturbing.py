"""Perturb a stored graph, measure it, and, if it is given a name, store it beside the original."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.identity import scope_version
from claimgraph.kgstore.model import Embedder
from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.kgstore.upkeep.copying import copy_graph
from claimgraph.retrieval.perturbation.distances import distances
from claimgraph.retrieval.perturbation.perturb import Perturbed, perturb


@dataclass(frozen=True, slots=True)
class PerturbReport:
    """The perturbation of a graph of `facts` facts, and the distances of the result
    (claimgraph.retrieval.perturbation.distances).

    `out` is the name it was stored under and `stored` its facts there, both None where it was not stored; `ats` is None
    for a graph without facts.
    """

    graph: str
    out: str | None
    mode: str
    ratio: float
    seed: int
    facts: int
    changed: int
    deleted: int
    stored: int | None
    ats: float | None
    sc2d: float
    sd2: float


def perturb_graph(
    store: GraphStore,
    arrays: GraphArrays,
    embedder: Embedder,
    *,
    graph: str,
    mode: str,
    ratio: float,
    seed: int,
    out: str | None,
) -> PerturbReport:
    """Perturb the graph exported as those arrays. Raises InputError, UsageError as perturb and copy_graph do."""
    found = perturb(arrays, mode, ratio, seed, embedder.embed(arrays.relations))
    far = distances(arrays, found, embedder)
    stored = (
        copy_graph(store, graph, out, scope_version([found.graph.version]), _change(arrays, found)) if out else None
    )
    return PerturbReport(
        graph,
        out,
        mode,
        ratio,
        seed,
        len(arrays.facts),
        int(found.changed.sum()),
        len(arrays.facts) - len(found.graph.facts),
        stored,
        None if far.ats != far.ats else round(far.ats, 4),
        round(far.sc2d, 4),
        round(far.sd2, 4),
    )


def _change(arrays: GraphArrays, found: Perturbed) -> Callable[[Row], Row | None]:
    """Return a function from rows of the original to those of the perturbed graph; None for those it lost."""
    numbers, graph = {key: at for at, key in enumerate(found.graph.facts)}, found.graph

    def change(row: Row) -> Row | None:
        at = numbers.get(row["id"])
        if at is None or not found.changed[at]:
            return None if at is None else row
        kind, object = graph.predicate[at], graph.nodes[graph.object[at]]
        return row | {"predicate": arrays.predicates[kind], "name": arrays.relations[kind], "object": object}

    return change
