"""Write many documents as the jobs of one run to the board.

Texts are written as they come, a few hundred at a time, and only ids are kept, so a run may be larger than memory.
Invalid input is refused before the first job is written: half a run would be a run of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from claimgraph.detect.text.language import language_of
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.errors import InputError, QueueUnreachable
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.reads import PAGE
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import Batch, Job, Task
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.wiring.checker import distinct
from claimgraph.workers.submission.planning import Asked, Planner
from claimgraph.workers.tasks import task_table

if TYPE_CHECKING:
    from claimgraph.workers.execution.task_flow import Send

__all__ = ["Asked", "Item", "Submitted", "stale_items", "submit"]

_AT_ONCE = 200
"""Number of items whose texts are in memory together."""

_Some = TypeVar("_Some")


@dataclass(frozen=True, slots=True)
class Item:
    """The input of one job: a document with its contexts, or a question alone, which also goes with a document that is
    its answer (retrofit). `graphs` replace those of the request; `options` are this job's own, beside the others.
    """

    document: Document | None
    context: Document | Sequence[Document] | None = None
    graphs: Sequence[str] = ()
    question: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Submitted:
    """The run's id, the number of its jobs, of those new to the store, and of tasks that an unreachable broker did not
    get: they are queued in the store all the same.
    """

    run: str
    total: int
    new: int
    unsent: int = 0


def submit(settings: Settings, store: GraphStore, items: Iterable[Item], asked: Asked, send: Send) -> Submitted:
    """Write items as one run, equal ones once, and send the tasks that are ready.

    Submitted again they are the same run: finished work stays, and it continues if it was paused or cancelled, under
    the budget given now. Raises InputError for no items and for what Planner refuses.
    """
    planner = Planner(settings, store, asked)
    jobs: dict[str, Job] = {}
    for some in _chunks(items, _AT_ONCE):
        found = [_job(item, asked.kind, planner) for item in some]
        store.write(*records.document_steps(_texts(some)))
        jobs |= {job.id: job for job in found}
    if not jobs:
        raise InputError("nothing to submit")
    known = sum(len(store.read("jobs_by_id", ids=ids)) for ids in _chunks(jobs, PAGE))
    batch = Batch(identity.batch_id(asked.kind, list(jobs)), asked.kind, asked.summary, planner.budget, asked.bulk)
    first = [task_table.first_task(job, bulk=asked.bulk) for job in jobs.values()]
    tasks = Board(store).submit(batch, list(jobs.values()), first)
    return Submitted(batch.id, len(jobs), len(jobs) - known, _unsent(tasks, send))


def stale_items(store: GraphStore, graphs: Sequence[str] = ()) -> Iterator[Item]:
    """Yield the documents with stale verdicts, to recheck; with `graphs` those judged by one of them.

    Raises NotFound for an unknown graph.
    """
    from claimgraph.rechecking import stale_jobs

    for some in _chunks(stale_jobs(store, graphs), _AT_ONCE):
        documents = reads.load_documents(store, [job.document for job in some])
        yield from (Item(documents[job.document], options={"state": job.state}) for job in some)


def _job(item: Item, kind: str, planner: Planner) -> Job:
    document = item.document.id if item.document else None
    context = " ".join(one.id for one in distinct(item.context)) or None
    options = planner.options(
        item.graphs, item.question, item.options, document=document is not None, context=context is not None
    )
    return Job(identity.job_id(kind, document, context, options), kind, document, context, options)


def _texts(items: Sequence[Item]) -> list[Document]:
    """Return the texts of items, each once; those to check with their detected language."""
    found = {one.id: one for item in items for one in distinct(item.context)}
    found |= {one.id: replace(one, language=language_of(one.text)) for one in (item.document for item in items) if one}
    return list(found.values())


def _unsent(tasks: Sequence[Task], send: Send) -> int:
    try:
        send(tasks)
    except QueueUnreachable as error:
        return error.unsent
    return 0


def _chunks(some: Iterable[_Some], size: int) -> Iterator[list[_Some]]:
    rest = iter(some)
    while chunk := list(islice(rest, size)):
        yield chunk
