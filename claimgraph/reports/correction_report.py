"""Write a correction as the documented JSON object; docs/json.md."""

from __future__ import annotations

from typing import Any

from claimgraph.kgstore.model import Outcome, Report
from claimgraph.repair.correction import CorrectionReport


def as_json(report: CorrectionReport) -> dict[str, Any]:
    """Return `{text, original, method, edits, before, after}`; the last two are numbers of verdicts by outcome."""
    columns = ("start", "end", "before", "after", "claim", "verdict", "status", "reason")
    return {
        "text": report.corrected.text,
        "original": report.corrected.original,
        "method": report.method,
        "edits": [{column: getattr(edit, column) for column in columns} for edit in report.corrected.edits],
        "before": counts(report.before),
        "after": counts(report.after),
    }


def counts(report: Report) -> dict[str, int]:
    """Return the number of verdicts of each outcome."""
    return {outcome.value: sum(v.outcome is outcome for v in report.verdicts) for outcome in Outcome}
