"""Record claims of unknown outcome: verdicts that say so, so that nothing waits for them.

A recorded TIMEOUT is a verdict of its own beside the real one, which, found later, takes its place (put_current). To
record it under the real verdict's id was rejected: superseded verdicts do not come back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.model import Claim, Finding, Outcome, Run, Status
from claimgraph.kgstore.runs.jobs import Job, TaskLease
from claimgraph.kgstore.store import Step
from claimgraph.pipeline import verdict_of
from claimgraph.workers.stages.checking import COMPARED
from claimgraph.workers.stages.stage_table import Done, plan
from claimgraph.workers.stages.worker_context import WorkerContext


def scores(*_: object) -> Done:
    """Return nothing: claims without a score are scored, or given up, where all parts come together."""
    return Done()


def claims(claimed: TaskLease, tools: WorkerContext, status: Status, why: str) -> Done | None:
    """Return verdicts of that status for the job's claims, by each asked method that has not judged them yet.

    With that the job ends. None where the job has no known claims: a question has none, and before extraction nobody
    knows them.
    """
    wanted = json.loads(claimed.job.notes).get("claims")
    document = claimed.job.document
    if document is None or wanted is None:
        return None
    known = reads.claims_by_id(tools.store, wanted)
    found = [known[key] for key in wanted if key in known]
    reason = f"{claimed.task.stage}: {why}"
    steps = [
        step for method in _open(claimed) for step in _recorded(claimed.job, document, method, found, status, reason)
    ]
    return Done(steps, failed=reason)


def _open(claimed: TaskLease) -> list[str]:
    """Return the asked methods whose stage is this one or a later one."""
    stages = plan(claimed.job)
    at = stages.index(claimed.task.stage)
    asked = json.loads(claimed.job.options)["methods"]
    return [method for method in asked if stages.index("compare" if method in COMPARED else "fuse") >= at]


def _recorded(job: Job, document: str, method: str, found: list[Claim], status: Status, reason: str) -> Iterator[Step]:
    config, scope = _config(job), f"job:{job.id}:{status}"
    now = datetime.now(UTC)
    run = Run(
        identity.run_id("check", method, config, document, scope),
        method,
        config,
        started_at=now,
        finished_at=now,
        status=status.value,
    )
    finding = Finding(Outcome.NOT_ENOUGH_INFO, status, reason)
    verdicts = [verdict_of(claim, finding, method, config, scope, closed=False) for claim in found]
    yield from records.verdict_steps(run, verdicts)


def _config(job: Job) -> str:
    """Return the run's input, as pipeline.check records it: so it is checked again when a graph has changed."""
    options: Mapping[str, Any] = json.loads(job.options)
    against = {
        "context": job.context,
        "graphs": options.get("graphs") or {},
        "extractor": options.get("extractor"),
    }
    preset = {"preset": options["preset"]} if options.get("preset") else {}
    return json.dumps({"against": against} | preset, sort_keys=True)
