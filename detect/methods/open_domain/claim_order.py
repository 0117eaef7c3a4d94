"""Judge the place in an order that a claim names: "the first chancellor of Germany", "in her second term".

Graphs number some holders of an office (series ordinal) and name predecessors (replaces); else the order is that in
which the known ones started. A claim whose order cannot be told is not supported by a fact that says the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.open_domain.fact_validity import qualifier, validity
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import Citation, Claim, Fact, Finding, Outcome, Stance, Status

_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NTH = "|".join((*_WORDS, r"\d+(?:st|nd|rd|th)"))
_ORDINAL = re.compile(rf"\b(?:the|his|her|their|its)\s+(?P<nth>{_NTH})\s+(?!time\b|of\b)[a-z]", re.IGNORECASE)


def judged(case: Case, row: int, finding: Finding, stating: Sequence[Fact]) -> Finding:
    """Return the finding of a claim with its ordinal judged, too; as it is for one without, or that is not supported.

    `stating` are the stored facts that say the rest of it.
    """
    nth = ordinal(case.claims[row])
    if nth is None or finding.outcome is not Outcome.SUPPORTED or not stating:
        return finding
    sources = Sources(case.facts, case.passages)
    place, rivals = _place(case, stating[0])
    if place is None or (place == nth and nth > 1 and qualifier(stating[0], "series ordinal") is None):
        told = f"{finding.reason} Which place it has in their order, the graph does not say."
        return replace(finding, outcome=Outcome.NOT_ENOUGH_INFO, reason=told)
    if place == nth:
        return replace(finding, reason=f"{finding.reason} It is number {place} of those known.")
    cited = tuple(Citation(sources.fact(fact), Stance.REFUTES, 1.0) for fact in (*rivals[:1], stating[0]))
    before = f": before it {sources.fact(rivals[0]).text} {validity(rivals[0]).words}".rstrip() if rivals else ""
    said = f"The text says number {nth}; {stating[0].graph} says number {place}{before}."
    signals = tuple(replace(s, value=1.0) if s.name == "hallucination" else s for s in finding.signals)
    return replace(
        finding, outcome=Outcome.REFUTED, status=Status.COMPLETE, reason=said, citations=cited, signals=signals
    )


def ordinal(claim: Claim) -> int | None:
    """Return the number that a claim's predicate or object has before a noun; None where it has none."""
    found = _ORDINAL.search(f"{claim.predicate} {claim.object}")
    if not found:
        return None
    word = found["nth"].casefold()
    return _WORDS.index(word) + 1 if word in _WORDS else int(re.sub(r"\D", "", word))


def _place(case: Case, fact: Fact) -> tuple[int | None, list[Fact]]:
    """Return the place of a fact among those of its subject and relation, and the ones before it, the first first.

    None where neither a number nor all starts are known, or where it is first of a part of the facts. With a known
    predecessor it is at least the second.
    """
    numbered = qualifier(fact, "series ordinal")
    if numbered and numbered.isdecimal():
        return int(numbered), []
    rivals = [one for one in case.facts.facts if (one.subject, one.predicate) == (fact.subject, fact.predicate)]
    starts = {one.id: start.span[0] for one in rivals if (start := validity(one).start)}
    if len(starts) == len(rivals) > 1 and len({one.object for one in rivals}) > 1:
        before = sorted((one for one in rivals if starts[one.id] < starts[fact.id]), key=lambda one: starts[one.id])
        partial = fact.subject in case.incomplete and not before
        return (None if partial else len(before) + 1), before
    return (2 if qualifier(fact, "replaces") else None), []
