"""Record claims of unknown outcome: verdicts that say so, so that nothing waits for them.

A recorded TIMEOUT is a verdict of its own beside the real one, which, found later, takes its place (put_current). To
record it under the real verdict's id was rejected: superseded verdicts do not come back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from claimgraph.kgstore import identity, records
from claimgraph.kgstore.model import Claim, Finding, Outcome, Run, Status
from claimgraph.kgstore.runs.jobs import Job
from claimgraph.kgstore.store import Step
from claimgraph.pipeline import verdict_of


def unknown_steps(
    job: Job, methods: Sequence[str], claims: Sequence[Claim], status: Status, reason: str
) -> Iterator[Step]:
    """Yield steps that store, by each of the methods, a verdict of that status for each claim of the job's document."""
    config, scope, now = _config(job), f"job:{job.id}:{status}", datetime.now(UTC)
    finding = Finding(Outcome.NOT_ENOUGH_INFO, status, reason)
    for method in methods:
        key = identity.run_id("check", method, config, str(job.document), scope)
        run = Run(key, method, config, started_at=now, finished_at=now, status=status.value)
        verdicts = [verdict_of(claim, finding, method, config, scope, closed=False) for claim in claims]
        yield from records.verdict_steps(run, verdicts)


def _config(job: Job) -> str:
    """Return the run's input, as pipeline.check records it: so it is checked again when a graph has changed."""
    options: Mapping[str, Any] = json.loads(job.options)
    against = {
        "context": job.context if len(job.contexts) < 2 else list(job.contexts),
        "graphs": options.get("graphs") or {},
        "extractor": options.get("extractor"),
    }
    preset = {"preset": options["preset"]} if options.get("preset") else {}
    return json.dumps({"against": against} | preset, sort_keys=True)
