"""Write a triple in words, as the hypothesis of an entailment model."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from claimgraph.detect.compare.relations import spoken
from claimgraph.detect.text.words import negated
from claimgraph.kgstore.model import Triple


def joined(triple: Triple) -> str:
    """Return head, relation and tail joined by spaces (GraphEval, stage 2): "Curie place of birth Warsaw"."""
    return " ".join(triple.text.split())


def sentence(triple: Triple) -> str:
    """Return the triple as a sentence: "Curie was born in Warsaw." A negated relation keeps its own words."""
    relation = triple.predicate if negated(triple.predicate) else spoken(triple.predicate)
    said = " ".join(f"{triple.subject} {relation} {triple.object}".split())
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(('.', '!', '?')) else '.'}"


VERBALISERS: Mapping[str, Callable[[Triple], str]] = {"joined": joined, "sentence": sentence}
