"""Judge claims by the facts that held at the time they speak of.

    claim ──▶ its time ──▶ facts that held then ──▶ another detector's finding
                               │
                               └─ facts that did not ──▶ what only they say is refuted by its time

A claim without a date is judged by what holds now where it is in the present, and by all that ever held where it is in
the past. Comparing times inside each method was rejected: none of them knows which facts are rivals.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.methods.open_domain import claim_order
from claimgraph.detect.methods.open_domain.claim_times import ClaimTime, Dating, Tense, datings, times
from claimgraph.detect.methods.open_domain.dated_claims import after_death, dated
from claimgraph.detect.methods.open_domain.fact_validity import (
    DEPRECATED,
    dropped,
    dropped_now,
    is_measure,
    validity,
)
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import Citation, Fact, Finding, Outcome, Stance, Status, Subgraph

VERSION = 1
"""Increase with any change to these rules: it is part of every verdict's configuration."""


class InTime:
    """Gives another detector only the facts that held at a claim's time; deprecated facts never. Implements Detector.

    Cases without links, and closed ones, pass unchanged. REFUTED: only facts of another time say what the claim says.
    The reason then names both times; that of a claim in the present says that it was judged by what holds now.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector, self.name = detector, detector.name
        self.config = json.dumps(json.loads(detector.config) | {"time": VERSION}, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order. Raises what the other detector raises."""
        works = [_TimedCase(case) if not case.closed and case.links is not None else None for case in cases]
        found = self._detector.detect([work.case if work else case for work, case in zip(works, cases, strict=True)])
        parts = [part for work in works if work for part in work.parts]
        again = iter(self._detector.detect([part.case for part in parts])) if parts else iter(())
        return [
            work.findings(findings, [next(again) for _ in work.parts]) if work else findings
            for work, findings in zip(works, found, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Part:
    """The claims (rows) for which the same facts do not count, with the facts that do."""

    rows: tuple[int, ...]
    case: Case


class _TimedCase:
    """One case in an open domain."""

    def __init__(self, case: Case) -> None:
        self._times: list[ClaimTime] = times(case.claims, case.text, case.sentences)
        self._datings: list[Dating] = [*datings(case.claims), *after_death(case)]
        good = tuple(fact for fact in case.facts.facts if fact.rank != DEPRECATED)
        self.case = replace(case, facts=Subgraph(case.facts.nodes, good))
        self._facts = {fact.id: fact for fact in good}
        self._sources = Sources(self.case.facts, case.passages)
        timed = [fact for fact in good if not fact.document]
        self._dropped = [self._out(time, timed) for time in self._times]
        groups: dict[frozenset[str], list[int]] = defaultdict(list)
        for row, ids in enumerate(self._dropped):
            if ids:
                groups[ids].append(row)
        self.parts = [_Part(tuple(rows), self._without(ids, rows)) for ids, rows in groups.items()]

    def _out(self, time: ClaimTime, facts: Sequence[Fact]) -> frozenset[str]:
        if time.days:
            return dropped(facts, self.case.facts.nodes, *time.days)
        return dropped_now(facts, self.case.facts.nodes) if time.tense is Tense.NOW else frozenset()

    def _without(self, ids: frozenset[str], rows: Sequence[int]) -> Case:
        case = self.case
        kept = Subgraph(case.facts.nodes, tuple(fact for fact in case.facts.facts if fact.id not in ids))
        graph = case.graph and Subgraph(case.graph.nodes, tuple(case.graph.facts[row] for row in rows))
        return replace(case, claims=tuple(case.claims[row] for row in rows), facts=kept, graph=graph)

    def findings(self, whole: Sequence[Finding], again: Sequence[Sequence[Finding]]) -> list[Finding]:
        """Return the findings in time, of those on all facts and those of each part."""
        found = list(whole)
        for part, findings in zip(self.parts, again, strict=True):
            for row, finding in zip(part.rows, findings, strict=True):
                found[row] = self._in_time(row, whole[row], finding)
        for row, finding in enumerate(found):
            found[row] = claim_order.judged(self.case, row, self._told(row, finding), self._stating(whole[row]))
        for one in self._datings:
            facts = [fact for core in one.cores for fact in self._stating(whole[core])]
            found[one.row] = dated(one.time, found[one.row], facts, self._sources)
        return found

    def _stating(self, finding: Finding) -> list[Fact]:
        """Return the stored facts that a finding on all facts says state the claim, whenever they held."""
        if finding.outcome is not Outcome.SUPPORTED:
            return []
        cited = [c.evidence.fact_id for c in finding.citations if c.stance is Stance.SUPPORTS]
        return [fact for key in cited if (fact := self._facts.get(key or "")) and not fact.document]

    def _in_time(self, row: int, whole: Finding, timed: Finding) -> Finding:
        """Return the finding by the facts that held, or that the claim is true of another time."""
        past = [fact for fact in self._stating(whole) if fact.id in self._dropped[row]]
        if not past or timed.outcome is Outcome.SUPPORTED:
            return timed
        time, rivals = self._times[row], self._rivals(row, past[0])
        soft = time.carried or is_measure(self.case.facts.nodes[past[0].object]) or not validity(past[0]).words
        told = self._elsewhen(past[0], time)
        if soft and timed.outcome is not Outcome.REFUTED and len({fact.object for fact in rivals}) != 1:
            return replace(timed, reason=f"{timed.reason} {told}")
        known = list(timed.citations) if timed.outcome is Outcome.REFUTED else []
        seen, score = {c.evidence.fact_id for c in known}, whole.citations[0].score
        others = [Citation(self._sources.fact(f), Stance.REFUTES, score) for f in (*past, *rivals) if f.id not in seen]
        if timed.outcome is Outcome.REFUTED:
            return replace(timed, reason=f"{timed.reason} {told}", citations=(*known, *others))
        return replace(
            whole,
            outcome=Outcome.REFUTED,
            status=Status.COMPLETE,
            reason=told,
            citations=tuple(others),
            signals=tuple(
                replace(s, value=1 - s.value) if s.name == "hallucination" and s.value is not None else s
                for s in whole.signals
            ),
        )

    def _rivals(self, row: int, past: Fact) -> list[Fact]:
        """Return the facts of the same subject and relation that held at the claim's time."""
        near = (fact for fact in self._facts.values() if fact.id not in self._dropped[row])
        same = [fact for fact in near if (fact.subject, fact.predicate) == (past.subject, past.predicate)]
        return [fact for fact in same if validity(fact).known]

    def _elsewhen(self, fact: Fact, time: ClaimTime) -> str:
        said, when = self.case.facts.triple(fact).text, validity(fact).words
        which = f"{fact.graph} says “{said}” {when or 'of another time'}"
        if time.date is None:
            return f"{which}, not of now, which a claim in the present speaks of."
        return f"{which}, not of {time.date.value}{' (the time of the sentence before)' if time.carried else ''}."

    def _told(self, row: int, finding: Finding) -> Finding:
        """Return the finding with its time in the reason, where facts that have one decide it."""
        time, nodes = self._times[row], self.case.facts.nodes
        decided = [fact for fact in self._stating(finding) if validity(fact).known]
        if decided and validity(decided[0]).words:
            told = f"That held {validity(decided[0]).words}."
            if is_measure(nodes[decided[0].object]):
                told = f"That is its value {validity(decided[0]).words}."
        elif self._dropped[row] and finding.outcome is not Outcome.NOT_ENOUGH_INFO and time.days is None:
            told = "Judged by what holds now."
        else:
            return finding
        return finding if told in finding.reason else replace(finding, reason=f"{finding.reason} {told}")
