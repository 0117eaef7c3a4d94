"""Tell whether two things have exchanged their parts in a relation: who beat whom, from where to where."""

from __future__ import annotations

from claimgraph.detect.compare.typed.propositions import Proposition
from claimgraph.detect.compare.typed.sentence import Sentence, Word
from claimgraph.detect.compare.typed.word_relation import relational, same, symmetric


def swapped(claim: Sentence, known: Sentence, own: Proposition, best: Proposition, turned: bool) -> bool:
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
    kin = {w.stem for w in claim.words if w.noun and relational(w.stem)}
    if kin != {w.stem for w in known.words if w.noun and relational(w.stem)} or (kin and not being):
        return False
    return any(_exchanged(roles[a], roles[b], turned, being, bool(kin)) for a, b in pairs)


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


def holds_both_ways(words: list[Word], known: Sentence) -> bool:
    equal = any(word.degree == "equal" for word in words) and any(word.degree == "equal" for word in known.words)
    return equal or any(symmetric(word.stem) for word in words)
