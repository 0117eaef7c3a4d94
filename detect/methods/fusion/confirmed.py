"""Confirm by an entailment model what the rules decide by sentences alone.

The rules compare words, and "is the oldest university" has most words of "is a university". A stored fact that decides
needs no such reading. The weights of a closed domain were rejected here: they were fitted where the sentences are all
there is, and beside a graph they are descriptions of what the text names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.abstention import left_open
from claimgraph.detect.reasons import wording
from claimgraph.kgstore.model import Citation, Claim, EntailmentModel, Finding, Outcome, Stance

_DECIDES = {Outcome.SUPPORTED: (Stance.SUPPORTS, 0), Outcome.REFUTED: (Stance.REFUTES, 2)}
"""The stance of what decides, and the model's class for it."""


def confirmed(cases: Sequence[Case], found: Sequence[Sequence[Finding]], model: EntailmentModel) -> list[list[Finding]]:
    """Return the findings, a list a case; open where only sentences decide and none of them tells so to the model.

    A sentence tells the outcome whose class is likeliest of the claim's statement. All pairs are read in one call.
    Raises ModelError.
    """
    pairs = [
        (cited.evidence.text, claim.sentence)
        for case, findings in zip(cases, found, strict=True)
        for claim, finding in zip(case.claims, findings, strict=True)
        for cited in _sentences(finding)
    ]
    likeliest = iter(np.argmax(model.entail(pairs), axis=1).tolist() if pairs else ())
    return [
        [_confirmed(claim, one, likeliest) for claim, one in zip(case.claims, findings, strict=True)]
        for case, findings in zip(cases, found, strict=True)
    ]


def _sentences(finding: Finding) -> list[Citation]:
    """Return the sentences that decide; none where a fact does."""
    if finding.outcome not in _DECIDES:
        return []
    deciding = [one for one in finding.citations if one.stance is _DECIDES[finding.outcome][0]]
    return [] if any(one.evidence.fact_id for one in deciding) else deciding


def _confirmed(claim: Claim, finding: Finding, likeliest: Iterator[int]) -> Finding:
    deciding = _sentences(finding)
    told = [next(likeliest) for _ in deciding]
    if not deciding or _DECIDES[finding.outcome][1] in told:
        return finding
    best = deciding[0].evidence
    return left_open(finding, wording.reason(claim, Outcome.NOT_ENOUGH_INFO, None, best.source, best.text))
