"""Graph algorithms as Celery tasks that a person calls by name: their result goes back to who called.

They run over graphs that the export queries gave, once a version, as in the tasks of jobs, and store nothing. For a
run of many documents submit jobs: those are counted, resumed and stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore.engines.write_buffer import WriteBuffer
from claimgraph.kgstore.upkeep.stale import graph_versions

if TYPE_CHECKING:
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


def compare(tools: WorkerContext, text: str, context: str | None = None, graphs: Sequence[str] = ()) -> dict[str, Any]:
    """Compare the claims of a text with a context, stored graphs, or both, as graphs by the Weisfeiler-Lehman kernel.

    Returns what `claimgraph check --method kea --json` prints. Raises UsageError where there is nothing to compare
    with, NotFound for an unknown graph.
    """
    from claimgraph.input_texts import document_from_text
    from claimgraph.reports.check_report import as_json

    longest = tools.settings.max_text
    document = document_from_text(text, longest, "the text")
    against = document_from_text(context, longest, "the context") if context else None
    store = WriteBuffer(tools.store)
    return as_json(tools.checker().check(document, context=against, graphs=graphs, method="kea", store=store))


CALLED: dict[str, Algorithm] = {"prune": prune, "retrieve": retrieve, "compare": compare}
"""Tasks by name."""


def _asker(tools: WorkerContext, graphs: Sequence[str]) -> Asker:
    from claimgraph.evidence.topics import world_graphs

    return tools.asker(graph_versions(tools.store, world_graphs(tools.store, graphs)))


def _linked(linked: Sequence[Candidate]) -> list[dict[str, Any]]:
    return [{"id": one.entity.id, "name": one.entity.name, "score": one.score} for one in linked]
