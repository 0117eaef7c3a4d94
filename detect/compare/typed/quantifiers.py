"""Compare how much of a thing two sentences speak of: all, most, some, few, none, not all."""

from __future__ import annotations

from claimgraph.detect.compare.typed.sentence import Quantified, Sentence, Value
from claimgraph.detect.compare.typed.word_relation import same
from claimgraph.kgstore.values.quantities import Quantity

_ENTAILS = {
    "all": {"all", "most", "some"},
    "most": {"most", "some"},
    "some": {"some"},
    "few": {"few", "not all"},
    "none": {"none", "not all"},
    "not all": {"not all"},
}
_EXCLUDES = {
    "all": {"few", "none", "not all"},
    "most": {"few", "none"},
    "some": {"none"},
    "few": {"all", "most"},
    "none": {"all", "most", "some", "few"},
    "not all": {"all"},
}
_SHARES = {"all": (100, 100), "most": (50, 100), "none": (0, 0), "few": (0, 30)}
"""Least and greatest per cent that a quantifier may stand for."""


def compare(claim: Sentence, known: Sentence) -> tuple[bool | None, set[int], set[int]]:
    """Return whether the known quantifiers support the claim's, with the tokens of both that were compared.

    True where all are supported, False where one is excluded, None where neither is.
    """
    ours, theirs, found = set[int](), set[int](), list[bool | None]()
    for quantified in claim.quantified:
        others = [other for other in known.quantified if same(quantified.noun, other.noun)]
        others = others or [other for other in known.quantified if "person" in (quantified.noun, other.noun)]
        answers = [_answer(quantified, other) for other in others]
        answers += [_of_share(quantified, value) for value in known.values]
        given = [answer for answer in answers if answer is not None]
        if others or given:
            ours.add(quantified.at)
            theirs.update(other.at for other in others)
        found.append(False if False in given else True if True in given else None)
    if any(quantified.kind == "all" for quantified in claim.quantified) and _excepts(known) and not _excepts(claim):
        found.append(False)
    return (False if False in found else None if None in found else True), ours, theirs


def _excepts(sentence: Sentence) -> bool:
    """Return whether the sentence names an exception; "two metres apart" is none."""
    words = f" {' '.join(token.lower_ for token in sentence.doc)} "
    return any(f" {exception} " in words for exception in ("except", "excluding", "apart from"))


def _answer(claimed: Quantified, known: Quantified) -> bool | None:
    if claimed.kind in _ENTAILS.get(known.kind, ()):
        return True
    return False if claimed.kind in _EXCLUDES.get(known.kind, ()) else None


def _of_share(claimed: Quantified, value: Value) -> bool | None:
    known = value.parsed
    if not isinstance(known, Quantity) or known.unit != "%" or claimed.kind not in _SHARES:
        return None
    low, high = _SHARES[claimed.kind]
    least, most = known.core
    return False if most < low or least > high else True if low <= least and most <= high else None
