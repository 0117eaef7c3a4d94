"""Mend trees in which "her" was taken for an object though it owns one, or for an owner though it is given a thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import Change
from claimgraph.detect.text.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token

_GIVING = words("allow ask bring buy call cost deny give grant hand lend make offer owe pay promise send show tell")
"""Verbs with two objects."""


def her_changes(token: Token) -> Iterator[Change]:
    """Yield the changes that a pronoun with a wrong head asks for."""
    if _is_owner(token):
        yield token.i, token.nbor().head.i if token.nbor().tag_ != "NN" else token.i + 1, "poss"
    elif _is_given(token):
        yield token.i, token.head.head.i, "dative"


def _is_owner(her: Token) -> bool:
    """Return whether "her" is taken for an object though a noun without an article follows: "met her later husband"."""
    if her.lower_ != "her" or her.tag_ != "PRP" or her.dep_ not in {"dative", "dobj"} or her.head.lemma_ in _GIVING:
        return False
    after = her.nbor() if her.i + 1 < her.sent.end else her
    noun = after.head if after.dep_ in {"amod", "compound"} else after
    return noun.tag_ == "NN" and noun.dep_ == "dobj" and noun.left_edge.i in {her.i, her.i + 1}


def _is_given(her: Token) -> bool:
    """Return whether "her" is taken for the owner of what she is given: "offered her better terms"."""
    noun = her.head
    more = any(child.tag_ == "JJR" and child.i == her.i + 1 for child in noun.children)
    given = her.lower_ == "her" and her.dep_ == "poss" and noun.dep_ == "dobj" and her.i == noun.head.i + 1
    return given and more and noun.head.lemma_ in _GIVING
