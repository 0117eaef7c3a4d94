"""Answer a question from chosen facts: read back by id, written, checked, and stored with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from claimgraph.answering.retrieval_result import from_notes
from claimgraph.kgstore.engines.write_buffer import WriteBuffer
from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.workers.stages.stage_table import Done

if TYPE_CHECKING:
    from claimgraph.workers.stages.worker_context import WorkerContext


def answer(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Return the answer, as Asker.ask does; its id is left in the notes."""
    options, chosen = json.loads(claimed.job.options), json.loads(claimed.job.notes)["chosen"]
    store = WriteBuffer(tools.store)
    report = tools.asker(options["graphs"]).answer(
        options["question"], from_notes(chosen, store), mode=options["mode"], prompt=options["prompt"], store=store
    )
    return Done(store.steps, {"answer": report.id})
