"""Judge a statement by one sentence without a model: stated, excluded, or not told.

Both are split into propositions, and the claim's is compared with the one that has most of its words. Only where every
word of the claim is found there, or differs in a way that is known (another value, an opposite, the other part's word),
anything is said: a sentence about something else neither supports nor refutes. Turned relations, negations and
opposites cancel each other in pairs, as "A bought it from B" and "B sold it to A" do.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from claimgraph.detect.compare.typed import directions, event_order, lists, quantifiers
from claimgraph.detect.compare.typed.assertion import (
    adds_only,
    asserted,
    covers,
    measured,
    one_relation,
    outright,
    said_of_another_part,
    spelled_out,
)
from claimgraph.detect.compare.typed.differences import Judgement, coverage, difference
from claimgraph.detect.compare.typed.polarity import degrees_fit, denied
from claimgraph.detect.compare.typed.propositions import Proposition, propositions
from claimgraph.detect.compare.typed.roles import holds_both_ways, swapped
from claimgraph.detect.compare.typed.sentence import Sentence
from claimgraph.detect.compare.typed.value_conflicts import (
    MOST_WORDS,
    compare_value,
    held,
    is_article,
    other_time,
    reckoned,
)

_SHORT = 14
"""Most content words and values of a short sentence."""


def judge(claim: Sentence, known: Sentence, background: Collection[str] = ()) -> Judgement | None:
    """Return what a sentence says of a claim; None where it cannot be told.

    `background` are stems of words that the sentence may refer to with a pronoun: those of the sentences before it.
    """
    found = _judge(claim, known, background)
    short = max(len(one.words) + len(one.values) for one in (claim, known)) <= _SHORT
    return replace(found, short=short) if found else None


def _judge(claim: Sentence, known: Sentence, background: Collection[str]) -> Judgement | None:
    if known.hedged != claim.hedged or not any(word.verb for word in claim.words):
        return None
    if _plain_words(claim) in _plain_words(known):
        return Judgement(False, "same") if _plain_words(claim) == _plain_words(known) else None
    asked, told = event_order.order(claim), event_order.order(known)
    if asked:
        fits = event_order.compare(asked, told) if told else None
        if fits is not None:
            return Judgement(not fits, "order") if not fits or not claim.values else None
    if otherwise := directions.compare(claim, known, background):
        return otherwise
    listed = lists.compare(claim, known)
    if listed:
        return Judgement(True, "list", *listed)
    options = propositions(known)
    found = [_judged(own, claim, known, options, background) for own in propositions(claim)]
    against = next((one for one in found if one and one.excluded and (one.said or not asked)), None)
    stated = Judgement(False, "values" if claim.values else "stated")
    return against or (stated if found and all(found) and not asked else None)


def _plain_words(sentence: Sentence) -> str:
    return f" {' '.join(token.lower_ for token in sentence.doc if token.text[0].isalnum())} "


def _judged(
    own: Proposition, claim: Sentence, known: Sentence, options: list[Proposition], background: Collection[str]
) -> Judgement | None:
    """Return what the sentence says of one proposition of the claim."""
    words = [word for chunk in own.chunks for word in chunk.words]
    heavy = [word for word in words if not word.light]
    best = max(options, key=lambda option: (coverage(words, own.values, option, options), -option.start))
    found = difference(words, best, options, background)
    if found.missing or not heavy or (len(options) > 1 and len(heavy) + len(own.values) < 2):
        return None
    values = _values(own, best, claim, known)
    if any(conflict for conflict, _ in values):
        return None if found.opposites or found.turned else _conflict(values, own, best, claim, known)
    if found.replaced:
        return Judgement(True, "part", *found.replaced)
    fits, ours, theirs = quantifiers.compare(claim, known)
    if fits is False:
        return Judgement(True, "quantifier")
    odd = denied(claim, known, words, best, ours, theirs)
    degrees = degrees_fit(words, known, best)
    if degrees is None or (odd and fits is None) or not outright(words, claim, known):
        return None
    turned = swapped(claim, known, own, best, found.turned)
    excluded = _decide(odd, len(found.opposites), turned, found.turned, degrees, holds_both_ways(words, known))
    if excluded:
        sure = asserted(words, known) and covers(claim, known, background)
        sure = sure and (not turned or one_relation(claim, known, found.turned))
        sure = sure and (not odd or spelled_out(claim, known, own, best))
        sure = sure and (not found.opposites or all(given for _, given in values))  # what opened in 1968 may close
        return _excluding(odd, turned, found.opposites) if sure else None
    told = fits is not None and all(given for _, given in values) and not adds_only(claim, known)
    told = told and (spelled_out(claim, known, own, best) or measured(own, known, best))
    told = told and not said_of_another_part(words, known)
    return Judgement(False, "stated") if excluded is False and told else None


def _excluding(odd: bool, turned: bool, opposites: list[tuple[str, str]]) -> Judgement:
    named = opposites[0] if len(opposites) == 1 and not odd and not turned else ()
    return Judgement(True, "negation" if odd else "opposite" if opposites else "roles", *named)


_Compared = list[tuple[Judgement | None, bool]]


def _values(own: Proposition, best: Proposition, claim: Sentence, known: Sentence) -> _Compared:
    """Return for each value of the proposition the judgement that it is another, or None, and whether it is given."""
    taken = [other for other in known.values if held(other, claim.values)]
    return [compare_value(value, own, best, taken) for value in own.values if not is_article(value)]


def _conflict(
    values: _Compared, own: Proposition, best: Proposition, claim: Sentence, known: Sentence
) -> Judgement | None:
    """Return the one value that is another, if all others of the claim are given: else it is about other things."""
    conflicts = [conflict for conflict, _ in values if conflict]
    others = [value for value in claim.values if value not in own.values and not is_article(value)]
    alone = len(conflicts) == 1 and all(conflict or given for conflict, given in values)
    sure = alone and len(best.has) <= MOST_WORDS and all(held(value, known.values) for value in others)
    if not sure or other_time(conflicts[0], known) or reckoned(conflicts[0], claim, known):
        return None
    said = next(value for value in own.values if value.text == conflicts[0].said)
    return replace(conflicts[0], kind="part") if held(said, known.values) else conflicts[0]


def _decide(odd: bool, opposite: int, swapped: bool, turned: bool, degree: bool, both_ways: bool) -> bool | None:
    """Return whether the differences make the claim false; None where they say nothing together."""
    swapped = swapped and not both_ways
    if degree or turned:
        return (int(odd) + opposite + int(swapped) + int(turned)) % 2 == 1
    if swapped:
        return True if not odd and not opposite else None
    return (int(odd) + opposite) % 2 == 1
