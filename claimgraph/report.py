"""A Report as the documented JSON object, and the hallucination labels of its sentences.

The schema is docs/json.md's; web, command line and workers print this and nothing else.
"""

from __future__ import annotations

from typing import Any

from kgstore.model import Citation, Claim, Hallucination, Report, Span, Verdict


def as_json(report: Report) -> dict[str, Any]:
    """`{document, method, sentences, claims, notes, run}`: plain values, spans as code points, None for unknown."""
    return {
        "document": {"id": report.document.id, "text": report.document.text},
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
    """How much speaks for a hallucination, in [0, 1]: the signal the detector fused, None where it gave none.

    Continuous, so that texts can be ranked; 0.5 is where nothing speaks either way.
    """
    signals = {(signal.method, signal.name): signal.value for signal in verdict.signals}
    return signals.get(("fused", "hallucination"))


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
    inside = [
        verdict
        for claim, verdict in zip(report.claims, report.verdicts, strict=True)
        if claim.span.start < span.end and span.start < claim.span.end
    ]
    scores = [value for value in map(score, inside) if value is not None]
    return {
        "start": span.start,
        "end": span.end,
        "label": max(map(label, inside), default=0),
        "score": max(scores, default=None),
    }


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
