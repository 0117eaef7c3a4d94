"""All signals of a claim fused into one outcome with its probability: `fused`, the default method.

In a closed domain every claim's statement is read beside the few sentences of the context that are nearest to it, by
the entailment model and by typed comparison of values, names, negations and opposites (reading.py); calibrated weights
make the probability of each outcome of that (outcomes.py). Wording (wording.py) decides no claim: it only ranks whole
outputs, as the signal `hallucination` does, since outputs that were reworded throughout are less to be trusted. In an
open domain nothing was calibrated, and the rules decide alone (methods/rules.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.fusion.calibration import Calibration, Kind, Profile, profile_name
from claimgraph.detect.methods.fusion.outcomes import OutcomeWeights
from claimgraph.detect.methods.fusion.reading import ClaimReading, readings
from claimgraph.detect.methods.fusion.wording import Reader, Wording
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedding_space import Space
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.contrast import Contrast, contrasts
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import (
    Citation,
    Embedder,
    EntailmentModel,
    Evidence,
    Finding,
    Outcome,
    Passage,
    Signal,
    Stance,
    Status,
)

PRESET = "calibrated"
VERSION = 3
"""Raise with any change to what is found: it is part of every verdict's configuration."""
CONFLICTING = 0.25
"""A claim is left open as conflicting where SUPPORTED and REFUTED both have at least this probability."""
_STANCES = {
    Outcome.SUPPORTED: Stance.SUPPORTS,
    Outcome.REFUTED: Stance.REFUTES,
    Outcome.NOT_ENOUGH_INFO: Stance.NEUTRAL,
}
_DECIDING = {Outcome.SUPPORTED: "entailment", Outcome.REFUTED: "contradiction"}


class FusedDetector:
    """Implements Detector. `model` None leaves out entailment and takes the weights fitted without it."""

    name = "fused"

    def __init__(self, embedder: Embedder, model: EntailmentModel | None, calibration: Calibration) -> None:
        self._embedder, self._model, self._calibration = embedder, model, calibration
        self._rules = RuleDetector(embedder)
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
        ruled = iter(self._rules.detect([case for case in cases if not weighable(case)]))
        weighed = iter(self._weighed([case for case in cases if weighable(case)]))
        return [next(weighed) if weighable(case) else [_as_ruled(found) for found in next(ruled)] for case in cases]

    def _weighed(self, cases: Sequence[Case]) -> Iterator[list[Finding]]:
        weights = self._calibration.outcomes["entailment" if self._model else "plain"]
        readers = {case.passages: Reader([p.text for p in case.passages]) for case in cases}
        spaces = [Space(self._embedder) for _ in cases]
        for case, space, read in zip(cases, spaces, readings(cases, spaces, self._model), strict=True):
            work = _Work(case, readers[case.passages], space, weights, self._profile(case))
            yield [work.finding(row, found) for row, found in enumerate(read)]

    def _profile(self, case: Case) -> Profile | None:
        """That with entailment where there is a model, else, or where none was fitted, that without."""
        asked = [True, False] if self._model else [False]
        names = [profile_name(_kind(case), entailment=with_model) for with_model in asked]
        return next((found for name in names if (found := self._calibration.profiles.get(name))), None)


