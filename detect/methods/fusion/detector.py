"""All signals of a claim fused into one outcome with its probability: `fused`, the default method.

In a closed domain every claim's statement is read beside the few sentences of the context that are nearest to it, by
the entailment model and by typed comparison of values, names, negations and opposites (reading.py); calibrated weights
make the probability of each outcome of that (calibration.py). Wording (wording.py) decides no claim: it only ranks
whole outputs, as the signal `hallucination` does, since outputs that were reworded throughout are less to be trusted.
It takes a quarter of a check's vectors, so it is read only for a profile, which weighs it, and to fit one.
Given triples beside given triples are ranked by the graph kernel (methods/kea.py), unless a profile was fitted to such:
they have no wording, and the kernel ranks them better than reading does.
In an open domain nothing was calibrated: the rules decide (methods/rules.py), and the entailment model confirms what
they decide by sentences alone (confirmed.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from claimgraph.detect.check_input import Case
from claimgraph.detect.compare.decision_rules import Thresholds, refutes, supports
from claimgraph.detect.compare.fact_match import match, may_exclude, may_support
from claimgraph.detect.compare.passage_match import PassageIndex
from claimgraph.detect.compare.typed.differences import Judgement
from claimgraph.detect.compare.typed.passage_judgement import PassageJudgement
from claimgraph.detect.methods.fusion.calibration import Calibration, OutcomeWeights, Profile, ProfileKind, profile_name
from claimgraph.detect.methods.fusion.confirmed import confirmed
from claimgraph.detect.methods.fusion.deciding import deciding, needed, read_alone, telling
from claimgraph.detect.methods.fusion.premises_read import WIDE
from claimgraph.detect.methods.fusion.reading import ClaimReading, readings
from claimgraph.detect.methods.fusion.wording import Reader, Wording
from claimgraph.detect.methods.kea import KeaDetector
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.contrast import Contrast, contrast_with
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.detect.reasons.sense import is_told_apart
from claimgraph.detect.text.span_index import SpanIndex
from claimgraph.kgstore.model import (
    Citation,
    Embedder,
    EntailmentModel,
    Evidence,
    Finding,
    Outcome,
    Signal,
    Stance,
    Status,
)

PRESET = "calibrated"
VERSION = 40
"""Raise with any change to what is found: it is part of every verdict's configuration."""
TORN = 0.25
"""A claim that is left open is unclear where SUPPORTED and REFUTED both have at least this probability."""
ENTAILED = 0.7
"""P(entailment) of a triple, or of a statement beside many sentences, from which on a claim is right that nothing else
supports."""
LIKELY = 0.5
"""The same where another claim of the statement is at fault: below `support` the claim is left open, not refuted."""
HALF = 0.4
"""P(SUPPORTED) from which on a claim that a sentence states in the same words is supported."""
CONVERTED = 0.1
"""The same where the claim has values: a model does not know that 750 watts are 0.75 kW."""
UNRELATED = 0.2
"""Nearness of the nearest sentence (see ChosenPremises) up to which it has nothing to do with the statement."""
UNAIDED = ("value", "roles", "direction")
"""Kinds of exclusion that refute nothing by themselves: the model reads what it leaves open better than they do."""
PROVEN = 0.75
"""Least confidence of what typed comparison decides: in three of four cases it was right where the model was not."""
_STANCES = {
    Outcome.SUPPORTED: Stance.SUPPORTS,
    Outcome.REFUTED: Stance.REFUTES,
    Outcome.NOT_ENOUGH_INFO: Stance.NEUTRAL,
}
_CONFLICT = (Outcome.NOT_ENOUGH_INFO, Status.CONFLICTING, None)


