"""Compare the values of a claim with those of the proposition it is compared with, where both count the same thing."""

from __future__ import annotations

from collections.abc import Collection

from claimgraph.detect.compare.typed.differences import Judgement
from claimgraph.detect.compare.typed.propositions import Proposition
from claimgraph.detect.compare.typed.reckoning import reckonable
from claimgraph.detect.compare.typed.sentence import Sentence, Value
from claimgraph.detect.compare.typed.value_relation import Relation, relation
from claimgraph.detect.compare.typed.word_relation import opposed, same
from claimgraph.detect.text.words import stem
from claimgraph.kgstore.values.dates import Date
from claimgraph.kgstore.values.quantities import Quantity


def is_article(value: Value) -> bool:
    """Return whether a number is hardly more than an article: "one of the winners"."""
    return value.text.lower() == "one"


_NEAR = 0.5
"""Share of the words beside a value with a unit of which a sentence must have more for its own to be of the same."""
MOST_WORDS = 14
"""Most words of a part whose value is compared: in a longer one it may be a value of something else."""


def held(value: Value, among: Collection[Value]) -> bool:
    """Return whether one of the values supports or is supported by this one."""
    return any(
        relation(value.parsed, o.parsed) is Relation.SUPPORTS or relation(o.parsed, value.parsed) is Relation.SUPPORTS
        for o in among
    )


def lone_conflict(claim: Sentence, known: Sentence) -> tuple[str, str] | None:
    """Return the one value of a claim that a sentence lacks, and the one value that the sentence has of the same kind,
    where they exclude each other: both count the same noun, or both have a unit and most words beside them are alike.
    """
    lacking = [value for value in claim.values if not held(value, known.values) and not is_article(value)]
    pairs = [(value, [other for other in known.values if _is_alike(value, other)]) for value in lacking]
    told = [(value, alike[0]) for value, alike in pairs if len(alike) == 1]
    if len(told) != 1 or relation(told[0][0].parsed, told[0][1].parsed) is not Relation.EXCLUDES:
        return None
    [(ours, other)] = told
    said = {word.stem for word in claim.words if not ours.at <= word.at < ours.end}
    shared = said & {word.stem for word in known.words}
    if not ours.counted and len(shared) <= _NEAR * len(said):
        return None
    nouns = [_noun_after(value, sentence) for value, sentence in ((ours, claim), (other, known))]
    if all(nouns) and nouns[0] != nouns[1]:
        return f"{ours.text} {nouns[0]}", f"{other.text} {nouns[1]}"
    return ours.text, other.text


def _noun_after(value: Value, sentence: Sentence) -> str:
    """Return the noun that a value counts where it follows at once: "three quotes" beside "one quote"."""
    word = sentence.doc[value.end].text if value.end < len(sentence.doc) else ""
    return word if value.counted and stem(word) == value.counted else ""


def _is_alike(ours: Value, other: Value) -> bool:
    """Return whether both values count the same noun, or have comparable units where neither counts one."""
    if ours.counted or other.counted:
        return bool(ours.counted and other.counted) and same(ours.counted, other.counted)
    units = [isinstance(v.parsed, Quantity) and v.parsed.unit is not None for v in (ours, other)]
    return all(units) and relation(ours.parsed, other.parsed) is not Relation.APART


def compare_value(
    value: Value, own: Proposition, best: Proposition, taken: Collection[Value]
) -> tuple[Judgement | None, bool]:
    """Return the judgement that a value is another, or None, and whether it is supported. `taken` are values that the
    claim has itself, which are no rivals.
    """
    known = [other for other in best.values if not other.whole or value.whole]
    roles = [other for other in known if other.role == value.role] if value.role else []
    if not roles and {"from", "to"} <= {other.role for other in known}:
        return None, False
    answers = [(relation(value.parsed, other.parsed), other) for other in roles or known if counts_same(value, other)]
    shares = any(other.whole for other in best.values) and any(v.text.endswith("%") for v in known)
    if any(answer is Relation.SUPPORTS for answer, _ in answers):
        return None, True
    excluding = [
        other
        for answer, other in answers
        if answer is Relation.EXCLUDES and other not in taken and _of_one_verb(value, own, other, best)
    ]
    part = shares and not value.text.endswith("%")
    if excluding and not part and not any(answer is Relation.OPEN for answer, _ in answers):
        return Judgement(True, "value", value.text, excluding[0].text), False
    return None, False


def counts_same(value: Value, other: Value) -> bool:
    """Return whether bare numbers count the same thing, as far as a noun follows both."""
    bare = all(isinstance(v.parsed, Quantity) and v.parsed.unit is None for v in (value, other))
    return not bare or not value.counted or not other.counted or same(value.counted, other.counted)


def reckoned(conflict: Judgement, claim: Sentence, known: Sentence) -> bool:
    """Return whether a value is the sum, the difference or the share of two that the sentence gives."""
    said = next(value for value in claim.values if value.text == conflict.said)
    return reckonable(said, known.values)


def other_time(conflict: Judgement, known: Sentence) -> bool:
    """Return whether a claim speaks of another time than the several of which the sentence gives figures."""
    dates = [value for value in known.values if isinstance(value.parsed, Date)]
    return len(dates) > 1 and len(known.values) > len(dates) and any(v.text == conflict.known for v in dates)


def _of_one_verb(value: Value, own: Proposition, other: Value, best: Proposition) -> bool:
    """Return whether both values belong to one verb, as far as each part has one that says something."""
    ours = [word.stem for word in own.verbs(value) if not word.light]
    theirs = [word.stem for word in best.verbs(other) if not word.light]
    return not ours or not theirs or any(same(a, b) or opposed(a, b) for a in ours for b in theirs)
