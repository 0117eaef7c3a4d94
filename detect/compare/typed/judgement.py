"""Judge a statement by one sentence without a model: stated, excluded, or not told.

Both are split into propositions, and the claim's is compared with the one that has most of its words. Only where every
word of the claim is found there, or differs in a way that is known (another value, an opposite, the other part's word),
anything is said: a sentence about something else neither supports nor refutes. Turned relations, negations and opposites
cancel each other in pairs, as "A bought it from B" and "B sold it to A" do.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimgraph.detect.compare.typed import event_order, lists, quantifiers
from claimgraph.detect.compare.typed.propositions import Chunk, Proposition, propositions
from claimgraph.detect.compare.typed.sentence import Sentence, Value, Word, read
from claimgraph.detect.compare.typed.value_relation import Relation, relation
from claimgraph.kgstore.values.dates import Date
from claimgraph.kgstore.values.quantities import Quantity
from claimgraph.detect.compare.typed.word_relation import converse, exclusive, opposed, relational, same, symmetric

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a sentence excludes (True) or states (False) a claim; `kind` names what decides, `said` and `known` are
    the differing words, "" where no words differ.
    """

    excluded: bool
    kind: str
    said: str = ""
    known: str = ""


def judge(statement: str, sentence: str, background: Collection[str] = ()) -> Judgement | None:
    """Return what the sentence says of the statement; None where it cannot be told.

    `background` are stems of words that the sentence may refer to with a pronoun: those of the sentences before it.
    """
    claim, known = read(statement), read(sentence)
    if known.hedged != claim.hedged or not any(word.verb for word in claim.words):
        return None
    if _plain_words(claim) in _plain_words(known):
        return Judgement(False, "stated") if _plain_words(claim) == _plain_words(known) else None
    asked, told = event_order.order(claim), event_order.order(known)
    if asked:
        fits = event_order.compare(asked, told) if told else None
        if fits is not None:
            return Judgement(not fits, "order") if not fits or not claim.values else None
    listed = lists.compare(claim, known)
    if listed:
        return Judgement(True, "list", *listed)
    options = propositions(known)
    found = [_judged(own, claim, known, options, background) for own in propositions(claim)]
    against = next((one for one in found if one and one.excluded and (one.said or not asked)), None)
    return against or (Judgement(False, "stated") if found and all(found) and not asked else None)


def _plain_words(sentence: Sentence) -> str:
    return f" {' '.join(token.lower_ for token in sentence.doc if token.text[0].isalnum())} "


@dataclass(slots=True)
class _Difference:
    """How a claim's proposition differs from that of a sentence."""

    missing: list[Word]
    opposites: list[tuple[str, str]]
    turned: bool = False
    """A word says the same from the other side."""
    replaced: tuple[str, str] | None = None
    """Words of the claim that stand in another part, and what the same part has instead."""


def _judged(
    own: Proposition, claim: Sentence, known: Sentence, options: list[Proposition], background: Collection[str]
) -> Judgement | None:
    words = [word for chunk in own.chunks for word in chunk.words]
    best = max(options, key=lambda option: (_score(words, own.values, option, options), -option.start))
    found = _difference(words, best, options, background)
    if found.missing or not any(not word.light for word in words):
        return None
    if len(options) > 1 and sum(not word.light for word in words) + len(own.values) < 2:
        return None
    taken = [other for other in known.values if _held(other, claim.values)]
    values = [_of_value(value, own, best, taken) for value in own.values if not _article(value)]
    conflicts = [conflict for conflict, _ in values if conflict]
    if conflicts:
        others = [value for value in claim.values if value not in own.values and not _article(value)]
        alone = len(conflicts) == 1 and all(conflict or held for conflict, held in values)
        sure = alone and not found.opposites and not found.turned and not _other_time(conflicts[0], known) and all(_held(value, known.values) for value in others)
        return conflicts[0] if sure and len(best.has) <= _MOST_WORDS else None
    if found.replaced:
        return Judgement(True, "part", *found.replaced)
    fits, ours, theirs = quantifiers.compare(claim, known)
    if fits is False:
        return Judgement(True, "quantifier")
    odd = _denied(claim, known, words, best, ours, theirs)
    degrees = _degrees(words, known, best)
    if degrees is None or (odd and fits is None):
        return None
    opposite = sum(1 for pair in found.opposites)
    swapped = _swapped(claim, known, own, best, found.turned)
    excluded = _decide(odd, opposite, swapped, found.turned, degrees, _symmetric(words, known))
    if excluded is None:
        return None
    if excluded and not (_asserted(words, known) and _covers(claim, known, background)):
        return None
    if excluded:
        named = found.opposites[0] if opposite == 1 and not odd and not swapped else ()
        return Judgement(True, "negation" if odd else "opposite" if opposite else "roles", *named)
    settled = fits is not None and not _other_part(words, known) and all(held for _, held in values) and not _added_only(claim, known)
    return Judgement(False, "stated") if settled else None


