"""Find the contradictory pair of a claim: evidence that agrees in all but one element, and its value there.

KEA looks for pairs of triples by cosine alone. Here that search finds the candidates, in the whole evidence and before
relation selection; the comparison by kind of fact_match.py decides, since embeddings take "7 May 1867" and "7 May
1869", or "was" and "was not", as alike. Sentences take part too: another value, or a negation, of what they cover.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claimgraph.detect.check_input import Case, linked
from claimgraph.detect.compare import relations
from claimgraph.detect.compare.decision_rules import Thresholds, reads_against
from claimgraph.detect.compare.fact_match import Match, match, may_contrast
from claimgraph.detect.compare.passage_match import PassageIndex, PassageMatch
from claimgraph.detect.extraction.coreference.mentions import PRONOUNS
from claimgraph.detect.kernel import comparison
from claimgraph.detect.models.embedder import Space, nearest_rows
from claimgraph.detect.text.words import tokens
from claimgraph.kgstore.model import Claim, Fact, Subgraph
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison

NEAREST = 8
"""Facts by nearness, contradictory facts, and passages compared with a claim."""
_DAYS = {name.lower() for name in (*calendar.day_name, *calendar.month_name[1:])}
"""Words for days of the week and months: without a number they are no literals."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """The element (subject, predicate or object) in which a claim differs from a fact or a passage.

    `said` is the claim's value there and `known` the evidence's; None where a sentence says the opposite. `passage` is
    a number among the passages.
    """

    element: str
    said: str
    known: str | None
    fact: Fact | None = None
    passage: int | None = None


def contrasts(case: Case, space: Space, settings: Thresholds | None = None) -> list[Contrast | None]:
    """Return the best contradictory pair of each claim of a case, in order; None where there is none."""
    limits = settings or Thresholds()
    index = PassageIndex(case.passages)
    found = []
    for claim, rows in zip(case.claims, _candidates(case.claims, case.facts, space, limits), strict=True):
        ids = linked(claim, case.links).ids
        matches = [match(claim, case.facts.facts[row], case.facts, ids, space) for row in rows]
        found.append(contrast(claim, matches, index.read(claim, NEAREST), case.facts, limits))
    return found


def contrast_with(
    claim: Claim, rows: Sequence[int], readings: Iterable[PassageMatch], facts: Subgraph, space: Space
) -> Contrast | None:
    """Return the best contradictory pair of a claim with the facts of these numbers and these passages.

    Up to NEAREST facts are all compared; of more, those nearest to the claim and those that contradict it.
    """
    limits, few = Thresholds(), Subgraph(facts.nodes, tuple(facts.facts[row] for row in rows))
    near = range(len(rows)) if len(rows) <= NEAREST else _candidates([claim], few, space, limits)[0]
    compared = [few.facts[row] for row in near if may_contrast(claim, few.facts[row], facts)]
    return contrast(claim, [match(claim, fact, facts, {}, space) for fact in compared], readings, facts, limits)


def contrast(
    claim: Claim, matches: Iterable[Match], readings: Iterable[PassageMatch], facts: Subgraph, settings: Thresholds
) -> Contrast | None:
    """Return the best contradictory pair among facts and passages compared with the claim.

    Another value and a negation come before another object, that before another subject, and another relation last;
    then facts before passages, then the likeness of the rest, then that of what differs, then the given order.
    """
    found = [pair for m in matches if (pair := _of_match(claim, m, facts, settings))]
    found += [pair for r in readings if (pair := _of_reading(claim, r, settings))]
    return min(found, key=lambda pair: pair[0])[1] if found else None


_Ranked = tuple[tuple[int, int, float, float], Contrast]


def _of_match(claim: Claim, found: Match, facts: Subgraph, settings: Thresholds) -> _Ranked | None:
    triple = facts.triple(found.fact)
    subject, object = (triple.object, triple.subject) if found.swapped else (triple.subject, triple.object)
    other = {
        "subject": (found.subject < settings.same, found.subject, claim.subject, subject),
        "predicate": (
            found.denied or found.relation < settings.relation_refute,
            -1.0 if found.denied else found.relation,
            claim.predicate,
            triple.predicate,
        ),
        "object": (found.object < settings.same, found.object, claim.object, object),
    }
    differing = [name for name, (differs, *_) in other.items() if differs]
    if len(differing) != 1 or other[differing[0]][1] >= settings.different:
        return None
    _, likeness, said, known = other[differing[0]]
    if (literals.parse(said) is None) != (literals.parse(known) is None):  # "born in Paris", "born in 1867"
        return None
    if literals.parse(said) is None and _has_day(said) != _has_day(known):  # "opened in Paris", "opened on Thursday"
        return None
    if known.lower() in PRONOUNS:  # "it" may be what the claim names
        return None
    sure = found.denied or (found.literal is Comparison.DIFFERENT and differing == ["object"])
    rank = 0 if sure else _RANKS[differing[0]]
    rest = found.subject + found.relation + found.object - max(0.0, likeness)
    return (rank, 0, -rest, -likeness), Contrast(differing[0], said, known, fact=found.fact)


def _has_day(text: str) -> bool:
    """Return whether a text names a day of the week or a month."""
    return not _DAYS.isdisjoint(word[0].lower() for word in tokens(text))


_RANKS = {"object": 1, "subject": 2, "predicate": 3}


def _of_reading(claim: Claim, found: PassageMatch, settings: Thresholds) -> _Ranked | None:
    if not reads_against(found, settings):
        return None
    rank = (0, 1, -found.coverage, 0.0)
    if found.conflict is None:
        return rank, Contrast("predicate", claim.predicate, None, passage=found.passage)
    said, known = found.conflict
    element = "object" if said in claim.object else "predicate"
    return rank, Contrast(element, said, known, passage=found.passage)


def _candidates(ours: Sequence[Claim], known: Subgraph, space: Space, settings: Thresholds) -> list[list[int]]:
    """Return the rows of facts to compare with each claim: the nearest, then KEA's contradictory pairs."""
    claims, facts = [claim.triple for claim in ours], [known.triple(fact) for fact in known.facts]
    if not claims or not facts:
        return [[] for _ in claims]
    said = [f"{t.subject} {relations.spoken(t.predicate)} {t.object}" for t in facts]
    rows = [
        dict.fromkeys(near) for near in nearest_rows(space.rows([t.text for t in claims]), space.rows(said), NEAREST)
    ]
    limits = {"entity": settings.same, "relation": settings.relation_refute, "different": settings.different}
    for pair in comparison.contradictions(claims, facts, space, **limits, limit=NEAREST):
        rows[pair.claim][pair.evidence] = None
    return [list(row) for row in rows]
