"""Leave open what facts decide by likeness of words alone, where an entailment model reads them otherwise.

    SUPPORTED by facts in other words than the claim's: one of them must be likely enough to tell the claim
    REFUTED by other values: none of them may tell the claim itself

"Was unable to start a law practice in" is like "residence", and no known phrase of it; and who died of typhoid fever
died of a disease. The model only takes back: what it finds entailed was rejected as support, since the nearest fact of
an entity is often entailed by what is generally true of its kind.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.compare import relation_phrases
from claimgraph.detect.methods.abstention import left_open
from claimgraph.detect.methods.open_domain.entailed_relations import in_words
from claimgraph.detect.reasons import wording
from claimgraph.detect.text.words import negated
from claimgraph.kgstore.model import Citation, Claim, EntailmentModel, Finding, Outcome, Signal, Stance, Triple
from claimgraph.kgstore.values import literals

VERSION = 1
"""Increase with any change to these rules: it is part of every verdict's configuration."""
DENIED = 0.2
"""P(entailment) below which a fact does not tell the claim."""
TOLD = 0.5
"""P(entailment) from which on a fact that is to refute the claim tells it."""
TAKEN_BACK = ("confirmed", "told")
"""Method and name of the signal of what was taken back: the greatest P(entailment) of the facts."""
_STANCES = {Outcome.SUPPORTED: Stance.SUPPORTS, Outcome.REFUTED: Stance.REFUTES}


class FactsConfirmed:
    """Takes back findings of another detector that rest on facts. Implements Detector.

    Closed cases and those without links pass unchanged; so do negated claims, claims of dates and quantities, and what
    is supported in a known phrase of the fact's relation.
    """

    def __init__(self, detector: Detector, model: EntailmentModel) -> None:
        self._detector, self.name, self._model = detector, detector.name, model
        parts = {"version": VERSION, "model": model.model}
        self.config = json.dumps(json.loads(detector.config) | {"confirmed": parts}, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order. Raises what the other detector raises, and
        ModelError. All pairs are read in one call.
        """
        found = self._detector.detect(cases)
        premises = [
            [_premises(case, claim, one) for claim, one in zip(case.claims, findings, strict=True)]
            for case, findings in zip(cases, found, strict=True)
        ]
        pairs = [
            (text, claim.triple.text)
            for case, read in zip(cases, premises, strict=True)
            for claim, texts in zip(case.claims, read, strict=True)
            for text in texts
        ]
        told = iter(self._model.entail(pairs)[:, 0].tolist() if pairs else ())
        return [
            [
                _kept(claim, finding, [next(told) for _ in texts])
                for claim, finding, texts in zip(case.claims, findings, read, strict=True)
            ]
            for case, findings, read in zip(cases, found, premises, strict=True)
        ]


def _premises(case: Case, claim: Claim, finding: Finding) -> list[str]:
    """Return the deciding facts in words, those of a path together; none where there is nothing to ask."""
    deciding = _deciding(finding)
    stated = [(one, one.evidence.triple) for one in deciding if one.evidence.triple]
    if case.closed or case.links is None or not stated or len(stated) < len(deciding):
        return []
    if negated(claim.predicate) or literals.parse(claim.object):
        return []
    if finding.outcome is Outcome.SUPPORTED and any(_known_phrase(claim, triple) for _, triple in stated):
        return []
    paths = dict.fromkeys(one.path for one, _ in stated if one.path is not None)
    together = [" ".join(_said(triple) for one, triple in stated if one.path == path) for path in paths]
    return together + [_said(triple) for one, triple in stated if one.path is None]


def _deciding(finding: Finding) -> list[Citation]:
    return [one for one in finding.citations if one.stance is _STANCES.get(finding.outcome)]


def _known_phrase(claim: Claim, fact: Triple) -> bool:
    said, known = relation_phrases.key(claim.predicate), relation_phrases.ways(fact.predicate)
    return said in known.straight or said in known.turned


def _said(fact: Triple) -> str:
    return in_words(fact.predicate, fact.subject, fact.object)


def _kept(claim: Claim, finding: Finding, told: Sequence[float]) -> Finding:
    supported = finding.outcome is Outcome.SUPPORTED
    if not told or (max(told) >= DENIED if supported else max(told) < TOLD):
        return finding
    first = _deciding(finding)[0].evidence
    back = left_open(finding, wording.stands(claim, Outcome.NOT_ENOUGH_INFO, first.source, first.text))
    return replace(back, signals=(*back.signals, Signal(*TAKEN_BACK, round(max(told), 4))))