def _decide(odd: bool, opposite: int, swapped: bool, turned: bool, degree: bool, both_ways: bool) -> bool | None:
    """Return whether the differences make the claim false; None where they say nothing together."""
    swapped = swapped and not both_ways
    if degree or turned:
        return (int(odd) + opposite + int(swapped) + int(turned)) % 2 == 1
    if swapped:
        return True if not odd and not opposite else None
    return (int(odd) + opposite) % 2 == 1


def _score(
    words: list[Word], values: tuple[Value, ...], option: Proposition, options: list[Proposition]
) -> float:
    """Return how well a proposition covers the claim's words, and its values a little."""
    covered = sum(_has(word.stem, option) for word in words)
    equal = sum(any(relation(v.parsed, k.parsed) is Relation.SUPPORTS for k in option.values) for v in values)
    missing = [word for word in words if not _has(word.stem, option)]
    elsewhere = [word for word in missing if any(_has(word.stem, other) for other in options)]
    near = sum(any(opposed(w.stem, o) for o in option.has) for w in missing if w not in elsewhere)
    return covered + 0.5 * (equal if len(values) > 1 else 0) + 0.05 * equal + 0.8 * near - 0.5 * len(elsewhere)


def _has(stem: str, option: Proposition) -> float:
    if stem in option.has:
        return option.has[stem]
    return max((weight for other, weight in option.has.items() if same(stem, other)), default=0.0)


def _difference(
    words: list[Word], best: Proposition, options: list[Proposition], background: Collection[str]
) -> _Difference:
    found, ours = _Difference([], []), [word.stem for word in words]
    free = [other for other in best.has if not any(same(other, stem) for stem in ours)]
    for word in words:
        if _has(word.stem, best):
            continue
        against = next((other for other in free if opposed(word.stem, other)), None)
        against = None if word.noun and word.role != "O" else against
        turned = (word.verb or word.role == "O") and any(converse(word.stem, other) for other in free)
        rival = next((other for other in free if exclusive(word.stem, other)), None) if _told(word) else None
        if turned:
            found.turned = True
        elif against:
            found.opposites.append((word.text, _written(against, options)))
        elif other := _elsewhere(word, best, options, ours):
            found.replaced = found.replaced or (word.text, other)
        elif rival:
            found.replaced = found.replaced or (word.text, _written(rival, options))
        elif not word.light and not any(same(word.stem, other) for other in background):
            found.missing.append(word)
    return found


def _told(word: Word) -> bool:
    """Return whether a word is what is said of something, not what tells it from others: "is red", "on Monday"."""
    return not word.verb and word.role not in ("S", "of", "") and not word.attribute


def _written(stem: str, options: list[Proposition]) -> str:
    words = (word for option in options for chunk in option.chunks for word in chunk.words)
    return next((word.text for word in words if word.stem == stem), stem)


def _elsewhere(word: Word, best: Proposition, options: list[Proposition], ours: list[str]) -> str:
    """Return what the claim's part of the sentence has in the place of words that stand in another part.

    That part must be parallel: the claim has all of its phrase and something of its own part that the other replaces.
    "" where that is not so.
    """
    for option in options:
        chunks = [chunk for chunk in option.chunks if any(same(word.stem, other.stem) for other in chunk.words)]
        if option is best or not chunks or chunks[0].kind == "V" or not _among(chunks[0].words, ours):
            continue
        partner, marks = _partner(best, options, chunks[0]), _marks(best, option, chunks[0])
        free = partner and not any(same(other.stem, stem) for other in partner.words for stem in ours)
        if partner and free and any(any(same(mark.stem, stem) for stem in ours) for mark in marks):
            return " ".join(other.text for other in partner.words)
    return ""


def _among(words: tuple[Word, ...], stems: list[str]) -> bool:
    return all(word.light or any(same(word.stem, stem) for stem in stems) for word in words)


