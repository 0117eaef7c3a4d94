"""Graph algorithms as Celery tasks that a person calls by name: their result goes back to who called.

They run over graphs that the export queries gave, once a version, as in the tasks of jobs, and store nothing. For a
run of many documents submit jobs: those are counted, resumed and stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.reads import load_graph
from claimgraph.kgstore.upkeep.stale import graph_versions

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Triple
    from claimgraph.retrieval.linking.link import Candidate
    from claimgraph.wiring.asker import Asker
    from claimgraph.workers.tasks.worker_context import WorkerContext

Algorithm = Callable[..., dict[str, Any]]


def prune(tools: WorkerContext, question: str, graphs: Sequence[str] = ()) -> dict[str, Any]:
    """Link a question's entities and prune the graphs around them by personalised PageRank; all world graphs where none
    is named.

    Returns `{linked: [{id, name, score}], nodes: [[id, PageRank]], facts: [id]}`. Raises NotFound for an unknown graph.
    """
    parts = _asker(tools, graphs).parts
    linked = parts.link(question)
    pruned = parts.around([one.entity.id for one in linked]).pruned
    nodes = zip(pruned.graph.nodes, pruned.scores.tolist(), strict=True)
    return {"linked": _linked(linked), "nodes": [list(node) for node in nodes], "facts": list(pruned.graph.facts)}


def retrieve(tools: WorkerContext, question: str, graphs: Sequence[str] = (), mode: str = "subgraph") -> dict[str, Any]:
    """Retrieve the facts for a question from pruned graphs: a prize-collecting Steiner tree, or by another mode of
    `claimgraph ask`.

    Returns `{linked, facts: [id], answers: [{id, name, score, facts}]}`; `facts` of answers are places in `facts`.
    Raises NotFound for an unknown graph, InputError for another mode.
    """
    chosen = _asker(tools, graphs).choose(question, mode)
    answers = [asdict(one) for one in chosen.answers]
    return {"linked": _linked(chosen.linked), "facts": list(chosen.facts), "answers": answers}


def compare(tools: WorkerContext, graph: str, other: str) -> dict[str, Any]:
    """Compare two stored graphs, as the claims of a document and its context, by the Weisfeiler-Lehman kernel: each
    fact of the first with the nearest of the other.

    Returns `{similarity, facts: [[id, similarity]]}`, all in [0, 1]. Raises NotFound for a graph without facts.
    """
    from claimgraph.detect.kernel import comparison
    from claimgraph.detect.methods.factalign.alignment import align
    from claimgraph.detect.models.embedder import Space

    ours, theirs = (_triples(tools, name) for name in (graph, other))
    space = Space(tools.models.embedder)
    rows = [space.rows([triple.text for _, triple in some]) for some in (ours, theirs)]
    nearest = [theirs[row][1] for row in align(*rows).best]
    found = comparison.compare([triple for _, triple in ours], nearest, space)
    return {"similarity": found.whole, "facts": [[key, one] for (key, _), one in zip(ours, found.claims, strict=True)]}


CALLED: dict[str, Algorithm] = {"prune": prune, "retrieve": retrieve, "compare": compare}
"""Tasks by name."""


def _asker(tools: WorkerContext, graphs: Sequence[str]) -> Asker:
    from claimgraph.evidence.topics import world_graphs

    return tools.asker(graph_versions(tools.store, world_graphs(tools.store, graphs)))


def _triples(tools: WorkerContext, name: str) -> list[tuple[str, Triple]]:
    found = load_graph(tools.store, name)
    if not found.facts:
        raise NotFound("graph", name)
    return [(fact.id, found.triple(fact)) for fact in found.facts]


def _linked(linked: Sequence[Candidate]) -> list[dict[str, Any]]:
    return [{"id": one.entity.id, "name": one.entity.name, "score": one.score} for one in linked]
