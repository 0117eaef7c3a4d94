"""Write a Report as the documented JSON object, with the hallucination labels of its sentences and of the whole.

The schema is docs/json.md's; web, command line and workers print this and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from claimgraph.detect.extraction.extraction_cache import rejections_json
from claimgraph.detect.levels import Level, label_of, level
from claimgraph.detect.text.span_index import SpanIndex
from claimgraph.kgstore.model import Citation, Claim, Document, Hallucination, Outcome, Report, Run, Verdict
from claimgraph.reports.places import Place, evidence_place, sources_of


def as_json(report: Report, *, nei: bool = False) -> dict[str, Any]:
    """Return `{document, contexts, method, preset, sentences, claims, notes, rejected, run}`: plain values, None
    unknown.

    Spans are in code points. `nei`: NOT_ENOUGH_INFO is a hallucination in an open domain too (the papers' rule); else
    it is an abstention.
    """
    silent = {one.span: one.why.value for one in report.silent}
    return {
        "document": {
            "id": report.document.id,
            "text": report.document.text,
            "verdict": _level_json(_level(report.verdicts, nei)) | {"outcome": _outcome(report.verdicts)},
        },
        "contexts": [{"id": one.id, "name": one.name, "source": one.source} for one in report.contexts],
        "method": report.run.method,
        "preset": preset(report.run),
        "sentences": [
            {"start": span.start, "end": span.end} | _level_json(found) | {"silent": silent.get(span)}
            for span, found in zip(report.sentences, sentence_levels(report, nei=nei), strict=True)
        ],
        "claims": [claim_json(c, v, sources_of(report)) for c, v in zip(report.claims, report.verdicts, strict=True)],
        "notes": list(report.notes),
        "rejected": rejections_json(report.rejected),
        "run": {"id": report.run.id, "seconds": round(report.seconds, 3)},
    }


def preset(run: Run) -> str | None:
    """Return the preset of the run's method; None where it has none."""
    found = json.loads(run.config).get("preset")
    return None if found is None else str(found)


def sentence_levels(report: Report, *, nei: bool) -> list[Level]:
    """Return the level of each sentence by its claims, in order; a claim that spans two counts in both."""
    claims = SpanIndex(("", claim.span) for claim in report.claims)
    found = (claims.overlapping("", sentence.start, sentence.end) for sentence in report.sentences)
    return [_level([report.verdicts[at] for at in rows], nei) for rows in found]


def score(verdict: Verdict) -> float | None:
    """Return the strength of evidence for a hallucination, in [0, 1], by its method; None where it could not decide.

    Continuous, so that texts can be ranked; 0.5 is no evidence for either side.
    """
    signals = {(signal.method, signal.name): signal.value for signal in verdict.signals}
    return signals.get((verdict.method, "hallucination"))


def claim_json(claim: Claim, verdict: Verdict, sources: Mapping[str, Document]) -> dict[str, Any]:
    """Return one claim with its verdict and evidence, and its place in `sources`, documents by id."""
    return {
        "id": claim.id,
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": claim.object,
        "statement": claim.sentence,
        "start": claim.span.start,
        "end": claim.span.end,
        "verdict": {
            "outcome": verdict.outcome.value,
            "status": verdict.status.value,
            "hallucination": verdict.hallucination.value if isinstance(verdict.hallucination, Hallucination) else None,
            "confidence": verdict.confidence,
            "method": verdict.method,
            "reason": verdict.reason,
            "evidence": [
                evidence_json(citation, evidence_place(citation.evidence, sources)) for citation in verdict.citations
            ],
        },
    }


def _level(verdicts: Sequence[Verdict], nei: bool) -> Level:
    return level([_label(verdict, nei) for verdict in verdicts], [score(verdict) for verdict in verdicts])


def _label(verdict: Verdict, nei: bool) -> int | None:
    closed = verdict.hallucination is Hallucination.EXTRINSIC
    return label_of(verdict.outcome, verdict.status, closed=closed, nei=nei)


def _level_json(found: Level) -> dict[str, Any]:
    status = "no_claims" if not found.claims else "abstained" if found.label is None else "complete"
    return {"label": found.label, "score": found.score, "status": status}


def _outcome(verdicts: Sequence[Verdict]) -> str | None:
    """Return REFUTED if a claim is, else NOT_ENOUGH_INFO if one is, else SUPPORTED; None without claims."""
    outcomes = {verdict.outcome for verdict in verdicts}
    order = (Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO, Outcome.SUPPORTED)
    return next((outcome.value for outcome in order if outcome in outcomes), None)


def evidence_json(citation: Citation, place: Place | None = None) -> dict[str, Any]:
    """Return one piece of evidence with its stance on the claim, and its place where that is known."""
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
        "path": citation.path,
        "start": evidence.span.start if evidence.span else None,
        "end": evidence.span.end if evidence.span else None,
        "document": evidence.document,
        "line": place.line if place else None,
        "page": place.page if place else None,
    }
