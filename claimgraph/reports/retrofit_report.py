"""Write a retrofitted draft as the documented JSON object; docs/json.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimgraph.reports.check_report import evidence_json

if TYPE_CHECKING:
    from claimgraph.repair.retrofitting import RetrofitEdit, RetrofitReport, Unresolved


def as_json(report: RetrofitReport) -> dict[str, Any]:
    """Return `{text, original, edits, iterations, stopped}`, then the details; None is unknown."""
    return {
        "text": report.text,
        "original": report.original,
        "edits": [edit_json(edit) for edit in report.edits],
        "iterations": report.iterations,
        "stopped": report.stopped.value,
        "mode": report.mode.value,
        "left": [_left(one) for one in report.left],
        "statuses": report.statuses,
        "document": report.final.extraction.document.id,
        "seconds": round(report.seconds, 3),
        "notes": list(report.notes),
    }


def edit_json(edit: RetrofitEdit) -> dict[str, Any]:
    """Return one change with its evidence."""
    return {
        "iteration": edit.iteration,
        "start": edit.start,
        "end": edit.end,
        "before": edit.before,
        "after": edit.after,
        "claim": edit.claim.id,
        "verdict": edit.verdict.id,
        "evidence": [evidence_json(citation) for citation in edit.verdict.citations],
        "reason": edit.verdict.reason,
    }


def _left(one: Unresolved) -> dict[str, Any]:
    return {
        "claim": one.claim.id,
        "text": one.claim.triple.text,
        "start": one.claim.span.start,
        "end": one.claim.span.end,
        "verdict": one.verdict.id,
        "outcome": one.verdict.outcome.value,
        "status": one.verdict.status.value,
        "edit": one.edit.status.value if one.edit else None,
        "edit_reason": one.edit.reason if one.edit else None,
        "reason": one.verdict.reason,
    }
