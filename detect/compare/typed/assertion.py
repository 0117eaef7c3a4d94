"""Tell whether a sentence says outright, and all of, what a claim says: not as an aim or a report."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from claimgraph.detect.compare.typed.propositions import Proposition
from claimgraph.detect.compare.typed.sentence import Sentence, Word
from claimgraph.detect.compare.typed.word_relation import converse, exclusive, opposed, relational, same
from claimgraph.detect.text.words import words
from claimgraph.kgstore.values.quantities import Quantity

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
_NOT_DONE = words("fail refuse decline stop cease unable without")
"""What says by itself that what depends on it did not happen."""


def outright(words: list[Word], claim: Sentence, known: Sentence) -> bool:
    """Return whether the sentence itself says what the claim's verbs say: not what somebody says, wants or is said to
    be no longer.
    """
    verbs = [word.stem for word in words if word.verb]
    there = [known.doc[word.at] for word in known.words if word.verb and any(same(word.stem, verb) for verb in verbs)]
    qualified = _qualifying(known) - {token.lower_ for token in claim.doc}
    own = [token for token in there if token.dep_ not in _EMBEDDED or _apart(token)]
    return not qualified and (not there or bool(own))


_EMPTY = frozenset({"be", "have", "do"})
_PRONOUNS = words("he she it they this these that those his her its their who which")


def _qualifying(known: Sentence) -> set[str]:
    at_once = {token.i + 1 for token in known.doc if token.lower_ == "at"}
    return {token.lower_ for token in known.doc if token.lower_ != "once" or token.i not in at_once} & _QUALIFYING


def _apart(token: Token) -> bool:
    """Return whether a verb depends on what says that it did not happen, or, by a semicolon, on nothing."""
    between = token.doc[min(token.i, token.head.i) : max(token.i, token.head.i)]
    return token.head.lemma_.lower() in _NOT_DONE or any(other.text == ";" for other in between)


def spelled_out(claim: Sentence, known: Sentence, own: Proposition, best: Proposition) -> bool:
    """Return whether one part of the sentence has every word of the claim's, light verbs too, in the part it plays.

    Only the subject may stand in an earlier part that this one goes on with, or before a sentence whose subject is a
    pronoun: words of several parts say together what none of them says.
    """
    said = [word for chunk in own.chunks for word in chunk.words]
    verb = next((token.i for token in claim.doc if token.tag_.startswith(("VB", "MD"))), 0)
    subjects = [word for word in said if word.role in ("S", "O") and word.at < verb]
    rest = [word for word in said if word not in subjects and claim.doc[word.at].lemma_ not in _EMPTY]
    inside = [word for word in known.words if best.start <= word.at < best.end]
    return all(_plays(word, inside) for word in rest) and _same_subject(subjects, known, best, inside)


def measured(own: Proposition, known: Sentence, best: Proposition) -> bool:
    """Return whether a part of the sentence has all heavy words of a claim that gives a measure: "a two-year warranty"
    says that the warranty lasts two years.
    """
    inside = [word for word in known.words if best.start <= word.at < best.end]
    heavy = [word for chunk in own.chunks for word in chunk.words if not word.light]
    units = all(not isinstance(value.parsed, Quantity) or value.parsed.unit for value in own.values)
    return bool(own.values) and units and all(any(same(w.stem, o.stem) for o in inside) for w in heavy)


def _same_subject(subjects: list[Word], known: Sentence, best: Proposition, inside: list[Word]) -> bool:
    """Return whether the subject is that of the part, or is what its pronoun or its missing subject stands for."""
    if all(_plays(word, inside) for word in subjects):
        return True
    acting = [token for token in known.doc[best.start : best.end] if token.dep_ in ("nsubj", "nsubjpass", "expl")]
    if acting:
        return all(token.lower_ in _PRONOUNS for token in acting)
    before = [word for word in known.words if word.at < best.start]
    return all(any(same(word.stem, other.stem) and other.role == "S" for other in before) for word in subjects)


def _plays(word: Word, inside: list[Word]) -> bool:
    there = [other for other in inside if same(word.stem, other.stem)]
    return any(other.role == word.role or "" in (other.role, word.role) or word.verb for other in there)


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
