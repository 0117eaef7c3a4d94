"""What a text speaks of, as far as it was read: names and nouns with what is known of who bears them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.coreference.mentions import Form, Mention
from claimgraph.detect.text.syntax import SUBJECTS
from claimgraph.kgstore.model import Span

if TYPE_CHECKING:
    from spacy.tokens import Token

_SUFFIXES = frozenset(
    {"inc", "corp", "corporation", "ltd", "limited", "company", "co", "plc", "llc", "fc", "club", "group"}
)


@dataclass(slots=True)
class Referent:
    """Something the text speaks of. `kind` is person, group, place, thing or any; `said` the nouns it was called by,
    `source` where its name stands."""

    name: str
    kind: str
    plural: bool
    named: bool
    gender: str | None
    source: Span
    sentence: int
    position: int
    role: str
    count: int = 1
    said: set[str] = field(default_factory=set)


def referent_of(token: Token, mention: Mention, sentence: int) -> Referent:
    """What a mention speaks of, as long as nothing else is known of it."""
    named = mention.form is Form.NAME
    plural = token.ent_type_ == "NORP" if named else mention.plural
    made = Referent(
        name=mention.name,
        kind=mention.entity,
        plural=plural,
        named=named,
        gender=mention.gender,
        source=mention.span,
        sentence=sentence,
        position=token.i,
        role=role_of(token),
    )
    if not named and mention.form is not Form.PAIR:
        made.said.add(mention.lemma)
    return made


def role_of(token: Token) -> str:
    """Its grammatical role; that of a subject for its owner: "Emma's genre is comedy" and "The genre of Emma is comedy"
    are about Emma."""
    of = token.head if token.dep_ == "poss" else token.head.head if token.head.lower_ == "of" else None
    owns = of is not None and token.dep_ in {"poss", "pobj"} and of.dep_ in SUBJECTS
    return "nsubj" if owns else token.dep_


def short_for(made: Referent, known: Referent) -> bool:
    """Whether a name shortens a known one: "Curie" for a person; "Apple" for Apple Inc."""
    if made.name == known.name:
        return True
    words, full = made.name.split(), known.name.split()
    if known.kind in {"person", "any"}:
        clash = made.gender and known.gender and made.gender != known.gender
        if made.kind in {"person", "any"}:
            return (
                not clash and len(words) < len(full) and (words == full[-len(words) :] or words == full[: len(words)])
            )
        return len(words) == 1 and len(full) > 1 and words[0] == full[-1] and made.kind != "place"
    return made.kind == "group" and words == full[:-1] and full[-1].rstrip(".").casefold() in _SUFFIXES
