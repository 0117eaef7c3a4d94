"""Use absence as evidence: a graph knows other values for a claim's subject and relation, and not the claim's.

Graphs are open, so a missing fact says little. Two assumptions make it evidence: a functional relation has one value a
subject (Suchanek et al. 2011, PARIS), and under the partial completeness assumption a graph that knows some values for
subject and relation knows all (Galárraga et al. 2013, AMIE). The first is measured in the graph, the second is assumed,
and the reason says which. The number of known values was rejected as a measure: that a graph has three employers does
not say that it has the fourth.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise

from claimgraph.detect.check_input import Case, Detector, linked
from claimgraph.detect.compare import relations
from claimgraph.detect.methods.open_domain.claim_relations import Claimed, Reading
from claimgraph.detect.methods.open_domain.containment import Containment
from claimgraph.detect.methods.open_domain.entailed_relations import RelationEntailment
from claimgraph.detect.methods.open_domain.substitutes import Substitutes, comparable
from claimgraph.detect.methods.open_domain.titles import titled
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.evidence import Sources, together
from claimgraph.detect.text.words import content, negated
from claimgraph.kgstore.model import Citation, Claim, Embedder, Fact, Finding, Outcome, Signal, Stance, Status

VERSION = 7
"""Increase with any change to these rules: it is part of every verdict's configuration."""
CITED = 5
"""Facts cited, and values named in a reason."""
_LIKE = 0.55
"""Least likeness at which words that are no known phrase name a relation, if the value is of its kind."""
_MANY = 10
"""Number of values from which on only a sample may have been fetched: an unknown value may be another's."""

