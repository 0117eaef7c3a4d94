"""Detect by rules: claims against facts and passages by fixed thresholds, fitted to nothing, each verdict with its
reason.

Fusion falls back on it where nothing was calibrated (an open domain), and takes its reasons from it. The order is that
of the papers: embed everything once, align every claim with its nearest fact (FactAlign), compare the claim KG with the
selected facts (KEA Explain), look for contradictory pairs in the whole evidence; then compare the few facts and
passages found, element by element, and rule.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from claimgraph.detect.check_input import Case, Linked, all_linked
from claimgraph.detect.compare import decision_rules, relations
from claimgraph.detect.compare.decision_rules import Decision, Thresholds, rule
from claimgraph.detect.compare.fact_match import Match, match
from claimgraph.detect.compare.passage_match import PassageIndex, PassageMatch
from claimgraph.detect.compare.shortlist import Shortlist
from claimgraph.detect.kernel import comparison
from claimgraph.detect.kernel.comparison import Likeness
from claimgraph.detect.methods.factalign.alignment import Alignment, align
from claimgraph.detect.models.embedder import Space, nearest_rows
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.contrast import Contrast, contrast
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import (
    Citation,
    Claim,
    Embedder,
    Finding,
    Link,
    Outcome,
    Passage,
    Signal,
    Stance,
    Status,
    Subgraph,
    Triple,
)

_STANCES = {Outcome.SUPPORTED: 1.0, Outcome.NOT_ENOUGH_INFO: 0.0, Outcome.REFUTED: -1.0}
NEAREST = 8
"""Facts and passages compared with a claim, beside those that contradict it."""
CITED = 5
PORTION = 500
"""Claims judged together: alignment, clusters of labels and contradictions take memory by the square of their number.
"""


class RuleDetector:
    """Applies FactAlign's alignment, KEA's kernel and contradictions, word coverage and typed values. No entailment
    model.

    `config` determines the findings for given input: rules, thresholds and model.
    """

    name = "rules"

    def __init__(self, embedder: Embedder, thresholds: Thresholds | None = None) -> None:
        self._embedder = embedder
        self._thresholds = thresholds or Thresholds()
        parts = {"version": decision_rules.VERSION, "model": embedder.model, "thresholds": asdict(self._thresholds)}
        self.config = json.dumps(parts, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order."""
        return [self._detect(case.claims, case.facts, case.passages, case.links) for case in cases]

    def _detect(
        self, claims: Sequence[Claim], facts: Subgraph, passages: Sequence[Passage], links: Sequence[Link] | None
    ) -> list[Finding]:
        if not claims:
            return []
        if not facts.facts and not passages:
            return [Finding(Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE, wording.no_evidence()) for _ in claims]
        evidence, findings = _Evidence(facts, passages), list[Finding]()
        for start in range(0, len(claims), PORTION):
            part = claims[start : start + PORTION]
            links_of, space = all_linked(part, links), Space(self._embedder)
            near = evidence.shortlist.near(part, [found.ids for found in links_of], space)
            work = _RuledPortion(part, near, evidence, space, self._thresholds)
            findings += [work.finding(row, found) for row, found in enumerate(links_of)]
        return findings


class _Evidence:
    """The evidence of a document, prepared once for all its portions."""

    def __init__(self, facts: Subgraph, passages: Sequence[Passage]) -> None:
        self.passages, self.shortlist = passages, Shortlist(facts)
        self.index, self.sources = PassageIndex(passages), Sources(facts, passages)


