"""Add reasons by contrast to methods that refute without naming the evidence's value.

Entailment, alignment and a kernel give a number; a reader needs the element that differs. It is searched for
afterwards, for refuted claims only, so evaluation need not pay for it. A search inside each method was rejected: it
would be the same three times, and GraphEval has no embedder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case, Detector, all_linked
from claimgraph.detect.compare.shortlist import shortlist
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.contrast import Contrast, contrasts
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import Claim, Embedder, Finding, Outcome


class Contrasted:
    """Adds reasons by contrast to the refuted claims of another detector. Implements Detector.

    Outcomes, scores and citations stay; where no evidence contradicts the claim in one element the reason says so.
    """

    def __init__(self, detector: Detector, embedder: Embedder) -> None:
        self._detector, self._embedder = detector, embedder
        self.name, self.config = detector.name, detector.config

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order. Raises what the other detector raises."""
        space = Space(self._embedder)
        found = zip(cases, self._detector.detect(cases), strict=True)
        return [_explained(case, findings, space) for case, findings in found]


def _explained(case: Case, findings: list[Finding], space: Space) -> list[Finding]:
    rows = [row for row, finding in enumerate(findings) if finding.outcome is Outcome.REFUTED]
    claims = tuple(case.claims[row] for row in rows)
    if not claims:
        return findings
    near = shortlist(claims, case.facts, [found.ids for found in all_linked(claims, case.links)], space)
    pairs = contrasts(replace(case, claims=claims, facts=near), space)
    sources = Sources(case.facts, case.passages)
    told = {
        row: replace(findings[row], reason=_reason(claim, findings[row], pair, sources))
        for row, claim, pair in zip(rows, claims, pairs, strict=True)
    }
    return [told.get(row, finding) for row, finding in enumerate(findings)]


def _reason(claim: Claim, finding: Finding, pair: Contrast | None, sources: Sources) -> str:
    if pair is None:
        return wording.without_pair(finding.reason)
    best = sources.contrasted(pair)
    return wording.reason(claim, Outcome.REFUTED, pair, sources.speaker(best), sources.quote(best))
