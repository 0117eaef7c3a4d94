"""Retrieve: for a question its entities and the facts around them, for a check the facts around its claims.

Graphs come from the store by the export queries, once a version, and are kept in the cache that workers share. Only ids
are passed on, not the graph.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from claimgraph.answering.retrieval_result import as_notes
from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.workers.stages.stage_table import Done

if TYPE_CHECKING:
    from claimgraph.workers.stages.worker_context import WorkerContext

QUESTION = "ask"
"""Kind of job that has a question and no document."""


def retrieve(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Return a question's entities, facts and answers, by ids, or the facts around a document's claims."""
    if claimed.job.kind != QUESTION:
        from claimgraph.workers.stages.checking import retrieve_claims

        return retrieve_claims(claimed, tools)
    options = json.loads(claimed.job.options)
    return Done(notes={"chosen": as_notes(tools.asker(options["graphs"]).choose(options["question"], options["mode"]))})