class FusedDetector:
    """Implements Detector. Without an entailment model (`model` None) the rules decide."""

    name = "fused"

    def __init__(
        self, embedder: Embedder, model: EntailmentModel | None, calibration: Calibration, *, worded: bool = False
    ) -> None:
        """`worded`: give the signals of wording also where no profile weighs them, for one to be fitted to."""
        self._embedder, self._model, self._calibration, self._worded = embedder, model, calibration, worded
        self._rules, self._kernel = RuleDetector(embedder), KeaDetector(embedder)
        parts = {
            "preset": PRESET,
            "version": VERSION,
            "rules": json.loads(self._rules.config),
            "kernel": json.loads(self._kernel.config),
            "entailment": model and model.model,
            "calibration": calibration.id,
        } | ({"worded": True} if worded else {})
        self.config = json.dumps(parts, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list a case with one finding a claim, in order. Raises ModelError."""
        others = [case for case in cases if not (self._model and weighable(case))]
        found = self._rules.detect(others)
        ruled = iter(confirmed(others, found, self._model) if self._model else found)
        works = iter(self._works([case for case in cases if weighable(case)]))
        return [
            [_as_ruled(found) for found in next(ruled)]
            if not weighable(case)
            else self._ranked_by_kernel(case, next(works).findings(self._model))
            if self._model
            else next(works).ranked(next(ruled))
            for case in cases
        ]

    def _works(self, cases: Sequence[Case]) -> Iterator[_ClosedDomain]:
        contexts = {case.passages for case in cases if self._weighs_wording(case)}
        readers = {context: Reader([p.text for p in context]) for context in contexts}
        spaces = [Space(self._embedder) for _ in cases]
        read = readings(cases, spaces, self._model) if self._model else [[] for _ in cases]
        weights = self._calibration.deciding(self._model.model if self._model else "")
        for case, space, found in zip(cases, spaces, read, strict=True):
            reader = readers.get(case.passages) if self._weighs_wording(case) else None
            yield _ClosedDomain(case, reader, space, found, weights, self._profile(case))

    def _ranked_by_kernel(self, case: Case, found: list[Finding]) -> list[Finding]:
        """Return the findings, those on triples beside triples with the kernel's rank."""
        if _kind(case) is not ProfileKind.TRIPLES or self._profile(case):
            return found
        [kernel] = self._kernel.detect([case])
        return [
            replace(one, signals=(*one.signals[:-1], replace(one.signals[-1], value=_rank(other))))
            for one, other in zip(found, kernel, strict=True)
        ]

    def _weighs_wording(self, case: Case) -> bool:
        return self._worded or self._profile(case) is not None

    def _profile(self, case: Case) -> Profile | None:
        return self._calibration.profiles.get(profile_name(_kind(case), entailment=self._model is not None))


class _ClosedDomain:
    """One document in a closed domain."""

    def __init__(
        self,
        case: Case,
        reader: Reader | None,
        space: Space,
        read: Sequence[ClaimReading],
        weights: OutcomeWeights,
        profile: Profile | None,
    ) -> None:
        self._case, self._space, self._read = case, space, read
        self._weights, self._profile = weights, profile
        self._sources = Sources(case.facts, case.passages)
        self._facts = SpanIndex((fact.document, fact.span) for fact in case.facts.facts)
        self._wording = reader.read(case, space) if reader else None
        self._groups: dict[str, list[int]] = {}
        for row, claim in enumerate(case.claims):
            self._groups.setdefault(claim.sentence, []).append(row)

    @cached_property
    def _index(self) -> PassageIndex:
        return PassageIndex(self._case.passages)

    def findings(self, model: EntailmentModel) -> list[Finding]:
        """Return what the weights make of each claim's reading; the model reads what its reason needs beside."""
        shares = [self._weights.probabilities(read.signals) for read in self._read]
        for rows in self._groups.values():
            self._attribute(rows, shares)
        for row in range(len(shares)):
            self._widen(row, shares)
        settled = [self._settled(row, found) for row, found in enumerate(shares)]
        unclear = [Outcome.NOT_ENOUGH_INFO if told else outcome for outcome, _, told in settled]
        alone = read_alone(self._case, self._read, unclear, model)
        return [self._finding(row, *one) for row, one in enumerate(zip(shares, settled, alone, strict=True))]

    def _attribute(self, rows: Sequence[int], shares: list[dict[Outcome, float]]) -> None:
        """Let claims that the context entails by themselves be supported, where their statement is not.

        A statement of several claims is refuted or open for the sake of some of them; if the model finds the triples
        of others entailed, those are right: likely is enough where it is known which claim is at fault. Where it finds
        all entailed, what is wrong stands in none of the triples, and all claims keep what the statement has.
        """
        entailed = {row: self._read[row].signals.get("triple.entailment", 0.0) for row in rows}
        at_fault = {row for row in rows if self._at_fault(row)}
        right = [row for row in rows if entailed[row] >= (LIKELY if at_fault - {row} else ENTAILED)]
        right = [row for row in right if row not in at_fault]
        if len(right) == len(rows):
            return
        for row in right:
            if self._weights.outcome(shares[row]) is not Outcome.SUPPORTED:
                rest = (1 - entailed[row]) / 2
                shares[row] = dict.fromkeys(shares[row], rest) | {Outcome.SUPPORTED: entailed[row]}

    def _widen(self, row: int, shares: list[dict[Outcome, float]]) -> None:
        """Let a claim that is left open be supported where many sentences of the context together entail it.

        Of 133 claims of drafts that nothing is fitted to and that were left open, 16 became so, all of them true. What
        many sentences seem to contradict decides nothing: of 42 such claims 15 are false.
        """
        entailed = self._read[row].signals.get(f"{WIDE}.entailment", 0.0)
        if entailed >= ENTAILED and self._weights.outcome(shares[row]) is Outcome.NOT_ENOUGH_INFO:
            shares[row] = dict.fromkeys(shares[row], (1 - entailed) / 2) | {Outcome.SUPPORTED: entailed}

    def _at_fault(self, row: int) -> bool:
        """Return whether a claim has the words that make its statement differ from the source, or is contradicted by
        itself.
        """
        read = self._read[row]
        typed = read.judged.judgement.said if read.judged and read.judged.judgement.excluded else ""
        differing = [said for said in (typed, read.replaced.alternative.said if read.replaced else "") if said]
        has = any(said.lower() in self._case.claims[row].triple.text.lower() for said in differing)
        return has or read.signals.get("triple.contradiction", 0.0) >= ENTAILED

    def ranked(self, ruled: Sequence[Finding]) -> list[Finding]:
        """Return the rules' findings with the signals of wording, ranked by the profile where there is one."""
        found = []
        for row, finding in enumerate(ruled):
            signals = (*finding.signals, *self._worded(row))
            rank = self._profile.weights.probability(_values(signals)) if self._profile else _rank(finding)
            found.append(replace(finding, signals=(*signals, Signal("fused", "hallucination", rank))))
        return found

    def _finding(
        self,
        row: int,
        shares: Mapping[Outcome, float],
        settled: tuple[Outcome, Status, PassageJudgement | None],
        alone: Mapping[int, float],
    ) -> Finding:
        read = self._read[row]
        outcome, status, told = settled
        stance, confidence = _STANCES.get(outcome, Stance.NEUTRAL), round(shares[outcome], 4)
        if told:
            confidence = max(confidence, PROVEN)
        statement = self._case.claims[row].sentence
        rows = (told.row,) if told else needed(statement, deciding(read, outcome, alone), self._case.passages)
        pair = self._contrast(row, rows) if outcome is Outcome.REFUTED else None
        known = pair.known if pair else None
        evidence = [
            self._sources.passage(at) for at in telling(self._case.claims[row], known, rows, self._case.passages)
        ]
        evidence += [self._sources.contrasted(pair)] if pair and pair.fact else []
        return Finding(
            outcome=outcome,
            status=status,
            reason=self._reason(statement, outcome, status, told, pair, evidence[0], read.chosen.nearness),
            confidence=confidence,
            citations=tuple(Citation(piece, stance, confidence) for piece in evidence),
            signals=self._signals(row, read, shares, proven=bool(told) and outcome is Outcome.SUPPORTED),
        )

    def _settled(self, row: int, shares: Mapping[Outcome, float]) -> tuple[Outcome, Status, PassageJudgement | None]:
        """Return the outcome, how it was found, and the typed comparison where that decides. Methods that disagree are
        CONFLICTING, and a model that is torn is UNCLEAR.

        The model decides what it supports. What typed comparison excludes in short sentences is refuted where the
        model leaves it open, by some kinds; what a sentence states is not refuted by the model alone, and supported
        where the model half agrees, or where the words are the same. Where a sentence says the claim with another
        word in its place, or a fact of the passage excludes it, that refutes what the model leaves open. Of 4,680
        claims these rules decided 13 rightly and 3 wrongly; they once also overruled what the model supports, which was
        wrong of 17 of 18.
        """
        read, outcome = self._read[row], self._weights.outcome(shares)
        status = _status(outcome, shares)
        supported, told, other = outcome is Outcome.SUPPORTED, self._told(row), self._replaced(row)
        if told and told.judgement.excluded:
            found = told.judgement
            proven = other or (found.short and found.kind not in UNAIDED)
            refuted = outcome is Outcome.REFUTED or (proven and not supported)
            return (Outcome.REFUTED, Status.COMPLETE, told) if refuted else (outcome, status, None)
        if told:
            return self._stated(told, outcome, shares)
        if other and not supported:
            return Outcome.REFUTED, Status.COMPLETE, other
        if outcome is Outcome.NOT_ENOUGH_INFO and self._excluded(row, read):
            return Outcome.REFUTED, Status.COMPLETE, None
        if outcome is Outcome.REFUTED and shares[Outcome.REFUTED] < read.least:
            return Outcome.NOT_ENOUGH_INFO, _status(Outcome.NOT_ENOUGH_INFO, shares), None
        return outcome, status, None

    def _stated(
        self, told: PassageJudgement, outcome: Outcome, shares: Mapping[Outcome, float]
    ) -> tuple[Outcome, Status, PassageJudgement | None]:
        """Return what `_settled` does of a claim that a sentence states."""
        same, supported = told.judgement.kind == "same", outcome is Outcome.SUPPORTED
        if outcome is Outcome.REFUTED and not same:
            return _CONFLICT
        least = CONVERTED if told.judgement.kind == "values" else HALF
        if same or supported or shares[Outcome.SUPPORTED] >= least:
            return Outcome.SUPPORTED, Status.COMPLETE, told
        return outcome, _status(outcome, shares), None

    def _told(self, row: int) -> PassageJudgement | None:
        """Return what typed comparison tells of a claim: of its statement, if it concerns the claim."""
        told = self._read[row].judged
        return told if told and self._concerned(row, told.judgement.said) else None

    def _replaced(self, row: int) -> PassageJudgement | None:
        """Return what a sentence has instead of a word of the claim's statement, if it concerns the claim."""
        found = self._read[row].replaced
        if found is None or not self._concerned(row, found.alternative.said):
            return None
        return PassageJudgement(found.row, Judgement(True, "value", found.alternative.said, found.alternative.known))

    def _concerned(self, row: int, said: str) -> bool:
        """Return whether the claim has the words of its statement that differ; all have where none of them has."""
        claim = self._case.claims[row]
        group = [self._case.claims[other] for other in self._groups[claim.sentence]]
        having = [one.id for one in group if said.lower() in one.triple.text.lower()]
        return not said or not having or claim.id in having

    def _excluded(self, row: int, read: ClaimReading) -> bool:
        """Return whether a fact read from the passage excludes the claim: another value of a relation that has one, or
        another date or number of the same subject and relation. No fact of the passage may support the claim.
        """
        claim, facts = self._case.claims[row], self._case.facts
        near, limits = [facts.facts[at] for at in self._facts_in(read.chosen.passage)], Thresholds()
        against = [fact for fact in near if may_exclude(claim, fact, facts)]
        if not any(refutes(match(claim, fact, facts, {}, self._space), limits) for fact in against):
            return False
        for_it = [fact for fact in near if may_support(claim, fact, facts)]
        return not any(supports(match(claim, fact, facts, {}, self._space), limits) for fact in for_it)

    def _facts_in(self, rows: Iterable[int]) -> list[int]:
        """Return the numbers of the facts that were read from the sentences of these rows."""
        homes = [self._case.passages[at] for at in rows]
        found = [self._facts.starting(home.document, home.span.start, home.span.end) for home in homes if home.span]
        return sorted({at for each in found for at in each})

    def _contrast(self, row: int, deciding: Sequence[int]) -> Contrast | None:
        """What the deciding sentences have instead of one element of a refuted claim; None where that is not clear.

        Another subject is never named: a sentence about somebody else refutes nothing.
        """
        claim, readings = self._case.claims[row], self._index.at(self._case.claims[row], deciding)
        pair = contrast_with(claim, self._facts_in(deciding), readings, self._sources, self._space)
        return None if pair is None or pair.element == "subject" else pair

    def _reason(
        self,
        statement: str,
        outcome: Outcome,
        status: Status,
        told: PassageJudgement | None,
        pair: Contrast | None,
        best: Evidence,
        nearness: float,
    ) -> str:
        source, quote = self._sources.speaker(best), self._sources.quote(best)
        if outcome is Outcome.NOT_ENOUGH_INFO and nearness <= UNRELATED:
            return wording.unmentioned(source)
        if status is Status.CONFLICTING:
            return wording.conflicting(source, quote)
        if status is Status.UNCLEAR:
            return wording.unclear(source, quote)
        if told and outcome is Outcome.REFUTED:
            found = told.judgement
            named = found.said and found.known
            if named and is_told_apart(statement, found.said, found.known, found.kind, quote):
                return wording.other_value(found.said, found.known, source, quote)
            return wording.opposed(found.kind, source, quote)
        if pair and pair.known and pair.element == "object":
            return wording.other_value(pair.said, pair.known, source, quote)
        return wording.read(outcome, source, quote)

    def _signals(
        self, row: int, read: ClaimReading, shares: Mapping[Outcome, float], *, proven: bool
    ) -> tuple[Signal, ...]:
        """Return what was found, and the rank last; `proven`: typed comparison supports the claim."""
        given = [Signal(*_named(name), value) for name, value in read.signals.items()]
        fused = [Signal("fused", name.value.lower(), round(share, 4)) for name, share in shares.items()]
        signals = (*given, *self._worded(row), *fused)
        supported = max(shares[Outcome.SUPPORTED], PROVEN if proven else 0.0)
        rank = self._profile.weights.probability(_values(signals)) if self._profile else 1 - supported
        return (*signals, Signal("fused", "hallucination", round(rank, 4)))

    def _worded(self, row: int) -> Iterator[Signal]:
        if self._wording:
            sentences, output = self._wording
            yield from (*_wording("sentence", sentences[row]), *_wording("output", output))
            yield Signal("output", "sentences", float(len(self._case.sentences)))


def _status(outcome: Outcome, shares: Mapping[Outcome, float]) -> Status:
    """Return UNCLEAR for what is left open though it may well be supported, and may well be refuted."""
    torn = min(shares[Outcome.SUPPORTED], shares[Outcome.REFUTED]) >= TORN
    return Status.UNCLEAR if torn and outcome is Outcome.NOT_ENOUGH_INFO else Status.COMPLETE


def weighable(case: Case) -> bool:
    """Whether there is something that was calibrated for: sentences that are all there is."""
    return case.closed and bool(case.passages)


def _kind(case: Case) -> ProfileKind:
    if case.given:
        return ProfileKind.TRIPLES
    return ProfileKind.TEXT if len(case.sentences) > 1 else ProfileKind.SENTENCE


def _rank(found: Finding) -> float | None:
    """Return the score that a method ranks a claim by."""
    return next((signal.value for signal in found.signals if signal.name == "hallucination"), None)


def _as_ruled(finding: Finding) -> Finding:
    """The rules' finding as fusion's."""
    return replace(finding, signals=(*finding.signals, Signal("fused", "hallucination", _rank(finding))))


def _values(signals: Iterable[Signal]) -> dict[str, float | None]:
    return {f"{signal.method}.{signal.name}": signal.value for signal in signals}


def _named(signal: str) -> tuple[str, str]:
    method, _, name = signal.partition(".")
    return method, name


def _wording(of: str, found: Wording) -> Iterator[Signal]:
    for name in ("words", "pieces", "names", "numbers", "order", "meaning"):
        value = getattr(found, name)
        yield Signal(of, name, None if value is None else round(value, 4))
