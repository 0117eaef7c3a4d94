"""Write an answer as the documented JSON object; docs/json.md."""

from __future__ import annotations

from typing import Any

from claimgraph.answering.answer import AskReport, Sentence
from claimgraph.kgstore.model import Evidence
from claimgraph.reports.retrofit_report import edit_json


def as_json(report: AskReport) -> dict[str, Any]:
    """Return `{question, mode, answer, answers, evidence, seconds}`, then the details; None is unknown."""
    found = report.retrofitted
    return {
        "question": report.question,
        "mode": report.mode,
        "answer": report.answer,
        "answers": [{"id": one.id, "name": one.name, "score": one.score} for one in report.answers],
        "evidence": [_evidence(piece) for piece in report.evidence],
        "seconds": round(report.seconds, 3),
        "answered": report.answered,
        "confidence": report.confidence,
        "lacks": report.lacks,
        "count": report.count,
        "nearest": [{"id": one.id, "name": one.name, "score": one.score} for one in report.nearest],
        "id": report.id,
        "prompt": report.prompt,
        "linked": [
            {"id": one.entity.id, "name": one.entity.name, "score": round(one.score, 4)} for one in report.linked
        ],
        "sentences": [_sentence(sentence) for sentence in report.sentences],
        "notes": list(report.notes),
        "draft": found.original if found else None,
        "edits": [edit_json(edit) for edit in found.edits] if found else [],
        "iterations": found.iterations if found else None,
        "stopped": found.stopped.value if found else None,
    }


def _evidence(piece: Evidence) -> dict[str, Any]:
    triple = piece.triple
    return {
        "subject": triple.subject if triple else None,
        "predicate": triple.predicate if triple else None,
        "object": triple.object if triple else None,
        "source": piece.source,
        "text": piece.text,
        "fact": piece.fact_id,
    }


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "outcome": sentence.outcome,
        "reason": sentence.reason,
        "cites": [at + 1 for at in sentence.cites],
        "shown": sentence.shown,
    }
