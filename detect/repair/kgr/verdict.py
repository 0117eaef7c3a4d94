"""Turn a model's answer about one claim and its facts into a verdict, checked by the rules on those facts.

The model reads what rules do not ("died aged 38"), and errs where they do not: it calls two dates the same, and refutes
a claim by a fact that states it. Where the two contradict each other on the facts themselves nothing is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.detect.check_input import Linked
from claimgraph.detect.compare.decision_rules import Decision, Thresholds, rule
from claimgraph.detect.compare.fact_match import compare_values, match
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.prompting.structured import Failed
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.detect.repair.kgr.forms import ModelVerdict
from claimgraph.kgstore.model import Citation, Claim, Fact, Finding, Outcome, Signal, Stance, Status, Subgraph
from claimgraph.kgstore.values.literals import Comparison

METHOD = "kgr"

_STANCES = {Outcome.SUPPORTED: 1.0, Outcome.NOT_ENOUGH_INFO: 0.0, Outcome.REFUTED: -1.0}
_SCORES = {Outcome.SUPPORTED: 0.0, Outcome.REFUTED: 1.0}
_UNDECIDED = Outcome.NOT_ENOUGH_INFO
_NAMED = 0.9
"""Least fact_match.entity_likeness of names of one thing."""
_SAME = frozenset({Comparison.EQUAL, Comparison.COMPATIBLE})


@dataclass(frozen=True, slots=True)
class ClaimWithFacts:
    """A claim with its selected facts, in the order of their numbers, its links, and the entities of its whole subject
    or object.
    """

    claim: Claim
    facts: tuple[Fact, ...]
    known: Linked
    ends: Linked


def finding(
    asked: ClaimWithFacts, said: ModelVerdict | Failed, around: Subgraph, space: Space, *, guarded: bool
) -> Finding:
    """Return the finding of an answer about a claim.

    UNCLEAR: it cannot be read, it decides and cites no fact that was given, or, `guarded`, it supports a claim by facts
    that all have another date or number, or refutes one that the facts state by the rules. MODEL_FAILED: none came.
    """
    if isinstance(said, Failed):
        return failed(said)
    ruling, cited = _ruling(asked, around, space), _cited(asked, said)
    reason = _uncited(said, cited) or (_objection(asked, said, cited, around, ruling) if guarded else None)
    if reason:
        return Finding(_UNDECIDED, Status.UNCLEAR, reason, signals=_signals(_UNDECIDED, ruling))
    sources = Sources(around, ())
    citations = _citations(said, cited, sources)
    told = _reason(asked, said, citations, sources)
    return Finding(said.outcome, Status.COMPLETE, told, citations=citations, signals=_signals(said.outcome, ruling))


def failed(why: Failed) -> Finding:
    """Return the finding of a claim for which some stage got no usable answer."""
    status = Status.MODEL_FAILED if why.silent else Status.UNCLEAR
    return Finding(_UNDECIDED, status, f"The language model was asked for {why.item}: {why.reason}.", signals=(_own(),))


def undecided(status: Status, reason: str) -> Finding:
    """Return the finding of a claim that the model was not asked about."""
    return Finding(_UNDECIDED, status, reason, signals=(_own(),))


def _own(outcome: Outcome = _UNDECIDED) -> Signal:
    return Signal(METHOD, "hallucination", _SCORES.get(outcome))


def _ruling(asked: ClaimWithFacts, around: Subgraph, space: Space) -> Decision:
    matches = [match(asked.claim, fact, around, asked.ends.ids, space) for fact in asked.facts]
    return rule(matches, (), Thresholds())


def _cited(asked: ClaimWithFacts, said: ModelVerdict) -> list[Fact]:
    return [asked.facts[number - 1] for number in said.facts if 1 <= number <= len(asked.facts)]


def _uncited(said: ModelVerdict, cited: Sequence[Fact]) -> str | None:
    if said.outcome is _UNDECIDED or cited:
        return None
    return f"The language model says {said.outcome.value.lower()} and cites none of the facts it was given."


def _objection(
    asked: ClaimWithFacts, said: ModelVerdict, cited: Sequence[Fact], around: Subgraph, ruling: Decision
) -> str | None:
    """Return the facts' objection to an answer, or None."""
    compared = {compare_values(asked.claim.object, around.nodes[fact.object]) for fact in cited}
    if said.outcome is Outcome.SUPPORTED and Comparison.DIFFERENT in compared and _SAME.isdisjoint(compared):
        return "The language model says supported, and the facts it cites have another date or number."
    if said.outcome is Outcome.REFUTED and _stated(ruling):
        return "The language model says refuted, and the facts say what the claim says."
    return None


def _stated(ruling: Decision) -> bool:
    """Return whether facts state a claim about the same two entities by name; mere similarity does not count: a pianist
    is near to a guitarist.
    """
    named = (min(found.subject, found.object) >= _NAMED for _, found in ruling.matches)
    return ruling.outcome is Outcome.SUPPORTED and any(named)


def _citations(said: ModelVerdict, cited: Sequence[Fact], sources: Sources) -> tuple[Citation, ...]:
    """Return the facts cited, in the order given; a model gives no strength, so all count in full."""
    if said.outcome is _UNDECIDED:
        return ()
    stance = Stance.SUPPORTS if said.outcome is Outcome.SUPPORTED else Stance.REFUTES
    return tuple(Citation(sources.fact(fact), stance, 1.0) for fact in cited)


def _reason(asked: ClaimWithFacts, said: ModelVerdict, citations: Sequence[Citation], sources: Sources) -> str:
    best = citations[0].evidence if citations else None
    own = wording.stands(asked.claim, said.outcome, sources.speaker(best) if best else "", best.text if best else "")
    suggested = f" Suggested: {said.suggestion}" if said.outcome is Outcome.REFUTED and said.suggestion else ""
    return f"{own} The language model: {said.reason or 'no reason given.'}{suggested}"


def _signals(outcome: Outcome, ruling: Decision) -> tuple[Signal, ...]:
    return (
        _own(outcome),
        Signal("rules", "stance", _STANCES[ruling.outcome]),
        Signal("rules", "support", round(ruling.support, 4)),
        Signal("rules", "refute", round(ruling.refute, 4)),
    )