class _Work:
    """One document in a closed domain."""

    def __init__(
        self, case: Case, reader: Reader, space: Space, weights: OutcomeWeights, profile: Profile | None
    ) -> None:
        self._case, self._space, self._weights, self._profile = case, space, weights, profile
        self._sources = Sources(case.facts, case.passages)
        self._sentences, self._output = reader.read(case, space)

    def finding(self, row: int, read: ClaimReading) -> Finding:
        shares = self._weights.probabilities(read.signals)
        outcome = self._weights.outcome(shares)
        status = Status.COMPLETE
        if (
            outcome is Outcome.NOT_ENOUGH_INFO
            and min(shares[Outcome.SUPPORTED], shares[Outcome.REFUTED]) >= CONFLICTING
        ):
            status = Status.CONFLICTING
        stance, confidence = _STANCES.get(outcome, Stance.NEUTRAL), round(shares[outcome], 4)
        rows = deciding(read, outcome)
        pair = self._contrast(row, rows) if outcome is Outcome.REFUTED else None
        evidence = [self._sources.passage(at) for at in rows]
        evidence += [self._sources.contrasted(pair)] if pair and pair.fact else []
        return Finding(
            outcome=outcome,
            status=status,
            reason=self._reason(outcome, status, pair, evidence[0]),
            confidence=confidence,
            citations=tuple(Citation(piece, stance, confidence) for piece in evidence),
            signals=self._signals(row, read, shares),
        )

    def _contrast(self, row: int, deciding: Sequence[int]) -> Contrast | None:
        """What the deciding sentences have instead of one element of a refuted claim; None where that is not clear.

        Another subject is never named: a sentence about somebody else refutes nothing.
        """
        [pair] = contrasts(replace(self._case, claims=(self._case.claims[row],)), self._space)
        if pair is None or pair.element == "subject":
            return None
        home = self._sources.contrasted(pair).span if pair.fact else None
        spans = [self._case.passages[at].span for at in deciding]
        inside = any(home and span and span.start <= home.start < span.end for span in spans)
        return pair if inside or pair.passage in deciding else None

    def _reason(self, outcome: Outcome, status: Status, pair: Contrast | None, best: Evidence) -> str:
        source, quote = self._sources.speaker(best), self._sources.quote(best)
        if status is Status.CONFLICTING:
            return wording.conflicting(source, quote)
        if pair and pair.known and pair.element == "object":
            return wording.other_value(pair.said, pair.known, source, quote)
        return wording.read(outcome, source, quote)

    def _signals(self, row: int, read: ClaimReading, shares: Mapping[Outcome, float]) -> tuple[Signal, ...]:
        given = [Signal(*_named(name), value) for name, value in read.signals.items()]
        fused = [Signal("fused", name.value.lower(), round(share, 4)) for name, share in shares.items()]
        worded = [*_wording("sentence", self._sentences[row]), *_wording("output", self._output)]
        sizes = Signal("output", "sentences", float(len(self._case.sentences)))
        signals = (*given, *worded, sizes, *fused)
        return (*signals, Signal("fused", "hallucination", round(self._rank(signals, shares), 4)))

    def _rank(self, signals: Sequence[Signal], shares: Mapping[Outcome, float]) -> float:
        """P(hallucination), by which outputs are ranked: the profile's, or that the claim is not supported."""
        if self._profile is None:
            return 1 - shares[Outcome.SUPPORTED]
        return self._profile.weights.probability({f"{s.method}.{s.name}": s.value for s in signals})


def deciding(read: ClaimReading, outcome: Outcome) -> tuple[int, ...]:
    """The sentences that an outcome rests on, the nearest to the claim first.

    That is the fewest that the model reads so by themselves: the nearest, it with its neighbour, or the passage; for
    no outcome the nearest.
    """
    chosen, name = read.chosen, _DECIDING.get(outcome)
    rows = chosen.nearest
    if name:
        wider = {"nearest": chosen.nearest, "pair": chosen.pair, "passage": chosen.passage}
        known = (rows for part, rows in wider.items() if read.signals.get(f"{part}.{name}", 1.0) >= 0.5)
        rows = next(known, chosen.nearest)
    first = chosen.nearest[0]
    return (first, *(row for row in rows if row != first))


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


def _named(signal: str) -> tuple[str, str]:
    method, _, name = signal.partition(".")
    return method, name


def _wording(of: str, found: Wording) -> Iterator[Signal]:
    for name in ("words", "pieces", "names", "numbers", "order", "meaning"):
        value = getattr(found, name)
        yield Signal(of, name, None if value is None else round(value, 4))
