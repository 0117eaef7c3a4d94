"""Write a claim a line: JSON Lines with all there is, or CSV with what a table can hold."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from claimgraph.exports.judged import JudgedDocument
from claimgraph.exports.labels import LabelSet, label
from claimgraph.kgstore.model import Claim, Stance, Verdict
from claimgraph.reports.check_report import claim_json

COLUMNS = (
    "document", "document_name", "claim", "statement", "subject", "predicate", "object", "start", "end", "outcome",
    "label", "status", "confidence", "method", "reason", "supports", "refutes", "verdict", "created_at", "run",
)  # fmt: skip


def write_jsonl(found: Iterable[JudgedDocument], file: TextIO, labels: LabelSet | None = None) -> int:
    """Write one object a claim: that of `check --json` with document, run and time. Returns the number of lines."""
    count = 0
    for one in found:
        for claim, verdict in one.pairs:
            file.write(json.dumps(_object(one, claim, verdict, labels), ensure_ascii=False) + "\n")
            count += 1
    return count


def write_csv(found: Iterable[JudgedDocument], file: TextIO, labels: LabelSet | None = None) -> int:
    """Write RFC 4180 CSV with a header; `supports` and `refutes` are the first sentences or facts cited."""
    rows = csv.DictWriter(file, COLUMNS, lineterminator="\r\n")
    rows.writeheader()
    count = 0
    for row in table_rows(found, labels):
        rows.writerow({name: _safe(value) for name, value in row.items()})
        count += 1
    return count


def _object(one: JudgedDocument, claim: Claim, verdict: Verdict, labels: LabelSet | None) -> dict[str, Any]:
    document, run = one.stored.document, one.runs.get(verdict.id)
    named = {"label": label(verdict.outcome, labels)} if labels else {}
    return {
        "document": {"id": document.id, "name": document.name, "source": document.source},
        **claim_json(claim, verdict, one.stored.sources),
        **named,
        "created_at": verdict.created_at.isoformat() if verdict.created_at else None,
        "run": run and run["id"],
    }


def table_rows(found: Iterable[JudgedDocument], labels: LabelSet | None) -> Iterator[dict[str, Any]]:
    """Yield a claim a row, with the keys of COLUMNS."""
    for one in found:
        for claim, verdict in one.pairs:
            run = one.runs.get(verdict.id)
            yield {
                "document": one.stored.document.id,
                "document_name": one.stored.document.name,
                "claim": claim.id,
                "statement": claim.sentence,
                **{name: getattr(claim, name) for name in ("subject", "predicate", "object")},
                "start": claim.span.start,
                "end": claim.span.end,
                "outcome": verdict.outcome.value,
                "label": label(verdict.outcome, labels) if labels else None,
                **{name: getattr(verdict, name) for name in ("confidence", "method", "reason")},
                "status": verdict.status.value,
                "supports": _cited(verdict, Stance.SUPPORTS),
                "refutes": _cited(verdict, Stance.REFUTES),
                "verdict": verdict.id,
                "created_at": verdict.created_at.isoformat() if verdict.created_at else None,
                "run": run and run["id"],
            }


def _cited(verdict: Verdict, stance: Stance) -> str | None:
    return next((cited.evidence.text for cited in verdict.citations if cited.stance is stance), None)


def _safe(value: Any) -> Any:
    """Return a cell that a spreadsheet does not take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value
