"""A Report as the documented JSON object, with the hallucination labels of its sentences and of the whole.

The schema is docs/json.md's; web, command line and workers print this and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from detect.levels import Level, inside, level
from kgstore.model import Citation, Claim, Hallucination, Outcome, Report, Span, Verdict


def as_json(report: Report) -> dict[str, Any]:
    """`{document, method, sentences, claims, notes, run}`: plain values, spans as code points, None for unknown."""
    return {
        "document": {
            "id": report.document.id,
            "text": report.document.text,
            "verdict": _level_json(_level(report.verdicts)) | {"outcome": _outcome(report.verdicts)},
        },
        "method": report.run.method,
        "sentences": [_sentence(span, report) for span in report.sentences],
        "claims": [claim_json(c, v) for c, v in zip(report.claims, report.verdicts, strict=True)],
        "notes": list(report.notes),
        "run": {"id": report.run.id, "seconds": round(report.seconds, 3)},
    }


def label(verdict: Verdict) -> int:
    """1 if the claim is hallucinated (intrinsic or extrinsic), else 0."""
    return int(verdict.hallucination is not None)


def score(verdict: Verdict) -> float | None:
    """How much speaks for a hallucination, in [0, 1]: as its method put it, None where it could not tell.

    Continuous, so that texts can be ranked; 0.5 is where nothing speaks either way.
    """
    signals = {(signal.method, signal.name): signal.value for signal in verdict.signals}
    return signals.get((verdict.method, "hallucination"))


def claim_json(claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """One claim with its verdict and evidence."""
    return {
        "id": claim.id,
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": claim.object,
        "start": claim.span.start,
        "end": claim.span.end,
        "verdict": {
            "outcome": verdict.outcome.value,
            "status": verdict.status.value,
            "hallucination": verdict.hallucination.value if isinstance(verdict.hallucination, Hallucination) else None,
            "confidence": verdict.confidence,
            "method": verdict.method,
            "reason": verdict.reason,
            "evidence": [_evidence(citation) for citation in verdict.citations],
        },
    }


def _sentence(span: Span, report: Report) -> dict[str, Any]:
    here = [report.verdicts[at] for at in inside([claim.span for claim in report.claims], span)]
    return {"start": span.start, "end": span.end} | _level_json(_level(here))


def _level(verdicts: Sequence[Verdict]) -> Level:
    return level([label(verdict) for verdict in verdicts], [score(verdict) for verdict in verdicts])


def _level_json(found: Level) -> dict[str, Any]:
    return {"label": found.label, "score": found.score, "status": "complete" if found.claims else "no_claims"}


def _outcome(verdicts: Sequence[Verdict]) -> str | None:
    """REFUTED if a claim is, else NOT_ENOUGH_INFO if that is said of one, else SUPPORTED; None without claims."""
    outcomes = {verdict.outcome for verdict in verdicts}
    order = (Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO, Outcome.SUPPORTED)
    return next((outcome.value for outcome in order if outcome in outcomes), None)


def _evidence(citation: Citation) -> dict[str, Any]:
    evidence = citation.evidence
    triple = evidence.triple
    return {
        "subject": triple.subject if triple else None,
        "predicate": triple.predicate if triple else None,
        "object": triple.object if triple else None,
        "text": evidence.text,
        "source": evidence.source,
        "stance": citation.stance.value,
        "score": citation.score,
        "start": evidence.span.start if evidence.span else None,
        "end": evidence.span.end if evidence.span else None,
    }
