"""Check every triple of the claim KG against the context by an entailment model (GraphEval, 2024).

Stage 1 is extraction; this is stage 2. A triple above 0.5 makes the output inconsistent; the method adds to a score for
the whole output which triples they are, and the strongest window for or against each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimgraph.detect.check_input import Case
from claimgraph.detect.compare.relations import VERBALISERS, sentence
from claimgraph.detect.models.window_entailment import WindowScores, judge
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.detect.text.windows import OVERLAP, WORDS, pack, windows
from claimgraph.detect.text.words import content
from claimgraph.kgstore.model import (
    Citation,
    Claim,
    EntailmentModel,
    Evidence,
    Fact,
    Finding,
    Outcome,
    Signal,
    Stance,
    Status,
)

VERSION = 1
"""Increase with any change to the findings: it is part of every verdict's configuration."""
INCONSISTENT = 0.5
"""P(hallucination) above this is inconsistent (section 4)."""
CONTRADICTED = 0.5
"""P(contradiction) above this refutes: in one window it is then likelier than entailment and neutral together."""
CITED = 3
"""Facts cited of a window of facts: those that share most words with the claim."""


@dataclass(frozen=True, slots=True)
class GraphEvalPreset:
    """A preset of GraphEval; `verbaliser` is one of VERBALISERS."""

    name: str
    verbaliser: str


PRESETS: Mapping[str, GraphEvalPreset] = {
    p.name: p for p in (GraphEvalPreset("grapheval", "joined"), GraphEvalPreset("sentence", "sentence"))
}
"""The paper's, and ours."""


class GraphEvalDetector:
    """Checks claims against windows by entailment. Implements Detector.

    An inconsistent claim is REFUTED (intrinsic) where some window contradicts it, else NOT_ENOUGH_INFO (extrinsic in a
    closed domain), as is every claim where the model has no contradiction class. The paper has one class of
    inconsistency. For ours contradiction must pass the same half as entailment, in a single window: the greatest over
    many windows is no probability, and to compare it with entailment's would refute more the longer the context is.
    Facts that were not read from the passages are premises as sentences, a window at a time.
    """

    name = "grapheval"

    def __init__(self, model: EntailmentModel, preset: GraphEvalPreset = PRESETS["grapheval"]) -> None:
        self._model = model
        self._say = VERBALISERS[preset.verbaliser]
        parts = {
            "preset": preset.name,
            "version": VERSION,
            "model": model.model,
            "verbaliser": preset.verbaliser,
            "words": WORDS,
            "overlap": OVERLAP,
            "thresholds": {"inconsistent": INCONSISTENT, "contradicted": CONTRADICTED},
        }
        self.config = json.dumps(parts, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order. Raises ModelError."""
        evidence_set = [_Ground(case) for case in cases]
        jobs = [
            ([self._say(claim.triple) for claim in case.claims], gather.premises)
            for case, gather in zip(cases, evidence_set, strict=True)
        ]
        return [
            [gather.finding(claim, judgement) for claim, judgement in zip(case.claims, found, strict=True)]
            for case, gather, found in zip(cases, evidence_set, judge(jobs, self._model), strict=True)
        ]


class _Ground:
    """The evidence of one document as premises that can be cited: windows of passages, then of facts."""

    def __init__(self, case: Case) -> None:
        self._windows = windows(case.passages)
        self._sources = Sources(case.facts, self._windows)
        self._passages = case.passages
        read = {passage.document for passage in case.passages} - {None}
        facts = [fact for fact in case.facts.facts if fact.document not in read]
        said = [sentence(case.facts.triple(fact)) for fact in facts]
        runs = pack([len(text.split()) for text in said], WORDS, 0)
        self._facts = [[_Said(facts[i], said[i]) for i in run] for run in runs]
        self.premises = [window.text for window in self._windows]
        self.premises += [" ".join(fact.text for fact in run) for run in self._facts]

    def finding(self, claim: Claim, judgement: WindowScores | None) -> Finding:
        if judgement is None:
            signals = (Signal("grapheval", "hallucination", None),)
            return Finding(Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE, wording.no_evidence(), signals=signals)
        outcome, stance, score, row = _ruling(judgement)
        evidence = self._evidence(claim, row)
        return Finding(
            outcome=outcome,
            status=Status.COMPLETE,
            reason=self._reason(claim, outcome, evidence[0]),
            confidence=round(judgement.hallucination if stance is Stance.NEUTRAL else score, 4),
            citations=tuple(Citation(item, stance, round(score, 4)) for item in evidence),
            signals=_signals(judgement),
        )

    def _reason(self, claim: Claim, outcome: Outcome, evidence: Evidence) -> str:
        source, quote = self._sources.speaker(evidence), self._quote(claim, evidence)
        if outcome is Outcome.SUPPORTED:
            return wording.entailed(source, quote)
        return wording.stands(claim, outcome, source, quote)

    def _quote(self, claim: Claim, evidence: Evidence) -> str:
        """Return the sentence of a window that shares most words with the claim, ties to the first; else the
        evidence.
        """
        span, words = evidence.span, set(content(claim.triple.text))
        here = (p for p in self._passages if p.span and span and p.document == evidence.document)
        texts = [p.text for p in here if p.span and span and span.start <= p.span.start and p.span.end <= span.end]
        return max(texts, key=lambda text: len(words & set(content(text))), default=evidence.text)

    def _evidence(self, claim: Claim, row: int) -> list[Evidence]:
        """Return the window, or the facts of a window of facts that share most words with the claim, ties in their
        order.
        """
        if row < len(self._windows):
            return [self._sources.passage(row)]
        words = set(content(claim.triple.text))
        near = sorted(self._facts[row - len(self._windows)], key=lambda fact: -len(words & set(content(fact.text))))
        return [self._sources.fact(fact.fact) for fact in near[:CITED]]


@dataclass(frozen=True, slots=True)
class _Said:
    fact: Fact
    text: str


def _ruling(found: WindowScores) -> tuple[Outcome, Stance, float, int]:
    """Return the outcome, and the decisive premise with its stance and score."""
    if found.hallucination <= INCONSISTENT:
        return Outcome.SUPPORTED, Stance.SUPPORTS, found.entailment, found.support
    if found.contradiction is not None and found.against is not None and found.contradiction > CONTRADICTED:
        return Outcome.REFUTED, Stance.REFUTES, found.contradiction, found.against
    return Outcome.NOT_ENOUGH_INFO, Stance.NEUTRAL, found.entailment, found.support


def _signals(found: WindowScores) -> tuple[Signal, ...]:
    against = found.contradiction
    return (
        Signal("grapheval", "entailment", round(found.entailment, 4)),
        Signal("grapheval", "contradiction", None if against is None else round(against, 4)),
        Signal("grapheval", "hallucination", round(found.hallucination, 4)),
    )
