"""Find the contradictory pair of a claim: evidence that agrees in all but one element, and its value there.

KEA looks for pairs of triples by cosine alone. Here that search finds the candidates, in the whole evidence and before
relation selection; the comparison by kind of fact_match.py decides, since embeddings take "7 May 1867" and "7 May
1869", or "was" and "was not", as alike. Sentences take part too: another value, or a negation, of what they cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claimgraph.detect.check_input import Case, linked
from claimgraph.detect.compare import relations
from claimgraph.detect.compare.decision_rules import Thresholds, reads_against
from claimgraph.detect.compare.fact_match import Match, match, may_contrast
from claimgraph.detect.compare.passage_match import PassageIndex, PassageMatch
from claimgraph.detect.kernel import comparison
from claimgraph.detect.models.embedder import Space, nearest_rows
from claimgraph.detect.reasons import sense
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import Claim, Fact, Subgraph
from claimgraph.kgstore.values.literals import Comparison

NEAREST = 8
"""Facts by nearness, contradictory facts, and passages compared with a claim."""


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
    limits, index = settings or Thresholds(), PassageIndex(case.passages)
    sources, found = Sources(case.facts, case.passages), []
    for claim, rows in zip(case.claims, _candidates(case.claims, case.facts, space, limits), strict=True):
        ids = linked(claim, case.links).ids
        matches = [match(claim, case.facts.facts[row], case.facts, ids, space) for row in rows]
        found.append(contrast(claim, matches, index.read(claim, NEAREST), sources, limits))
    return found


def contrast_with(
    claim: Claim, rows: Sequence[int], readings: Iterable[PassageMatch], sources: Sources, space: Space
) -> Contrast | None:
    """Return the best contradictory pair of a claim with the facts of these numbers and these passages.

    Up to NEAREST facts are all compared; of more, those nearest to the claim and those that contradict it.
    """
    limits, facts = Thresholds(), sources.facts
    few = Subgraph(facts.nodes, tuple(facts.facts[row] for row in rows))
    near = range(len(rows)) if len(rows) <= NEAREST else _candidates([claim], few, space, limits)[0]
    compared = [few.facts[row] for row in near if may_contrast(claim, few.facts[row], facts)]
    return contrast(claim, [match(claim, fact, facts, {}, space) for fact in compared], readings, sources, limits)


def contrast(
    claim: Claim, matches: Iterable[Match], readings: Iterable[PassageMatch], sources: Sources, settings: Thresholds
) -> Contrast | None:
    """Return the best contradictory pair among facts and passages compared with the claim.

    Another value and a negation come before another object, that before another subject, and another relation last;
    then facts before passages, then the likeness of the rest, then that of what differs, then the given order. A pair
    that a reader would see no sense in (sense.py) is none.
    """
    compared = list(matches)
    found = [pair for m in compared if (pair := _of_match(claim, m, sources.facts, settings))]
    found += [pair for r in readings if (pair := _of_reading(claim, r, settings))]
    sensible = (pair for pair in found if _is_sensible(claim, pair[1], compared, sources))
    best = min(sensible, key=lambda pair: pair[0], default=None)
    return best[1] if best else None


def _is_sensible(claim: Claim, pair: Contrast, compared: Sequence[Match], sources: Sources) -> bool:
    """Return whether neither side says the other's element, and the evidence's is not one of a list."""
    if pair.known is None or pair.element == "predicate":
        return True
    if sense.shared(pair.said, pair.known, claim.sentence, sources.quote(sources.contrasted(pair))):
        return False
    if pair.fact is None or pair.element != "object":
        return True
    node, name, place = pair.fact.subject, pair.fact.name, pair.fact.span
    like = [m.fact for m in compared if (m.fact.subject, m.fact.name, m.fact.span) == (node, name, place)]
    listed = [sources.facts.triple(fact).object for fact in like if fact is not pair.fact]
    return not pair.fact.document or not sense.is_one_of_many(pair.known, listed, claim.sentence)


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
    if differing != ["predicate"] and not sense.of_one_kind(said, known):
        return None
    sure = found.denied or (found.literal is Comparison.DIFFERENT and differing == ["object"])
    rank = 0 if sure else _RANKS[differing[0]]
    rest = found.subject + found.relation + found.object - max(0.0, likeness)
    return (rank, 0, -rest, -likeness), Contrast(differing[0], said, known, fact=found.fact)


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
