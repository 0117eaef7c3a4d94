"""All methods fused: the signals of rules, wording and entailment into one calibrated probability, with reasons.

In a closed domain the rules decide what they can: a date that differs refutes whatever else agrees, and what the
context states is supported whatever else was made up. What they leave open a calibrated sum decides (calibration.py,
weights.py). The score is the sum's either way, so that outputs can be ranked by it: a claim that the rules support may
have a high one, where all around it was rewritten. In an open domain nothing was calibrated, graphs are never
complete, and the rules decide alone. The signals of all are stored, so where they differ can be asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.fusion.calibration import Calibration, Kind, Profile, profile_name
from claimgraph.detect.methods.fusion.weights import Signals
from claimgraph.detect.methods.fusion.wording import Reader, Wording
from claimgraph.detect.methods.grapheval import CONTRADICTED, INCONSISTENT, GraphEvalDetector
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedding_space import Space
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.contrast import contrasts
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import (
    Citation,
    Claim,
    Embedder,
    EntailmentModel,
    Finding,
    Outcome,
    Passage,
    Signal,
    Stance,
    Status,
)

PRESET = "calibrated"
VERSION = 2
"""Raise with any change to what is found: it is part of every verdict's configuration."""


class FusedDetector:
    """Implements Detector. `model` None leaves out entailment and takes the profiles fitted without it."""

    name = "fused"

    def __init__(self, embedder: Embedder, model: EntailmentModel | None, calibration: Calibration) -> None:
        self._embedder, self._model, self._calibration = embedder, model, calibration
        self._rules = RuleDetector(embedder)
        self._grapheval = GraphEvalDetector(model) if model else None
        parts = {
            "preset": PRESET,
            "version": VERSION,
            "rules": json.loads(self._rules.config),
            "entailment": model and model.model,
            "calibration": calibration.id,
        }
        self.config = json.dumps(parts, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """One list a case with one finding a claim, in order. Raises ModelError."""
        ruled = self._rules.detect(cases)
        readers = {case.passages: Reader([p.text for p in case.passages]) for case in cases if weighable(case)}
        works = [_Work(case, readers[case.passages], self._embedder) if weighable(case) else None for case in cases]
        weighed = [case for case in cases if weighable(case)]
        entailed = iter(self._grapheval.detect(weighed) if self._grapheval else [[] for _ in weighed])
        return [
            [_as_ruled(finding) for finding in findings]
            if work is None
            else self._weighed(work, findings, next(entailed))
            for work, findings in zip(works, ruled, strict=True)
        ]

    def _weighed(self, work: _Work, findings: Sequence[Finding], entailed: Sequence[Finding]) -> list[Finding]:
        """`entailed` are GraphEval's findings of the same claims, or none where there is no model."""
        profile = self._profile(work.case)
        signals = work.signals(findings, entailed)
        if profile is None:
            return [
                _as_ruled(replace(finding, signals=found)) for finding, found in zip(findings, signals, strict=True)
            ]
        return [
            work.finding(row, finding, found, profile)
            for row, (finding, found) in enumerate(zip(findings, signals, strict=True))
        ]

    def _profile(self, case: Case) -> Profile | None:
        """That with entailment where there is a model, else, or where none was fitted, that without."""
        asked = [True, False] if self._model else [False]
        names = [profile_name(_kind(case), entailment=with_model) for with_model in asked]
        return next((found for name in names if (found := self._calibration.profiles.get(name))), None)


class _Work:
    """One document in a closed domain."""

    def __init__(self, case: Case, reader: Reader, embedder: Embedder) -> None:
        self.case = case
        self._near = [reader.premises.nearest(claim.triple.text) for claim in case.claims]
        self._sources = Sources(case.facts, case.passages)
        self._space = Space(embedder)
        self._sentences, self._output = reader.read(case, self._space)

    def signals(self, findings: Sequence[Finding], entailed: Sequence[Finding]) -> list[tuple[Signal, ...]]:
        """All signals of each claim: those of the rules, of wording, and of GraphEval where it was asked."""
        whole = (*_wording("output", self._output), Signal("output", "sentences", float(len(self.case.sentences))))
        others: Sequence[Finding | None] = entailed or [None] * len(findings)
        return [
            (*finding.signals, *_wording("sentence", sentence), *whole, *(other.signals if other else ()))
            for finding, sentence, other in zip(findings, self._sentences, others, strict=True)
        ]

    def finding(self, row: int, ruled: Finding, signals: tuple[Signal, ...], profile: Profile) -> Finding:
        values = {f"{s.method}.{s.name}": s.value for s in signals}
        score = fused_score(profile.weights.probability(values), profile.threshold, values)
        signals = (*signals, Signal("fused", "hallucination", round(score, 4)))
        if stance(values) is not Outcome.NOT_ENOUGH_INFO:
            return replace(ruled, signals=signals)
        outcome = Outcome.REFUTED if _contradicted(values) else Outcome.NOT_ENOUGH_INFO
        if score <= profile.threshold:
            outcome = Outcome.SUPPORTED
        confidence = round(1 - score if outcome is Outcome.SUPPORTED else score, 4)
        if outcome is ruled.outcome:
            return replace(ruled, confidence=confidence, signals=signals)
        return self._reasoned(row, outcome, confidence, signals)

    def _reasoned(self, row: int, outcome: Outcome, confidence: float, signals: tuple[Signal, ...]) -> Finding:
        """The sum's outcome where the rules had another: the nearest sentences are what it rests on."""
        claim = self.case.claims[row]
        stance = {Outcome.SUPPORTED: Stance.SUPPORTS, Outcome.REFUTED: Stance.REFUTES}.get(outcome, Stance.NEUTRAL)
        citations = tuple(Citation(self._sources.passage(at), stance, confidence) for at in self._near[row])
        return Finding(
            outcome=outcome,
            status=Status.COMPLETE,
            reason=self._reason(claim, outcome, citations),
            confidence=confidence,
            citations=citations,
            signals=signals,
        )

    def _reason(self, claim: Claim, outcome: Outcome, citations: Sequence[Citation]) -> str:
        """By contrast where the sum refutes: the rules found no more than a pair that need not exclude the claim."""
        best, pair = citations[0].evidence if citations else None, None
        if outcome is Outcome.REFUTED:
            [pair] = contrasts(replace(self.case, claims=(claim,)), self._space)
            best = self._sources.contrasted(pair) if pair else best
        source, quote = (self._sources.speaker(best), self._sources.quote(best)) if best else ("", "")
        if outcome is Outcome.REFUTED:
            return wording.reason(claim, outcome, pair, source, quote)
        return wording.stands(claim, outcome, source, quote)


def stance(signals: Signals) -> Outcome:
    """What the rules decide, NOT_ENOUGH_INFO where they leave it to the sum."""
    decided = {-1: Outcome.REFUTED, 1: Outcome.SUPPORTED}
    return decided.get(int(signals.get("rules.stance") or 0), Outcome.NOT_ENOUGH_INFO)


def _contradicted(signals: Signals) -> bool:
    """As GraphEval refutes: no window entails the claim, and one contradicts it. Of a claim that some window entails,
    another that speaks of something else often counts as contradicting."""
    entailed, contradicted = (signals.get(f"grapheval.{name}") or 0.0 for name in ("entailment", "contradiction"))
    return 1 - entailed > INCONSISTENT and contradicted > CONTRADICTED


def fused_score(probability: float, threshold: float, signals: Signals) -> float:
    """The sum's probability, raised above the threshold, in its order, for a claim that the rules refute."""
    if stance(signals) is Outcome.REFUTED:
        return threshold + (1 - threshold) * probability
    return probability


def weighable(case: Case) -> bool:
    """Whether there is something that was calibrated for: sentences that are all there is."""
    return case.closed and bool(case.passages)


def _kind(case: Case) -> Kind:
    """Triples where the context's sentences are but its facts in words."""
    said = {case.facts.triple(fact).text for fact in case.facts.facts}
    if all(_bare(passage) in said for passage in case.passages):
        return Kind.TRIPLES
    return Kind.TEXT if len(case.sentences) > 1 else Kind.SENTENCE


def _bare(passage: Passage) -> str:
    return passage.text.removesuffix(".")


def _as_ruled(finding: Finding) -> Finding:
    """The rules' finding as fusion's."""
    score = next((s.value for s in finding.signals if (s.method, s.name) == ("rules", "hallucination")), None)
    return replace(finding, signals=(*finding.signals, Signal("fused", "hallucination", score)))


def _wording(of: str, found: Wording) -> Iterator[Signal]:
    for name in ("words", "pieces", "names", "numbers", "order", "meaning"):
        value = getattr(found, name)
        yield Signal(of, name, None if value is None else round(value, 4))
