"""Judge claims that only date another claim: "was chancellor from | 2005".

They are judged by the start, the end or the time of the fact that says the rest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.open_domain.claim_times import ClaimTime, Dating, Tense, TimePart, part
from claimgraph.detect.methods.open_domain.fact_validity import validity
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.detect.text.words import same_name
from claimgraph.kgstore.model import Citation, Claim, Fact, Finding, Outcome, Span, Stance, Status
from claimgraph.kgstore.values.dates import Date, dates_in
from claimgraph.kgstore.values.literals import Comparison, compare, parse

_PRONOUNS = ("his", "her", "their", "its")
_DEATH = re.compile(r"(?P<who>his|her|their|its|.{1,120}?(?=['’]s? ))(?:['’]s?)? (?:own )?death", re.IGNORECASE)
_AGREE = (Comparison.EQUAL, Comparison.COMPATIBLE)


def dated(time: ClaimTime, finding: Finding, facts: Sequence[Fact], sources: Sources) -> Finding:
    """Return the finding of a claim that dates what the facts say; as it is where their time is not known.

    A start and an end must be the fact's own, another date lie within it.
    """
    agreeing = [(fact, found) for fact in facts if (found := _agrees(fact, time)) is not None]
    if not agreeing:
        return finding
    right = any(found for _, found in agreeing)
    outcome, stance = (Outcome.SUPPORTED, Stance.SUPPORTS) if right else (Outcome.REFUTED, Stance.REFUTES)
    cited = [fact for fact, found in agreeing if found is right]
    said = "; ".join(f"{sources.fact(fact).text} {validity(fact).words}" for fact in cited)
    verdict = "says so" if right else "contradicts this"
    return replace(
        finding,
        outcome=outcome,
        status=Status.COMPLETE,
        reason=f"{cited[0].graph} {verdict}: “{said}”.",
        confidence=1.0,
        citations=tuple(Citation(sources.fact(fact), stance, 1.0) for fact in cited),
        signals=tuple(replace(s, value=float(not right)) if s.name == "hallucination" else s for s in finding.signals),
    )


def _agrees(fact: Fact, time: ClaimTime) -> bool | None:
    """Return whether a fact's time is what is said of it; None where that part of it is not known."""
    found = validity(fact)
    if time.date is None:
        return None
    if time.part is TimePart.DURING:
        return found.holds(*time.date.span)
    bound = found.start if time.part is TimePart.START else found.end
    own = [bound] if bound else list(found.points) if time.part is TimePart.START else []
    return any(compare(replace(time.date, modifier=None), one) in _AGREE for one in own) if own else None


def after_death(case: Case) -> Iterator[Dating]:
    """Yield claims of an end at somebody's death, with its date: "was married until | Pierre Curie's death".

    "his" and "her" are taken for the other person that the clause names, else for the subject.
    """
    for row, claim in enumerate(case.claims):
        said = _DEATH.fullmatch(claim.object)
        if said is None or part(claim.predicate) is not TimePart.END:
            continue
        cores = tuple(at for at, other in enumerate(case.claims) if at != row and _beside(claim, other))
        pronoun = said["who"].casefold() in _PRONOUNS
        names = [*(case.claims[at].object for at in cores), claim.subject] if pronoun else [said["who"]]
        dates = [date for name in names if (date := _death(case, name))]
        if dates:
            yield Dating(row, cores, ClaimTime(Tense.PAST, dates[0], TimePart.END))


def judged_together(claims: Sequence[Claim]) -> list[tuple[int, ...]]:
    """Return for each claim the rows of others that its time is read from, or that it dates: those of its clause and
    subject, where either has a date or a death for an object.
    """
    clauses: dict[tuple[Span, str], list[int]] = defaultdict(list)
    for row, claim in enumerate(claims):
        clauses[claim.span, claim.subject].append(row)
    dates = [isinstance(parse(c.object), Date) or bool(_DEATH.fullmatch(c.object)) for c in claims]
    return [
        tuple(at for at in clauses[claim.span, claim.subject] if at != row and (dates[at] or dates[row]))
        for row, claim in enumerate(claims)
    ]


def _beside(claim: Claim, other: Claim) -> bool:
    verb = claim.predicate.rsplit(" ", 1)[0]
    return (claim.span, claim.subject) == (other.span, other.subject) and other.predicate.startswith(verb)


def _death(case: Case, name: str) -> Date | None:
    """Return the date of death of who is called so."""
    nodes = case.facts.nodes
    for fact in case.facts.facts:
        if fact.name == "date of death" and same_name(nodes[fact.subject].name, name):
            return next((date for _, _, date in dates_in(nodes[fact.object].name)), None)
    return None