def _marks(best: Proposition, option: Proposition, chunk: Chunk) -> list[Word]:
    """Return the words of the own part that the other part has other words for, beside that chunk and the verb."""
    kinds = {other.kind for other in option.chunks} - {chunk.kind, "V"}
    there = {word.stem for other in option.chunks for word in other.words}
    return [word for own in best.chunks if own.kind in kinds for word in own.words if word.stem not in there]


def _partner(best: Proposition, options: list[Proposition], chunk: Chunk) -> Chunk | None:
    """Return the chunk of the same kind: of the part itself, or of the one that it has its other words from."""
    if own := best.partner(chunk):
        return own
    row = options.index(best)
    return next((found for option in reversed(options[:row]) if (found := option.partner(chunk))), None)


def _article(value: Value) -> bool:
    """Return whether a number is hardly more than an article: "one of the winners"."""
    return value.text.lower() == "one"


_MOST_WORDS = 14
"""Most words of a part whose value is compared: in a longer one it may be a value of something else."""


def _held(value: Value, among: Collection[Value]) -> bool:
    """Return whether one of the values supports or is supported by this one."""
    return any(relation(value.parsed, o.parsed) is Relation.SUPPORTS or relation(o.parsed, value.parsed) is Relation.SUPPORTS for o in among)


def _of_value(
    value: Value, own: Proposition, best: Proposition, taken: Collection[Value]
) -> tuple[Judgement | None, bool]:
    """Return the judgement that a value is another, or None, and whether it is supported. `taken` are values that the
    claim has itself, which are no rivals.
    """
    known = [other for other in best.values if not other.whole or value.whole]
    roles = [other for other in known if other.role == value.role] if value.role else []
    answers = [(relation(value.parsed, other.parsed), other) for other in roles or known if _counts_same(value, other)]
    shares = any(other.whole for other in best.values) and any(v.text.endswith("%") for v in known)
    if any(answer is Relation.SUPPORTS for answer, _ in answers):
        return None, True
    excluding = [other for answer, other in answers if answer is Relation.EXCLUDES and other not in taken and _of_one_verb(value, own, other, best)]
    part = shares and not value.text.endswith("%")
    if excluding and not part and not any(answer is Relation.OPEN for answer, _ in answers):
        return Judgement(True, "value", value.text, excluding[0].text), False
    return None, False


def _counts_same(value: Value, other: Value) -> bool:
    """Return whether bare numbers count the same thing, as far as a noun follows both."""
    bare = all(isinstance(v.parsed, Quantity) and v.parsed.unit is None for v in (value, other))
    return not bare or not value.counted or not other.counted or same(value.counted, other.counted)


def _other_time(conflict: Judgement, known: Sentence) -> bool:
    """Return whether a claim speaks of another time than the several of which the sentence gives figures."""
    dates = [value for value in known.values if isinstance(value.parsed, Date)]
    return len(dates) > 1 and len(known.values) > len(dates) and any(v.text == conflict.known for v in dates)


def _of_one_verb(value: Value, own: Proposition, other: Value, best: Proposition) -> bool:
    """Return whether both values belong to one verb, as far as each part has one that says something."""
    ours = [word.stem for word in own.verbs(value) if not word.light]
    theirs = [word.stem for word in best.verbs(other) if not word.light]
    return not ours or not theirs or any(same(a, b) or opposed(a, b) for a in ours for b in theirs)


def _denied(
    claim: Sentence, known: Sentence, words: list[Word], best: Proposition, ours: set[int], theirs: set[int]
) -> bool:
    """Return whether exactly one of both denies, of the words that they share."""
    stems = [word.stem for word in words]
    start = best.start if any(chunk.kind == "V" for chunk in best.chunks) else 0
    there = {
        _shared(target, stems)
        for at, target in known.denied
        if at not in theirs and start <= at < best.end and _shared(target, stems)
    }
    here = {_shared(target, stems) for at, target in claim.denied if at not in ours}
    return len(there ^ here) % 2 == 1


def _asserted(words: list[Word], known: Sentence) -> bool:
    """Return whether the sentence says that what the claim's verbs say happened: "to identify" is an aim."""
    verbs = [word.stem for word in words if word.verb]
    there = [known.doc[word.at] for word in known.words if word.verb and any(same(word.stem, verb) for verb in verbs)]
    return not there or any(not _aim(token) for token in there)


def _aim(token: Token) -> bool:
    to = any(child.lower_ == "to" and child.dep_ == "aux" for child in token.children)
    return to and not any(at < token.i and token.i - at < 4 for at in _operators(token.doc))


def _operators(doc: Doc) -> list[int]:
    return [token.i for token in doc if token.lemma_.lower() in ("fail", "refuse", "decline", "unable", "able")]


