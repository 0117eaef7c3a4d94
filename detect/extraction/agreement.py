"""Agreement of a verb with the subject that stays when a claim keeps one of two: "a pen and a case are included"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import conjuncts

if TYPE_CHECKING:
    from spacy.tokens import Token

_SINGULAR = {"are": "is", "were": "was", "have": "has", "'re": "is", "’re": "is", "'ve": "has", "’ve": "has"}
_FINITE = frozenset({"VBP", "VBZ", "VBD", "MD"})


def agreeing(subject: Sequence[Token], predicate: Sequence[Token]) -> dict[int, str]:
    """Return the finite verb of a predicate, by token number, as its subject alone has it; empty where it agrees."""
    head = next((token for token in subject if token.head not in subject or token.head == token), None)
    verb = next((token for token in predicate if token.tag_ in _FINITE), None)
    if head is None or verb is None or head.tag_ not in {"NN", "NNP"} or verb.tag_ in {"MD", "VBZ"}:
        return {}
    first = head
    while first.dep_ == "conj" and first.head.tag_.startswith(("NN", "PRP")):
        first = first.head
    first = next((child for child in first.head.children if child.dep_ == first.dep_), first)
    left_out = any(other not in subject for other in conjuncts(first))
    return {verb.i: third_person(verb.lower_)} if left_out and (verb.tag_ == "VBP" or verb.lower_ == "were") else {}


def third_person(verb: str) -> str:
    """Return a verb's form after "it": "are" -> "is", "carry" -> "carries", "hold" -> "holds"."""
    if verb in _SINGULAR:
        return _SINGULAR[verb]
    if verb.endswith("y") and verb[-2:-1] not in set("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"
