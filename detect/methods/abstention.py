"""Leave undecided what an open domain has no evidence for, whatever a method decides on the evidence it was given.

KEA Explain names false alarms from missing entities as its second limitation: facts about other things are unlike a
claim, and such a method knows likeness only. So a claim whose subject no graph knows is not decided, and where the
facts of its entities were not all fetched the verdict says so. A guard inside each method was rejected: it would be the
same five times, and measuring its effect needs it switched off.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case, Detector, linked
from claimgraph.detect.reasons import wording
from claimgraph.kgstore.model import Citation, Claim, Finding, Outcome, Signal, Stance, Status

VERSION = 1
"""Increase with any change to what is left undecided: it is part of every verdict's configuration."""


class Abstaining:
    """Replaces findings of another detector that lack evidence; cases without links, and closed ones, pass unchanged.

    Implements Detector. UNLINKED: the claim's subject is a recorded NIL; its outcome is NOT_ENOUGH_INFO, its score
    unknown, and it cites nothing, since the evidence is about other things. FETCH_INCOMPLETE: nothing was decided, and
    the facts of an entity of the claim are incomplete.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector, self.name = detector, detector.name
        self.config = json.dumps(json.loads(detector.config) | {"abstention": VERSION}, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order. Raises what the other detector raises."""
        found = self._detector.detect(cases)
        return [
            findings
            if case.closed or case.links is None
            else [self._guarded(case, claim, one) for claim, one in zip(case.claims, findings, strict=True)]
            for case, findings in zip(cases, found, strict=True)
        ]

    def _guarded(self, case: Case, claim: Claim, finding: Finding) -> Finding:
        known = linked(claim, case.links)
        if known.subject_is_nil:
            return self._unlinked(claim, finding)
        undecided = finding.outcome is Outcome.NOT_ENOUGH_INFO
        if undecided and any(case.incomplete & ids for ids in known.ids.values()):
            return replace(finding, status=Status.FETCH_INCOMPLETE, reason=wording.incomplete(finding.reason))
        return finding

    def _unlinked(self, claim: Claim, finding: Finding) -> Finding:
        own = (self.name, "hallucination")
        return replace(
            finding,
            outcome=Outcome.NOT_ENOUGH_INFO,
            status=Status.UNLINKED,
            reason=wording.unlinked(claim),
            confidence=None,
            citations=(),
            signals=tuple(Signal(*own, None) if (s.method, s.name) == own else s for s in finding.signals),
        )


def left_open(finding: Finding, reason: str) -> Finding:
    """Return a finding that was decided as open, for that reason: what it cites is neutral, its score even."""
    return replace(
        finding,
        outcome=Outcome.NOT_ENOUGH_INFO,
        status=Status.COMPLETE,
        reason=reason,
        confidence=None,
        citations=tuple(Citation(one.evidence, Stance.NEUTRAL, one.score) for one in finding.citations),
        signals=tuple(replace(s, value=0.5) if s.name == "hallucination" else s for s in finding.signals),
    )
