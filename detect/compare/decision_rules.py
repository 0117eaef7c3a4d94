"""Decide the outcome of a claim from its matches: the rules, and every threshold, in one place.

Without an entailment model the rules are conservative: a claim is refuted only by another value where one value is
possible, by another date or number for the same thing, or by its own negation; another object of a relation that may
have many ("visited") refutes nothing. The thresholds are first settings for MiniLM, chosen on made-up pairs, not fitted
to any data set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from claimgraph.detect.compare.fact_match import Match
from claimgraph.detect.compare.passage_match import PassageMatch
from claimgraph.detect.compare.relations import takes_one_value
from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.values.literals import Comparison

_Item = TypeVar("_Item", Match, PassageMatch)

_Evidence = tuple[tuple[float, Match | PassageMatch], ...]

VERSION = 3
"""Increase with any change to these rules: it is part of every verdict's configuration."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of the rules, all in [0, 1]; the fields of `config`."""

    same: float = 0.75
    """Least likeness at which a subject or object of claim and fact are one entity."""
    relation: float = 0.6
    """Least likeness of relations at which the fact supports the claim."""
    relation_refute: float = 0.65
    """Least likeness of relations at which the fact may contradict the claim."""
    different: float = 0.6
    """Objects below this likeness are different entities."""
    coverage: float = 0.85
    """Least share of a claim's words in one passage at which the passage supports it."""
    coverage_refute: float = 0.7
    """Least share of the other words in one passage at which its different value refutes the claim."""
    passage_weight: float = 0.9
    """Weight of shared words beside a matching fact: a sentence may hold the words in another order."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of one claim.

    `support` and `refute` in [0, 1] are the strength of the best evidence either way; `confidence` in [0, 1] is that
    of the evidence behind the outcome, and 1 - the stronger of both for NOT_ENOUGH_INFO: a ranking, no probability.
    `matches` and `readings` are the evidence for the outcome with its strength, best first; `opposed` is the evidence
    for the opposite, where sources disagree.
    """

    outcome: Outcome
    confidence: float
    support: float
    refute: float
    matches: tuple[tuple[float, Match], ...]
    readings: tuple[tuple[float, PassageMatch], ...]
    opposed: _Evidence = ()

    @property
    def hallucination(self) -> float:
        """Strength of the evidence for a hallucination, in [0, 1]; 0.5 where there is none for either side."""
        return (1 - self.support + self.refute) / 2


def rule(matches: Sequence[Match], readings: Sequence[PassageMatch], settings: Thresholds) -> Decision:
    """Combine the facts and the passages near a claim. The stronger side wins, support where both are equal."""
    several = _several_values(matches, settings)
    for_facts = _kept(matches, lambda m: supports(m, settings))
    against_facts = _kept(matches, lambda m: refutes(m, settings) if m.fact.id not in several else 0.0)
    for_text = _kept(readings, lambda r: reads_for(r, settings))
    against_text = _kept(readings, lambda r: reads_against(r, settings))
    support = max([s for s, _ in for_facts] + [s for s, _ in for_text], default=0.0)
    refute = max([s for s, _ in against_facts] + [s for s, _ in against_text], default=0.0)
    favour: _Evidence = (*for_facts, *for_text)
    against: _Evidence = (*against_facts, *against_text)
    if support and support >= refute:
        return Decision(Outcome.SUPPORTED, support, support, refute, tuple(for_facts), tuple(for_text), against)
    if refute:
        return Decision(Outcome.REFUTED, refute, support, refute, tuple(against_facts), tuple(against_text), favour)
    partial = max([0.0, *(m.weakest for m in matches), *(r.coverage for r in readings)]) / 2
    return Decision(Outcome.NOT_ENOUGH_INFO, 1 - partial, partial, 0.0, (), ())


def supports(match: Match, settings: Thresholds) -> float:
    """Return the strength in [0, 1] with which a fact states the claim; 0 if it does not."""
    same = min(match.subject, match.object) >= settings.same
    if not same or match.relation < settings.relation or match.denied:
        return 0.0
    return (match.subject + match.relation + match.object) / 3


def refutes(match: Match, settings: Thresholds) -> float:
    """Return the strength in [0, 1] with which a fact excludes the claim; 0 if both can be true."""
    if match.subject < settings.same or match.relation < settings.relation_refute:
        return 0.0
    if match.denied:
        return (match.subject + match.relation + match.object) / 3 if match.object >= settings.same else 0.0
    other = match.literal is Comparison.DIFFERENT
    other |= match.exclusive and match.object < settings.different and takes_one_value(match.fact.name)
    return (match.subject + match.relation) / 2 if other else 0.0


def reads_for(reading: PassageMatch, settings: Thresholds) -> float:
    """Return the strength in [0, 1] with which a passage states the claim; 0 if it does not."""
    if reading.coverage < settings.coverage or not reading.whole or reading.conflict or reading.denied:
        return 0.0
    return settings.passage_weight * reading.coverage


def reads_against(reading: PassageMatch, settings: Thresholds) -> float:
    """Return the strength in [0, 1] with which a passage excludes the claim by another value or its negation; else
    0.
    """
    needed = settings.coverage_refute if reading.conflict else settings.coverage
    if reading.coverage < needed or not (reading.conflict or (reading.denied and reading.whole)):
        return 0.0
    return settings.passage_weight * reading.coverage


def _several_values(matches: Sequence[Match], settings: Thresholds) -> set[str]:
    """Return facts whose relation has another object for the same subject in the same graph, so takes several values.

    Another object in another graph is two sources that disagree.
    """
    near = [m for m in matches if m.subject >= settings.same and m.relation >= settings.relation_refute and m.exclusive]
    objects = {(m.fact.graph, m.fact.object) for m in near}
    graphs = Counter(graph for graph, _ in objects)
    return {m.fact.id for m in near if graphs[m.fact.graph] > 1}


def _kept(items: Sequence[_Item], strength: Callable[[_Item], float]) -> list[tuple[float, _Item]]:
    """Return the items with a positive strength, strongest first, ties in the given order."""
    return sorted(((s, item) for item in items if (s := strength(item))), key=lambda pair: -pair[0])
