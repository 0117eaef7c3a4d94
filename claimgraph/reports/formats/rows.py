"""Write the claims of a checked text for programs: a JSON object a line, or CSV."""

from __future__ import annotations

import csv as _csv
import io
import json as _json
from typing import Any

from claimgraph.kgstore.model import Claim, Report, Verdict
from claimgraph.reports.check_report import claim_json
from claimgraph.reports.places import evidence_place, place_of, sources_of

COLUMNS = (
    "document", "name", "claim", "start", "end", "line", "page", "statement", "subject", "predicate", "object",
    "outcome", "status", "confidence", "method", "reason", "evidence", "source", "source_line", "source_page",
)  # fmt: skip


def jsonl(report: Report) -> str:
    """Return an object a line for each claim, as under `claims` of the documented object, with the document's id."""
    about, sources = {"document": report.document.id, "name": report.document.name}, sources_of(report)
    rows = (about | claim_json(*pair, sources) for pair in _pairs(report))
    return "\n".join(_json.dumps(row, ensure_ascii=False) for row in rows)


def csv(report: Report) -> str:
    """Return RFC 4180 CSV with a header (COLUMNS) and a row for each claim, with the evidence that it cites first."""
    text = io.StringIO(newline="")
    writer = _csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(row(report, *pair) for pair in _pairs(report))
    return text.getvalue().removesuffix("\r\n")


def row(report: Report, claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """Return a claim with its verdict and first evidence as a flat row; None is unknown."""
    place = place_of(report.document.text, claim.span)
    first = verdict.citations[0].evidence if verdict.citations else None
    cited = evidence_place(first, sources_of(report)) if first else None
    values = (
        report.document.id, report.document.name, claim.id, claim.span.start, claim.span.end, place.line, place.page,
        claim.sentence, claim.subject, claim.predicate, claim.object,
        verdict.outcome.value, verdict.status.value, verdict.confidence, verdict.method, verdict.reason,
        first.text if first else None, first.source if first else None,
        cited.line if cited else None, cited.page if cited else None,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _pairs(report: Report) -> list[tuple[Claim, Verdict]]:
    return list(zip(report.claims, report.verdicts, strict=True))
