"""Tell whether a sentence says outright, and all of, what a claim says: not as an aim or a report."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from claimgraph.detect.compare.typed.sentence import Sentence, Word
from claimgraph.detect.compare.typed.word_relation import converse, exclusive, opposed, relational, same
from claimgraph.detect.text.words import words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def asserted(words: list[Word], known: Sentence) -> bool:
    """Return whether the sentence says that what the claim's verbs say happened: "to identify" is an aim."""
    verbs = [word.stem for word in words if word.verb]
    there = [known.doc[word.at] for word in known.words if word.verb and any(same(word.stem, verb) for verb in verbs)]
    return not there or any(not _aim(token) for token in there)


_QUALIFYING = words(
    """
    former formerly ex acting deputy alleged supposed proposed honorary fake almost nearly hardly scarcely
    partly then future once
    """
)
_EMBEDDED = frozenset({"ccomp", "xcomp", "advcl", "acl", "csubj", "pcomp"})


def outright(words: list[Word], claim: Sentence, known: Sentence) -> bool:
    """Return whether the sentence itself says what the claim's verbs say: not what somebody says, wants or is said to
    be no longer.
    """
    verbs = [word.stem for word in words if word.verb]
    there = [known.doc[word.at] for word in known.words if word.verb and any(same(word.stem, verb) for verb in verbs)]
    qualified = {token.lower_ for token in known.doc} & _QUALIFYING - {token.lower_ for token in claim.doc}
    return not qualified and (not there or any(token.dep_ not in _EMBEDDED for token in there))


def one_relation(claim: Sentence, known: Sentence, turned: bool) -> bool:
    """Return whether both have one verb that says something, or are both about what somebody is to another."""
    ours = {word.stem for word in claim.words if word.verb and not word.light}
    theirs = {word.stem for word in known.words if word.verb and not word.light}
    being = not ours and any(word.degree or (word.noun and relational(word.stem)) for word in claim.words)
    return turned or being or any(same(a, b) for a in ours for b in theirs)


def _aim(token: Token) -> bool:
    to = any(child.lower_ == "to" and child.dep_ == "aux" for child in token.children)
    return to and not any(at < token.i and token.i - at < 4 for at in _operators(token.doc))


def _operators(doc: Doc) -> list[int]:
    return [token.i for token in doc if token.lemma_.lower() in ("fail", "refuse", "decline", "unable", "able")]


def covers(claim: Sentence, known: Sentence, background: Collection[str]) -> bool:
    """Return whether the sentence has all words of the claim, or what excludes or turns them."""
    there = [word.stem for word in known.words]
    related = (same, opposed, converse, exclusive)
    heavy = [word.stem for word in claim.words if not word.light]
    return all(any(test(stem, other) for other in there for test in related) or stem in background for stem in heavy)


def said_of_another_part(words: list[Word], known: Sentence) -> bool:
    """Return whether what the claim says of its subject is said of something else."""
    said = [word for word in words if word.role == "O" and not word.noun and not word.attribute]
    there = [[o for o in known.words if same(o.stem, word.stem)] for word in said]
    return any(others and all(other.attribute for other in others) for others in there)


def adds_only(claim: Sentence, known: Sentence) -> bool:
    """Return whether the claim alone says "only"."""
    return _only(claim) and not _only(known)


def _only(sentence: Sentence) -> bool:
    return any(token.lower_ in ("only", "solely", "exclusively", "alone") for token in sentence.doc)
