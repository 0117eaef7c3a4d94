"""Judge by the rest of a graph what its facts do not state: paths, rules, types, and relations that exclude each other.

    finding by facts and absence ──▶ the fact that the claim states, by number ──▶ probability by graph evidence
                                                                                        │
                       SUPPORTED or REFUTED where calibration says so, else open ◀──────┘

A fact that a graph lacks is missing or wrong, and the rest of the graph tells which: a person who was born in Lyon and
lives there is likelier to be French than Thai. Absence alone refutes only where this agrees. Fixed limits on the
judge's own probability were rejected: it is learnt against corrupted facts, and what people state wrongly is nearer to
the truth.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from claimgraph.detect.check_input import Case, Detector, Linked, linked
from claimgraph.detect.methods.abstention import left_open
from claimgraph.detect.methods.graph_evidence.fact_evidence import GraphReason, reasons_of
from claimgraph.detect.methods.graph_evidence.judge import GraphEvidence
from claimgraph.detect.methods.open_domain.calibration import GraphCalibration
from claimgraph.detect.methods.open_domain.claim_relations import Claimed, Reading
from claimgraph.detect.methods.open_domain.claim_times import times
from claimgraph.detect.methods.open_domain.confirmed_facts import TAKEN_BACK
from claimgraph.detect.methods.open_domain.entailed_relations import RelationEntailment
from claimgraph.detect.methods.open_domain.local_completeness import readings
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.evidence import Sources, together
from claimgraph.detect.text.words import negated
from claimgraph.kgstore.model import Citation, Claim, Embedder, Fact, Finding, Outcome, Signal, Stance, Status, Subgraph

VERSION = 5
"""Increase with any change to these rules: it is part of every verdict's configuration."""
METHOD, TRUE = "graph", "true"
"""The method of these signals, and the name of the probability."""
_ABSENCE = ("completeness", "relation")
_CITED = 5

Facts = Callable[[Sequence[str]], Subgraph]
"""Facts by id, with the nodes they join."""


@dataclass(frozen=True, slots=True)
class GraphEvidenceSource:
    """A judge by the whole graph, and its facts by id."""

    judge: GraphEvidence
    facts: Facts


@dataclass(frozen=True, slots=True)
class StatedFact:
    """The fact of a graph that a claim states and the graph lacks: numbers of subject, predicate and object, by the
    reading whose words name the relation, with the signals that calibration weighs.
    """

    fact: tuple[int, int, int]
    reading: Reading
    signals: dict[str, float]


