"""The words that are put in a mention's place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.coreference.mentions import entity_of
from claimgraph.detect.text.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.extraction.coreference.rules import Referent

_DETERMINERS = words("a all an any both each every his her its my no our some that the their these this those your")
_SAYING = frozenset({"say", "tell", "add", "write", "explain", "admit"})


def speaker(token: Token, referents: Sequence[Referent]) -> str | None:
    """Return the name for "I" in a quotation: who says it; None where nobody is named."""
    verb = next((v for v in token.ancestors if v.dep_ == "ccomp" and v.head.lemma_ in _SAYING), None)
    said_by = verb.head.children if verb is not None else ()
    people = [child for child in said_by if child.dep_ == "nsubj" and child.ent_type_ == "PERSON"]
    return in_place(_full(referents, entity_of(people[-1]).text.strip()), token) if people else None


def _full(referents: Sequence[Referent], name: str) -> str:
    people = (r for r in reversed(referents) if r.named and r.kind == "person")
    return next((r.name for r in people if r.name.split()[-1:] == name.split()[-1:]), name)


def called(known: Referent, token: Token) -> str:
    """Return the name in the token's place, with the article that the text gives it: "27 of the traders" for "27 of
    them", "sprinklers" for the "they" of "no sprinklers", and "A and B" for that of "neither A nor B"."""
    name = re.sub(r"^(?:no|some) ", "", known.name.partition(" :")[0], flags=re.IGNORECASE)
    name = re.sub(r"^neither (.+?) nor ", r"\1 and ", name, flags=re.IGNORECASE)
    plain = not name[:1].isupper() and name.split()[0] not in _DETERMINERS
    of_all = plain and token.tag_ == "PRP" and token.i > 0 and token.nbor(-1).lower_ == "of"
    name = f"the {name}" if (known.article and known.kind != "person") or of_all else name
    return f"{name[:1].upper()}{name[1:]}" if token.is_sent_start else name


def called_topic(known: Referent) -> str:
    """Return the name of what a text is about as a sentence begins with it: "The Nordlight 4 bike lamp"."""
    name = f"the {known.name}" if known.article and known.kind != "person" else known.name
    return f"{name[:1].upper()}{name[1:]}"


def in_place(name: str, token: Token) -> str:
    """Return a name as its pronoun has it: "Ann's" for "her" and "my"."""
    return owning(name) if token.tag_ == "PRP$" else name


def owning(name: str) -> str:
    """Return a name as that of an owner: "Ann's", "the merchants'"."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"