def _covers(claim: Sentence, known: Sentence, background: Collection[str]) -> bool:
    """Return whether the sentence has all words of the claim, or what excludes or turns them."""
    there = [word.stem for word in known.words]
    related = (same, opposed, converse, exclusive)
    heavy = [word.stem for word in claim.words if not word.light]
    return all(any(test(stem, other) for other in there for test in related) or stem in background for stem in heavy)


def _shared(target: str, stems: list[str]) -> str:
    return next((stem for stem in stems if same(target, stem) or opposed(target, stem)), "")


def _degrees(words: list[Word], known: Sentence, best: Proposition) -> bool | None:
    """Return whether the claim compares; None where its degree is not that of the sentence."""
    graded = [word for word in words if word.degree]
    for word in graded:
        others = [o for o in known.words if o.degree and (same(o.stem, word.stem) or opposed(o.stem, word.stem))]
        if not others or not any({o.degree, word.degree} in _COMPARABLE or o.degree == word.degree for o in others):
            return None
    unsaid = any(o.degree and best.start <= o.at < best.end for o in known.words) and not graded
    return None if unsaid and not _plain(words, known) else bool(graded)


_COMPARABLE = ({"comparative", "equal"},)


def _plain(words: list[Word], known: Sentence) -> bool:
    """Return whether none of the words that the claim has is compared in the sentence."""
    return not any(o.degree and any(same(o.stem, w.stem) for w in words) for o in known.words)


def _swapped(claim: Sentence, known: Sentence, own: Proposition, best: Proposition, turned: bool) -> bool:
    """Return whether two things have exchanged their parts."""
    inside = [word for word in claim.words if own.start <= word.at < own.end and word.role]
    roles = {}
    for word in inside:
        there = [o.role for o in known.words if o.role and same(o.stem, word.stem) and best.start <= o.at < best.end]
        there = there or [o.role for o in known.words if o.role and same(o.stem, word.stem)]
        if there and not any(other is not word and other.stem == word.stem for other in inside):
            roles[word.at] = (word.role, there[0] if word.role not in there else word.role)
    pairs = [(a, b) for a in roles for b in roles if a < b]
    being = all(any(t.lemma_ == "be" and t.dep_ == "ROOT" for t in s.doc) for s in (claim, known))
    kin = any(word.noun and relational(word.stem) for word in claim.words)
    return any(_exchanged(roles[a], roles[b], turned, being, kin) for a, b in pairs)


_PLACES = frozenset({"in", "at", "on", "for", "with", "and", "as", ""})
_TO = frozenset({"to", "into"})


def _exchanged(a: tuple[str, str], b: tuple[str, str], turned: bool, being: bool, kin: bool) -> bool:
    """Return whether the roles (in the claim, in the sentence) of two words are exchanged. Places are no parts, but
    where the relation is turned ("contains", "lies in"); nor is what something is.
    """
    (a_here, a_there), (b_here, b_there) = a, b
    every = {a_here, b_here, a_there, b_there}
    if "of" in every and not kin:
        return False
    if (every & _PLACES and not turned and "as" not in every) or (being and "O" in every):
        return False
    if "S" in (a_here, b_here) and "S" in (a_there, b_there):
        return (a_here == "S") != (a_there == "S") and (b_here == "S") != (b_there == "S")
    if "from" in (a_here, b_here) and "from" in (a_there, b_there):
        return (a_here == "from") != (a_there == "from") and (a_here in _TO or b_here in _TO)
    than = ("than" in (a_here, b_here)) and ("than" in (a_there, b_there))
    return than and (a_here == "than") != (a_there == "than")


def _symmetric(words: list[Word], known: Sentence) -> bool:
    equal = any(word.degree == "equal" for word in words) and any(word.degree == "equal" for word in known.words)
    return equal or any(symmetric(word.stem) for word in words)


def _other_part(words: list[Word], known: Sentence) -> bool:
    """Return whether what the claim says of its subject is said of something else."""
    said = [word for word in words if word.role == "O" and not word.noun and not word.attribute]
    there = [[o for o in known.words if same(o.stem, word.stem)] for word in said]
    return any(others and all(other.attribute for other in others) for others in there)


def _added_only(claim: Sentence, known: Sentence) -> bool:
    """Return whether the claim alone says "only"."""
    return _only(claim) and not _only(known)


def _only(sentence: Sentence) -> bool:
    return any(token.lower_ in ("only", "solely", "exclusively", "alone") for token in sentence.doc)
