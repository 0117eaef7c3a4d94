"""Whom words for several mean where no single mention is their antecedent: couples, and two of many.

"They" after "He married Ann Lee" is both; "both" and "neither" are the two that the sentence before spoke of; "they"
after "Two of the forty turbines" is the two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, is_verb, phrase
from claimgraph.detect.text.words import words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.extraction.coreference.rules import Referent

_MARRYING = words("marry wed divorce separate")
_SPOUSES = words("wife husband spouse fiancé fiancée bride groom")
_FAMILY = words("child son daughter twin")
_PARTS = words("most many some several few half")
_OF_TWO = frozenset({"both", "neither", "either", "each", "none"})


def couple(sentence: Span, here: Mapping[int, Referent]) -> tuple[Referent, Referent] | None:
    """Return the two persons of a sentence that tells of a marriage; None where it tells of none."""
    for token in sentence:
        first, second = _married(token)
        one, other = (here.get(t.i) if t is not None else None for t in (first, second))
        if one is not None and other is not None and one is not other and other.named and _is_one(one, other):
            return one, other
    return None


def _is_one(*people: Referent) -> bool:
    return all(person.human and not person.plural and person.kind in {"person", "any"} for person in people)


def _married(token: Token) -> tuple[Token | None, Token | None]:
    """Return who is told to be married to whom: by "marry", "his wife, Ann Lee" or "his marriage to Ann Lee"."""
    owner = next((c for c in token.children if c.dep_ == "poss"), None)
    if token.lemma_ in _MARRYING and is_verb(token):
        verb = token
        while verb.dep_ in {"conj", "xcomp"} and not any(c.dep_ in SUBJECTS for c in verb.children):
            verb = verb.head
        return _child(verb, SUBJECTS), _child(token, {"dobj"})
    if token.lemma_ in _SPOUSES:
        return owner, _child(token, {"appos"}) or token
    to = next((c for c in token.children if c.lower_ == "to"), None) if token.lemma_ == "marriage" else None
    return owner, _child(to, {"pobj"}) if to is not None else None


def _child(token: Token, relations: Collection[str]) -> Token | None:
    return next((child for child in token.children if child.dep_ in relations), None)


def speaks_of_couple(token: Token) -> bool:
    """Return whether "they" or "their" stands where a couple is told of: they married, or have children."""
    subject = token.head if token.tag_ == "PRP$" else token
    verb = subject.head
    children = any(c.lemma_ in _FAMILY for c in verb.children if c.dep_ == "dobj")
    own = token.tag_ == "PRP$" and (subject.lemma_ in _FAMILY or subject.lower_ in {"eldest", "youngest"})
    return own or (subject.dep_ in SUBJECTS and (verb.lemma_ in _MARRYING or children))


def part_of(token: Token) -> str | None:
    """Return the subject that counts some of a noun's things, "two of the forty turbines"; None for another noun."""
    count = token.head.head if token.dep_ == "pobj" and token.head.lower_ == "of" else token
    counted = count.tag_ == "CD" and count.lower_ not in {"one", "1"}
    if count == token or count.dep_ not in SUBJECTS or not (counted or count.lower_ in _PARTS):
        return None
    said = "".join(t.text_with_ws for t in phrase(count)).strip()
    return f"{said[:1].lower()}{said[1:]}"


def counted(subject: Token) -> Token:
    """Return the noun of which a subject counts some: "turbines" for "two of the turbines"; else the subject."""
    of = next((c for c in subject.children if c.dep_ == "prep" and c.lower_ == "of"), None)
    nouns = [c for c in of.children if c.dep_ == "pobj"] if of is not None else []
    return nouns[0] if nouns and part_of(nouns[0]) else subject


def is_of_two(token: Token) -> bool:
    """Return whether a pronoun stands after "both of", "each of" and their like."""
    return token.head.lower_ == "of" and token.head.head.lower_ in _OF_TWO


def is_other_than_two(token: Token, meant: Referent) -> bool:
    """Return whether a pronoun after "both of", "neither of" or "either of" would stand for what is no two."""
    return is_of_two(token) and token.head.head.lower_ in {"both", "neither", "either"} and not _is_two(meant)


def two_meant(token: Token, sentence: int, referents: Sequence[Referent]) -> Referent | None:
    """Return what "both" or "neither" as a subject speaks of, if the sentence before has one group of two."""
    alone = token.lower_ in {"both", "neither"} and token.dep_ in SUBJECTS and not list(token.children)
    found = [r for r in referents if r.sentence == sentence - 1 and _is_two(r)] if alone else []
    return found[0] if len(found) == 1 else None


def called_two(token: Token, name: str) -> str:
    """Return what "both" or "neither" says of a group of that name."""
    name = name if name.startswith("the ") or " and " in name else f"the {name}"
    said = f"neither of {name}" if token.lower_ == "neither" else name
    return f"{said[:1].upper()}{said[1:]}" if token.is_sent_start else said


def _is_two(referent: Referent) -> bool:
    said = referent.name.casefold().removeprefix("the ").split()
    pair = referent.plural and said.count("and") == 1 and "," not in referent.name and not referent.said
    return pair or (referent.plural and said[0] in {"two", "2"})


def joined(pair: Iterable[Referent]) -> str:
    """Return the names of a couple."""
    return " and ".join(referent.name for referent in pair)
