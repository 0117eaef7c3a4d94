"""What the grammar of its clause tells of a mention."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import relative_gap
from claimgraph.detect.text.syntax import OBJECTS, SUBJECTS, is_verb

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.extraction.coreference.rules import Referent

_EVENTS = frozenset({"defeat", "win", "victory", "loss", "draw", "title", "goal", "appearance"})
_HOLDING = frozenset({"include", "comprise", "contain", "consist", "range"})
_PEOPLE = re.compile(r"(?:er|or|ist|ian|man|men|people)s?$")
_ANYBODY = frozenset({"nobody", "everyone", "everybody", "anyone", "anybody", "someone", "somebody", "whoever"})
_SEVERAL = frozenset({"most", "many", "some", "several", "few", "both", "all", "those", "others"})


def tells_of_event(token: Token, chosen: Referent) -> bool:
    """Whether "it" is what was told, not what was named: "It was Lund's first defeat"."""
    verb = token.head
    told = [c for c in verb.children if c.dep_ == "attr" and c.lemma_ in _EVENTS and any(map(_owned, c.children))]
    return token.lower_ == "it" and verb.lemma_ == "be" and bool(told) and told[0].lemma_ not in chosen.said


def holds(token: Token, chosen: Referent) -> bool:
    """Whether a pronoun is said to have parts or a size that people have not: "They include 255 gold coins"."""
    people = chosen.human and not chosen.named and chosen.kind != "group"
    return token.dep_ in SUBJECTS and token.head.lemma_ in _HOLDING and people and bool(_PEOPLE.search(chosen.name))


def is_bound(token: Token) -> bool:
    """Whether "they" stands for whoever the subject of its clause means: "no one lost their life"."""
    if token.lower_ not in {"they", "their", "theirs"}:
        return False
    subjects = (c for verb in token.ancestors if is_verb(verb) for c in verb.children if c.dep_ in SUBJECTS)
    return any(subject.i < token.i and _is_anybody(subject) for subject in subjects)


def modified(token: Token) -> Token | None:
    """The noun that a clause modifies which has the pronoun beside the word for that noun, so that it is another: "Ann,
    with whom she worked"; None for other words."""
    verb = token.head
    return verb.head if token.dep_ in SUBJECTS | OBJECTS and relative_gap(verb) is not None else None


def _is_anybody(subject: Token) -> bool:
    no = subject.lower_ == "one" and any(child.lower_ == "no" for child in subject.children)
    return no or subject.lower_ in _ANYBODY


def _owned(child: Token) -> bool:
    return child.dep_ == "poss"


def ranks(child: Token) -> bool:
    """Whether a word before a noun tells which of many like it is meant: "the third fire", "another fire"."""
    return child.ent_type_ == "ORDINAL" or child.lower_ in {"another", "only", "last", "latest", "next"}


def plural_subject(token: Token) -> Token | None:
    """The subject of its clause that "their" most likely speaks of: several things before it; None for other words."""
    verb = next((t for t in token.ancestors if is_verb(t)), None) if token.lower_ == "their" else None
    own = next((c for c in verb.children if c.dep_ in SUBJECTS and c.i < token.i), None) if verb is not None else None
    plural = own is not None and (own.tag_ in {"NNS", "NNPS"} or own.lower_ in _SEVERAL)
    return own if plural else None


def described(token: Token) -> Token | None:
    """What a predicate noun or apposition describes."""
    if token.dep_ == "attr" and is_verb(token.head):
        return next((c for c in token.head.children if c.dep_ in SUBJECTS), None)
    return token.head if token.dep_ == "appos" else None
