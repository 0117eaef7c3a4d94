"""Whom words for several mean where no single mention is their antecedent: couples, and two of many.

"They" after "He married Ann Lee" is both; "both" and "neither" are the two that the sentence before spoke of; "they"
after "Two of the forty turbines" is the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    """Return the two persons of a sentence that tells of a marriage; None where it speaks of more or fewer."""
    told = any((t.lemma_ in _MARRYING and is_verb(t)) or t.lemma_ in _SPOUSES for t in sentence)
    people = {id(r): r for r in here.values() if r.kind == "person" and r.named and not r.plural}
    first, *others = people.values() if told and len(people) == 2 else (None,)
    return (first, others[0]) if first is not None else None


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
    """Return whether a pronoun stands after "both of" or "neither of"."""
    return token.head.lower_ == "of" and token.head.head.lower_ in _OF_TWO


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
