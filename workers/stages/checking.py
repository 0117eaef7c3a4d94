"""Run the stages of a check: those of pipeline.check, one step a task, with the graph between the steps.

Each stage reads its input by the ids in the job's notes (job_state.py) and composes the pipeline's own parts, so a
verdict does not depend on the way it was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import ceil
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.text.language import caveat
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.model import Claim, Extraction
from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.kgstore.store import Step
from claimgraph.kgstore.upkeep.stale import graph_versions
from claimgraph.pipeline import judge, judged_steps
from claimgraph.workers.stages import job_state
from claimgraph.workers.stages.job_state import JobState
from claimgraph.workers.stages.stage_table import Done, plan

if TYPE_CHECKING:
    from claimgraph.workers.stages.worker_context import WorkerContext

PART = 50
"""Most claims that one task scores by the entailment model: a longer document is split."""

COMPARED = ("kea", "factalign", "rules")
"""Methods that need graphs and vectors; the others need an entailment model's scores."""


def extract(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Read the document and its context: claims, claim KG, and the context's KG where the store lacks it."""
    work = JobState(claimed.job, tools)
    reader = work.checker.reader(work.document, work.context)
    [extraction] = reader.extract([work.document])
    graph = claim_kg(extraction, identity.claim_graph(extraction.document.id))
    steps = list(records.extraction_steps(extraction, graph))
    notes = job_state.of_extraction(extraction, graph)
    if work.context:
        [read] = work.checker.context_reader(reader).extract([work.context])
        facts = claim_kg(read, identity.context_graph(read.document.id))
        notes["context"] = job_state.of_reading(read, facts)
        steps += _lacking(records.context_steps(work.context, facts), tools)
    return Done(steps, notes, parts=_parts(claimed, extraction.claims))


def link(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Link the claims to entities of the job's graphs."""
    work = JobState(claimed.job, tools)
    links = work.checker.known(tuple(work.options["graphs"])).links(work.extraction.claims)
    return Done(records.link_steps(links), {"links": job_state.of_links(links)})


def retrieve_claims(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Return the facts of the job's graphs between and around the entities, and the entities with incomplete facts."""
    work = JobState(claimed.job, tools)
    claims, known = work.extraction.claims, work.checker.known(tuple(work.options["graphs"]))
    around = {
        "graphs": known.versions,
        "facts": [fact.id for fact in known.facts(claims, work.links).facts],
        "incomplete": sorted(known.incomplete(work.links)),
    }
    return Done(notes={"around": around}, parts=_parts(claimed, claims))


def compare(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Return the verdicts of the methods that compare graphs, vectors and words."""
    return _judged(claimed, tools, COMPARED)


def entail(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Return score one part of the claims by the entailment model, into the cache that workers share. Raises
    ModelError.
    """
    from claimgraph.detect.methods.fusion.detector import weighable

    work, first = JobState(claimed.job, tools), PART * claimed.task.part
    case = work.given.case
    some = replace(case, claims=case.claims[first : first + PART], graph=None)
    for method in work.options["methods"]:
        if method == "grapheval" or (method == "fused" and weighable(case)):
            work.checker.scorer(method, work.options.get("preset")).detect([some])
    return Done()


def fuse(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Return the verdicts of the methods that use an entailment model's scores."""
    return _judged(claimed, tools, ("grapheval", "fused"))


def claims_of(claimed: TaskLease, tools: WorkerContext) -> tuple[Claim, ...]:
    """Return the claims of a job whose document was read, in the order of the text."""
    return extraction_of(claimed, tools).claims


def extraction_of(claimed: TaskLease, tools: WorkerContext) -> Extraction:
    """Return the extraction of a job's document."""
    return JobState(claimed.job, tools).extraction


def _judged(claimed: TaskLease, tools: WorkerContext, methods: Sequence[str]) -> Done:
    work, started = JobState(claimed.job, tools), datetime.now(UTC)
    steps: list[Step] = []
    for method in (one for one in work.options["methods"] if one in methods):
        graphs = None if work.context else work.options["graphs"]
        detector = work.checker.detector(method, work.options.get("preset"), graphs=graphs)
        said = caveat(work.document.language)
        run, verdicts = judge(work.given, detector, work.checker.extractor, said, started)
        steps += judged_steps(run, verdicts, work.evidence_set.sources)
    return Done(steps, parts=_parts(claimed, work.notes["claims"]))


def _lacking(steps: Sequence[Step], tools: WorkerContext) -> Sequence[Step]:
    """Return steps that store a graph; none where the store has it in this version: a context is shared by many
    texts.
    """
    [row] = next(rows for name, rows in steps if name == "put_graphs")
    return () if graph_versions(tools.store, [row["id"]]).get(row["id"]) == row["version"] else steps


def _parts(claimed: TaskLease, claims: Sequence[object]) -> int:
    """Return the number of parts of the next stage."""
    stages = plan(claimed.job)
    following = stages[stages.index(claimed.task.stage) + 1 :][:1]
    return max(1, ceil(len(claims) / PART)) if following == ("entail",) else 1