Functionality = Callable[[], Mapping[str, float]]
"""Subjects / facts of predicates by id, in (0, 1]; called once a detection."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """The meaning of absence. Relations of `functional` subjects / facts or more have one value; with `complete` a
    graph that has some values of another relation for a subject is taken to have all, unless with `doubts` the rest
    of the graph does not speak against another (graph_judged.py).
    """

    name: str
    functional: float
    complete: bool
    doubts: bool


PRESETS = {
    "likely": Assumption("likely", 0.9, True, True),
    "functional": Assumption("functional", 0.9, False, True),
    "complete": Assumption("complete", 0.9, True, False),
}


class LocallyComplete:
    """Decides by stored graphs in their own relations, else by the findings of another detector. Implements Detector.

    A claim whose relation a graph has for its subject is SUPPORTED where its value is among the graph's, and REFUTED
    where it is not and absence counts; the evidence are those facts, the best substitute first. Closed cases and those
    without links pass unchanged; so do negated claims, and claims about entities with incomplete facts.
    """

    def __init__(
        self,
        detector: Detector,
        embedder: Embedder,
        functionality: Functionality,
        assumed: Assumption,
        entails: RelationEntailment | None = None,
    ) -> None:
        """`entails` maps words that are like no relation's; without it they decide nothing."""
        self._detector, self.name, self._entails = detector, detector.name, entails
        self._embedder, self._functionality, self._assumed = embedder, functionality, assumed
        parts = {"version": VERSION, "model": embedder.model, **asdict(assumed)}
        if entails:
            parts["entailment"] = entails.model
        self.config = json.dumps(json.loads(detector.config) | {"completeness": parts}, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order. Raises what the other detector raises.

        Cases of one text count as one where a substitute is chosen, so that no two claims get the same.
        """
        found = self._detector.detect(cases)
        space = Space(self._embedder)
        space.add(text for case in cases if _open(case) for text in _texts(case))
        substitutes = _substitutes(cases, space)
        functionality = self._functionality() if any(map(_open, cases)) else {}
        return [
            self._judged(case, findings, space, substitutes[case.text], functionality) if _open(case) else findings
            for case, findings in zip(cases, found, strict=True)
        ]

    def _judged(
        self,
        case: Case,
        findings: Sequence[Finding],
        space: Space,
        substitutes: Substitutes,
        functionality: Mapping[str, float],
    ) -> list[Finding]:
        work = _CompletenessCase(case, substitutes, functionality, self._assumed, self.name)
        read = readings(case, findings, Claimed(case.facts, space), self._entails)
        return [
            finding if negated(claim.predicate) else work.finding(claim, finding, ours)
            for claim, finding, ours in zip(case.claims, findings, read, strict=True)
        ]


def readings(
    case: Case, findings: Sequence[Finding], claimed: Claimed, entails: RelationEntailment | None
) -> list[list[Reading]]:
    """Return the readings of each claim of a case, likeliest first.

    Where no reading's words name its relation, and `findings` do not support the claim, the one that `entails` finds is
    the first.
    """
    known = [linked(claim, case.links) for claim in case.claims]
    found = [claimed.readings(claim, ends) for claim, ends in zip(case.claims, known, strict=True)]
    if entails is None:
        return found
    asked = [
        at
        for at, (claim, finding) in enumerate(zip(case.claims, findings, strict=True))
        if finding.outcome is not Outcome.SUPPORTED and not negated(claim.predicate) and not any(map(_meant, found[at]))
    ]
    meant = entails.meant([(case.claims[at], claimed.possible(case.claims[at], known[at])) for at in asked])
    for at, reading in zip(asked, meant, strict=True):
        found[at] = [reading, *found[at]] if reading else found[at]
    return found


def _open(case: Case) -> bool:
    return not case.closed and case.links is not None


def _texts(case: Case) -> list[str]:
    names = {fact.name for fact in case.facts.facts if not fact.document}
    return [*(claim.predicate for claim in case.claims), *sorted(names), *map(relations.spoken, sorted(names))]


def _substitutes(cases: Sequence[Case], space: Space) -> dict[str, Substitutes]:
    named: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        named[case.text].update(link.entity.id for link in case.links or () if link.entity)
    return {text: Substitutes(text, ids, space) for text, ids in named.items()}


class _CompletenessCase:
    """The values computed once per case."""

    def __init__(
        self,
        case: Case,
        substitutes: Substitutes,
        functionality: Mapping[str, float],
        assumed: Assumption,
        method: str,
    ) -> None:
        self._case, self._substitutes, self._assumed, self._method = case, substitutes, assumed, method
        self._functionality = functionality
        self._sources = Sources(case.facts, case.passages)
        self._containment = Containment(case.facts)

    def finding(self, claim: Claim, finding: Finding, readings: Sequence[Reading]) -> Finding:
        """Return the finding of the likeliest reading; the other detector's where no reading decides.

        A SUPPORTED of the other detector is only overruled by a known phrase with a value of its relation's kind.
        """
        meant = [reading for reading in readings if _meant(reading)]
        if finding.outcome is not Outcome.SUPPORTED and (facts := self._titled(claim)):
            return self._stated(claim, finding, facts, 1.0)
        stated = next((reading for reading in meant if reading.stated), None)
        if stated:
            kept = finding.outcome is Outcome.SUPPORTED
            return finding if kept else self._stated(claim, finding, stated.stated, stated.likeness)
        if finding.outcome is not Outcome.SUPPORTED and (found := self._by_place(claim, finding, readings)):
            return found
        if not meant or not self._speaks(meant[0]) or self._holds(claim, meant[0]):
            return finding
        sure = meant[0].likeness == 1 and meant[0].fits
        return finding if finding.outcome is Outcome.SUPPORTED and not sure else self._refuted(claim, finding, meant[0])

    def _by_place(self, claim: Claim, finding: Finding, readings: Sequence[Reading]) -> Finding | None:
        """Return the finding by what lies in what, of a known phrase: the value contains a known one, or is another
        country than all of these lie in.
        """
        for reading in (one for one in readings if one.likeness == 1 and one.said and one.known):
            values = linked(claim, self._case.links).ids.get(reading.role, frozenset())
            paths = [(fact, path) for fact in reading.known if (path := self._containment.path(fact.object, values))]
            if paths:
                return self._stated(claim, finding, (paths[0][0], *paths[0][1]), 1.0)
            away = [(f, home) for f in reading.known if (home := self._containment.other_country(f.object, values))]
            if away and len(away) == len(reading.known) and self._speaks(reading):
                return self._elsewhere(claim, finding, reading, away[0])
        return None

    def _elsewhere(self, claim: Claim, finding: Finding, reading: Reading, found: tuple[Fact, Fact]) -> Finding:
        cited = together(self._cited(found, Stance.REFUTES, 1.0))
        said = "; ".join(piece.evidence.text for piece in cited)
        reason = wording.another_country(reading.value(claim), self._sources.speaker(cited[0].evidence), said)
        return self._found(finding, Outcome.REFUTED, reason, cited, 1.0)

    def _speaks(self, reading: Reading) -> bool:
        """Return whether the graph's lack of the value counts. Not where the words are no known phrase and another fact
        joins the two: they may mean that one; nor where a model found a relation of several values, inverted. Nor,
        where doubts are to be asked about, for a value that no graph knows of a relation with several: of it the rest
        of the graph says nothing.
        """
        if reading.joined and reading.likeness < 1:
            return False
        if not reading.known or reading.anchor in self._case.incomplete:
            return False
        if reading.entailed and reading.role == "subject" and not self._one(reading):
            return False
        if reading.fits is None and (self._assumed.doubts or len(reading.known) >= _MANY) and not self._one(reading):
            return False
        return comparable(reading, self._case.facts.nodes) and (self._assumed.complete or self._one(reading))

    def _holds(self, claim: Claim, reading: Reading) -> bool:
        """Return whether the value lies in a known one, or a known one in it, by the facts at hand or by its words: a
        singer-songwriter is a songwriter.
        """
        values = linked(claim, self._case.links).ids.get(reading.role, frozenset())
        said, nodes = _parts(reading.value(claim)), self._case.facts.nodes
        return any(
            _nested(said, _parts(nodes[fact.object].name))
            or any(self._containment.joined(value, fact.object) for value in values)
            for fact in reading.known
        )

    def _one(self, reading: Reading) -> bool:
        """Return whether the relation has one value."""
        return self._functionality.get(reading.predicate, 0.0) >= self._assumed.functional

    def _titled(self, claim: Claim) -> list[Fact]:
        return titled(claim, linked(claim, self._case.links), self._case.facts)

    def _stated(self, claim: Claim, finding: Finding, facts: Sequence[Fact], likeness: float) -> Finding:
        """Return a SUPPORTED finding by facts that each say so, or by a path of facts, cited in its order."""
        cited = self._cited(facts, Stance.SUPPORTS, likeness)
        path = all(one.object == other.subject for one, other in pairwise(facts))
        cited = together(cited) if path else cited
        said = "; ".join(piece.evidence.text for piece in (cited if path else cited[:1]))
        reason = wording.stands(claim, Outcome.SUPPORTED, self._sources.speaker(cited[0].evidence), said)
        return self._found(finding, Outcome.SUPPORTED, reason, cited, 1 - likeness)

    def _refuted(self, claim: Claim, finding: Finding, reading: Reading) -> Finding:
        """Return a REFUTED finding. Confidence is the words' likeness, times the mean of 1 and the functionality."""
        strength = reading.likeness * (1 + self._functionality.get(reading.predicate, 0.0)) / 2
        facts = self._substitutes.ordered(claim, reading, self._case.facts.nodes)
        cited = self._cited(facts, Stance.REFUTES, strength)
        names = [self._case.facts.nodes[fact.object].name for fact in facts]
        graph = self._sources.speaker(cited[0].evidence)
        anchor = self._case.facts.nodes[reading.anchor].name
        reason = wording.absent(reading.value(claim), graph, anchor, reading.name, names[:CITED], self._one(reading))
        ours = (
            Signal("completeness", "relation", round(reading.likeness, 4)),
            Signal("completeness", "functionality", self._functionality.get(reading.predicate)),
            Signal("completeness", "known", float(len(reading.known))),
        )
        return self._found(finding, Outcome.REFUTED, reason, cited, (1 + strength) / 2, ours)

    def _found(
        self,
        finding: Finding,
        outcome: Outcome,
        reason: str,
        cited: tuple[Citation, ...],
        hallucination: float,
        ours: tuple[Signal, ...] = (),
    ) -> Finding:
        own = Signal(self._method, "hallucination", round(hallucination, 4))
        others = tuple(s for s in finding.signals if (s.method, s.name) != (own.method, own.name))
        return replace(
            finding,
            outcome=outcome,
            status=Status.COMPLETE,
            reason=reason,
            confidence=cited[0].score,
            citations=cited,
            signals=(*others, own, *ours),
        )

    def _cited(self, facts: Sequence[Fact], stance: Stance, score: float) -> tuple[Citation, ...]:
        return tuple(Citation(self._sources.fact(fact), stance, round(score, 4)) for fact in facts[:CITED])


def _parts(name: str) -> frozenset[str]:
    return frozenset(content(name.replace("-", " ")))


def _nested(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether all words of one are among the other's."""
    return bool(one and other) and (one <= other or other <= one)


def _meant(reading: Reading) -> bool:
    """Return whether the words name the relation: a known phrase, or like words; the value must be of its kind, but for
    a known phrase where the value is not a known entity. What an entailment model found names it.
    """
    if reading.entailed:
        return True
    if reading.likeness == 1 and reading.fits is None:
        return reading.said
    return bool(reading.fits) and reading.likeness >= _LIKE