class GraphJudged:
    """Decides by graph evidence what another detector leaves open, and leaves open what it refutes by absence against
    that evidence. Implements Detector.

    Claims with a date, negated ones, and those whose ends or relation no graph knows pass unchanged; so do closed
    cases. Nothing is refuted where an end of the claim is among the case's incomplete entities. `source` is called at
    most once a detection, and gives None for graphs too small or too large to learn from. Without `doubts` what is
    refuted by absence stays so.
    """

    def __init__(
        self,
        detector: Detector,
        embedder: Embedder,
        source: Callable[[], GraphEvidenceSource | None],
        calibration: GraphCalibration,
        *,
        doubts: bool = True,
        entails: RelationEntailment | None = None,
    ) -> None:
        """`entails` is that of the other detector: what it refutes by absence is read in the same way."""
        self._detector, self.name, self._doubts = detector, detector.name, doubts
        self._embedder, self._source, self._calibration, self._entails = embedder, source, calibration, entails
        parts = {"version": VERSION, "calibration": calibration.id, "doubts": doubts}
        self.config = json.dumps(json.loads(detector.config) | {"graph": parts}, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order. Raises what the other detector raises."""
        found = self._detector.detect(cases)
        source = self._source() if any(map(_open, cases)) else None
        if source is None:
            return found
        space = Space(self._embedder)
        return [
            self._judged(case, findings, source, space) if _open(case) else findings
            for case, findings in zip(cases, found, strict=True)
        ]

    def _judged(
        self, case: Case, findings: Sequence[Finding], source: GraphEvidenceSource, space: Space
    ) -> list[Finding]:
        asked = stated_facts(case, findings, source.judge, space, self._entails)
        return [
            finding if one is None else self._finding(case, claim, finding, one, source)
            for claim, finding, one in zip(case.claims, findings, asked, strict=True)
        ]

    def _finding(
        self, case: Case, claim: Claim, finding: Finding, asked: StatedFact, source: GraphEvidenceSource
    ) -> Finding:
        true = self._calibration.probability(asked.signals)
        outcome = self._calibration.outcome(true)
        ours = tuple(Signal(METHOD, name, round(value, 4)) for name, value in asked.signals.items())
        finding = replace(finding, signals=(*finding.signals, *ours, Signal(METHOD, TRUE, round(true, 4))))
        if finding.outcome is Outcome.REFUTED:
            return _doubted(finding) if self._doubts and outcome is not Outcome.REFUTED else finding
        if outcome is Outcome.NOT_ENOUGH_INFO:
            return finding
        incomplete = any(case.incomplete & ids for ids in linked(claim, case.links).ids.values())
        if outcome is Outcome.REFUTED and incomplete:
            return finding
        told = _Told(claim, finding, asked, source)
        return told.supported(true) if outcome is Outcome.SUPPORTED else told.refuted(1 - true)


def stated_facts(
    case: Case,
    findings: Sequence[Finding],
    judge: GraphEvidence,
    space: Space,
    entails: RelationEntailment | None = None,
) -> list[StatedFact | None]:
    """Return the fact that each claim states, where graph evidence may speak of it: the claim is open, and its words
    are a known phrase of a relation that takes such values, or it was refuted by absence; it has no date, and the graph
    knows both its ends.
    """
    when = times(case.claims, case.text, case.sentences)
    read = readings(case, findings, Claimed(case.facts, space), entails)
    found: list[StatedFact | None] = []
    for claim, finding, time, ours in zip(case.claims, findings, when, read, strict=True):
        passed = time.days is not None or negated(claim.predicate) or not _undecided(finding)
        absent = finding.outcome is Outcome.REFUTED
        meant = [] if passed else [one for one in ours if absent or (one.said and one.likeness == 1 and one.fits)]
        found.append(_stated(linked(claim, case.links), meant, judge))
    return found


def _undecided(finding: Finding) -> bool:
    """Return whether nothing is decided, or only by absence; not where the model took back a decision."""
    signals = {(signal.method, signal.name) for signal in finding.signals}
    if TAKEN_BACK in signals:
        return False
    if finding.outcome is Outcome.NOT_ENOUGH_INFO:
        return finding.status is Status.COMPLETE
    return _ABSENCE in signals


def _stated(known: Linked, readings: Sequence[Reading], judge: GraphEvidence) -> StatedFact | None:
    """Return the fact of the likeliest reading whose ends and predicate the graph has, and that it does not state."""
    for reading in readings:
        for value in sorted(known.ids.get(reading.role, ())):
            fact = _numbers(judge, reading.anchor, reading.predicate, value)
            if reading.stated or fact is None:
                continue
            facts = np.array([fact])
            odds = float(judge.log_odds(facts)[0])
            if np.isnan(odds) or judge.stated(facts)[0]:
                continue
            signals = {
                "odds": float(np.clip(odds, -10, 10)),
                "room": float(judge.features.room(facts)[0]),
                "known": float(bool(reading.known)),
                "joined": float(reading.joined),
            }
            return StatedFact(fact, reading, signals)
    return None


def _numbers(judge: GraphEvidence, subject: str, predicate: str, object: str) -> tuple[int, int, int] | None:
    ends, relation = (judge.graph.node(subject), judge.graph.node(object)), judge.graph.relation(predicate)
    return None if ends[0] is None or ends[1] is None or relation is None else (ends[0], relation, ends[1])


def _doubted(finding: Finding) -> Finding:
    """Return a finding that was refuted by absence as open: the rest of the graph speaks for the fact, or not against
    it.
    """
    reason = f"{finding.reason} The rest of the graph does not speak against it, so that may be missing there."
    return left_open(finding, reason)


class _Told:
    """The finding of one claim by graph evidence, with the facts it rests on."""

    def __init__(self, claim: Claim, finding: Finding, asked: StatedFact, source: GraphEvidenceSource) -> None:
        self._claim, self._finding, self._asked, self._source = claim, finding, asked, source
        self._reasons = reasons_of(source.judge, asked.fact)

    def supported(self, probability: float) -> Finding:
        """Return SUPPORTED by the best path, else by the best rule; as it was where there is neither."""
        found = [one for one in self._reasons if one.stance is Stance.SUPPORTS and one.facts]
        best = max(found, key=lambda one: one.score, default=None)
        return self._found(Outcome.SUPPORTED, probability, best) if best else self._finding

    def refuted(self, probability: float) -> Finding:
        """Return REFUTED by other values where there is room for few; as it was where there are none.

        That an end is unlike those of the relation refutes nothing: the words may mean another relation ("trained at
        London", "was known as Lord Byron").
        """
        against = [one for one in self._reasons if one.stance is Stance.REFUTES and one.facts]
        best = max(against, key=lambda one: one.score, default=None)
        return self._found(Outcome.REFUTED, probability, best) if best else self._finding

    def _found(self, outcome: Outcome, probability: float, best: GraphReason) -> Finding:
        graph, stance = self._source.judge.graph, best.stance
        known = self._source.facts([graph.facts[number] for number in best.facts])
        by_id = {fact.id: fact for fact in known.facts}
        facts: list[Fact] = [by_id[key] for key in (graph.facts[n] for n in best.facts) if key in by_id]
        cited = Sources(known, ())
        score = round(probability, 4)
        citations = together([Citation(cited.fact(fact), stance, score) for fact in facts[:_CITED]])
        reason = wording.by_graph_evidence(outcome, facts[0].graph if facts else "", best.text)
        value = round(1 - probability if outcome is Outcome.SUPPORTED else probability, 4)
        own = self._finding.signals
        return replace(
            self._finding,
            outcome=outcome,
            status=Status.COMPLETE,
            reason=reason,
            confidence=score,
            citations=citations,
            signals=tuple(replace(s, value=value) if s.name == "hallucination" else s for s in own),
        )


def _open(case: Case) -> bool:
    return not case.closed and case.links is not None