class _RuledPortion:
    """The values computed once per portion of a document's claims, of which most documents have one."""

    def __init__(
        self,
        claims: Sequence[Claim],
        facts: Subgraph,
        evidence: _Evidence,
        space: Space,
        thresholds: Thresholds,
    ) -> None:
        self._claims, self._facts, self._thresholds = claims, facts, thresholds
        self._passages, self._index, self._sources = evidence.passages, evidence.index, evidence.sources
        ours, self._triples = [claim.triple for claim in claims], [facts.triple(fact) for fact in facts.facts]
        said = [f"{t.subject} {relations.spoken(t.predicate)} {t.object}" for t in self._triples]
        self._space = space
        space.add([t.text for t in ours] + said)
        rows, theirs = space.rows([t.text for t in ours]), space.rows(said)
        self.alignment: Alignment = align(rows, theirs)
        self._near = list(nearest_rows(rows, theirs, NEAREST)) if said else [[] for _ in claims]
        self.likeness: Likeness | None = None
        if said:
            selected = [self._triples[best] for best in self.alignment.best]
            self.likeness = comparison.compare(ours, selected, space)
        self._against = self._contradictions(ours)

    def _contradictions(self, ours: Sequence[Triple]) -> list[list[int]]:
        t = self._thresholds
        pairs = comparison.contradictions(
            ours,
            self._triples,
            self._space,
            entity=t.same,
            relation=t.relation_refute,
            different=t.different,
            limit=NEAREST,
        )
        found: list[list[int]] = [[] for _ in self._claims]
        for pair in pairs:
            found[pair.claim].append(pair.evidence)
        return found

    def finding(self, row: int, linked: Linked) -> Finding:
        claim = self._claims[row]
        rows = dict.fromkeys([*self._near[row], *self._against[row]])
        matches = [match(claim, self._facts.facts[i], self._facts, linked.ids, self._space) for i in rows]
        readings = self._index.read(claim, NEAREST)
        ruling = rule(matches, readings, self._thresholds)
        undecided = ruling.outcome is Outcome.NOT_ENOUGH_INFO
        status = Status.UNLINKED if undecided and linked.subject_is_nil else Status.COMPLETE
        citations = self._citations(ruling, matches, readings)
        return Finding(
            outcome=ruling.outcome,
            status=status,
            reason=self._reason(claim, ruling, status, citations, self._contrast(claim, ruling, matches, readings)),
            confidence=round(ruling.confidence, 4),
            citations=citations,
            signals=self._signals(row, ruling, readings),
        )

    def _citations(
        self, ruling: Decision, matches: Sequence[Match], readings: Sequence[PassageMatch]
    ) -> tuple[Citation, ...]:
        """Return evidence for the outcome by strength, facts before passages, then the strongest for the opposite, if
        any; undecided, the nearest of each as neutral.
        """
        stance = Stance.SUPPORTS if ruling.outcome is Outcome.SUPPORTED else Stance.REFUTES
        found = [Citation(self._sources.fact(m.fact), stance, s) for s, m in ruling.matches]
        found += [Citation(self._sources.passage(r.passage), stance, s) for s, r in ruling.readings]
        if ruling.outcome is Outcome.NOT_ENOUGH_INFO:
            near = max(matches, key=lambda m: m.weakest, default=None)
            found = [Citation(self._sources.passage(r.passage), Stance.NEUTRAL, r.coverage) for r in readings[:1]]
            found += [Citation(self._sources.fact(near.fact), Stance.NEUTRAL, near.weakest)] if near else []
        found.sort(key=lambda c: -c.score)
        opposed = self._opposed(ruling, Stance.REFUTES if stance is Stance.SUPPORTS else Stance.SUPPORTS)
        kept = found[: CITED - len(opposed)] + opposed
        return tuple(Citation(c.evidence, c.stance, round(c.score, 4)) for c in kept)

    def _opposed(self, ruling: Decision, stance: Stance) -> list[Citation]:
        best = max(ruling.opposed, key=lambda pair: pair[0], default=None)
        if best is None:
            return []
        strength, item = best
        evidence = self._sources.fact(item.fact) if isinstance(item, Match) else self._sources.passage(item.passage)
        return [Citation(evidence, stance, strength)]

    def _contrast(
        self, claim: Claim, ruling: Decision, matches: Sequence[Match], readings: Sequence[PassageMatch]
    ) -> Contrast | None:
        """Return the contradictory pair that refutes the claim, or the nearest one where nothing is decided."""
        if ruling.outcome is Outcome.REFUTED:
            matches, readings = [m for _, m in ruling.matches], [r for _, r in ruling.readings]
        return contrast(claim, matches, readings, self._sources, self._thresholds)

    def _reason(
        self,
        claim: Claim,
        ruling: Decision,
        status: Status,
        citations: tuple[Citation, ...],
        pair: Contrast | None,
    ) -> str:
        if status is Status.UNLINKED:
            return wording.unlinked(claim)
        best = citations[0].evidence if citations else None
        if pair and ruling.outcome is not Outcome.SUPPORTED:
            best = self._sources.contrasted(pair)
        if best is None:
            return wording.reason(claim, ruling.outcome, None, self._passages[0].source if self._passages else "", "")
        said = wording.reason(claim, ruling.outcome, pair, self._sources.speaker(best), self._sources.quote(best))
        if not ruling.opposed:
            return said
        other = citations[-1].evidence
        return wording.disputed(said, self._sources.speaker(other), self._sources.quote(other))

    def _signals(self, row: int, ruling: Decision, readings: Sequence[PassageMatch]) -> tuple[Signal, ...]:
        aligned = float(self.alignment.score[row])
        return (
            Signal("factalign", "alignment", None if np.isnan(aligned) else round(aligned, 4)),
            Signal("kea", "claim", round(self.likeness.claims[row], 4) if self.likeness else None),
            Signal("kea", "document", round(self.likeness.whole, 4) if self.likeness else None),
            Signal("kea", "contradictions", float(len(self._against[row]))),
            Signal("words", "coverage", round(readings[0].coverage, 4) if readings else None),
            Signal("rules", "stance", _STANCES[ruling.outcome]),
            Signal("rules", "support", round(ruling.support, 4)),
            Signal("rules", "refute", round(ruling.refute, 4)),
            Signal("rules", "hallucination", round(ruling.hallucination, 4)),
        )
