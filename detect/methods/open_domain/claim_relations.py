"""Map a claim to a graph's own relations, and find the graph's values for them.

    claim ──▶ (anchor, relation, value), direct or inverse ──▶ the values that the graph has for anchor and relation

The predicate's words say which relations may be meant (relation_phrases.py); among them the value's kind decides: "is
located in" is a continent's relation for Africa, and a country's for Chad. A value is of a relation's kind where the
graph has it as that relation's object anywhere. Types were rejected: most graphs here have none. Dates and quantities
are not read: decision_rules.py compares these values, and one number may be many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from claimgraph.detect.check_input import Linked
from claimgraph.detect.compare import relation_phrases
from claimgraph.detect.compare.fact_match import entity_likeness
from claimgraph.detect.models.embedder import Space
from claimgraph.kgstore.model import Claim, Entity, Fact, Subgraph
from claimgraph.kgstore.values import literals

READ = 0.5
"""Least likeness of a relation's words to the claim's."""
SAME_VALUE = 0.75
"""Least likeness at which the name of an unlinked value is a known value's."""
_KIND = 0.2
"""Weight added to a relation that is known to take the value, or subtracted where it is not."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A relation that a claim may state about an entity of the graph.

    `role` is the claim's role that holds the value, "subject" in the inverse direction; `anchor` is the entity's id.
    `likeness` in [0, 1] says how well the words name the relation, and `said` whether there are any beside "is". `fits`
    is whether the graph has the value as object of the relation; None: the value is not linked to an entity. `joined`
    is whether any fact, of whatever relation, joins anchor and value. `known` are the facts of anchor and relation, in
    the order of the evidence; `stated` those with that value. `entailed`: an entailment model found the relation.
    """

    predicate: str
    name: str
    role: str
    anchor: str
    likeness: float
    said: bool
    fits: bool | None
    joined: bool
    known: tuple[Fact, ...]
    stated: tuple[Fact, ...]
    entailed: bool = False

    @property
    def weight(self) -> float:
        """Rank of the reading, by words and kind."""
        return self.likeness + (0.0 if self.fits is None else _KIND if self.fits else -_KIND)

    def value(self, claim: Claim) -> str:
        """Return the claim's words for the value."""
        return claim.object if self.role == "object" else claim.subject


class Claimed:
    """Reads claims as relations between entities of the stored graphs of one case; facts read from texts, and those
    with values, do not count.
    """

    def __init__(self, facts: Subgraph, space: Space) -> None:
        self._facts, self._space = facts, space
        self._out: dict[str, dict[str, list[Fact]]] = defaultdict(lambda: defaultdict(list))
        self._into: dict[str, dict[str, str]] = defaultdict(dict)
        for fact in facts.facts:
            if not fact.document and isinstance(facts.nodes[fact.object], Entity):
                self._out[fact.subject][fact.predicate].append(fact)
                self._into[fact.object][fact.predicate] = fact.name

    def readings(self, claim: Claim, linked: Linked) -> list[Reading]:
        """Return the claim's possible readings, likeliest first; ties to those with a fact that states it, then by
        predicate.

        Relations that the value has and the anchor lacks are included: the claim may state a fact that no graph has.
        """
        return self._all(claim, linked, READ)

    def possible(self, claim: Claim, linked: Linked) -> list[Reading]:
        """Return, in the same order, the readings whatever the words, that take such a value and have known ones; none
        where the claim's words are the noun for another relation.
        """
        found = (one for one in self._all(claim, linked, 0.0) if one.fits and one.known)
        return [one for one in found if not relation_phrases.says_another(claim.predicate, one.name)]

    def _all(self, claim: Claim, linked: Linked, least: float) -> list[Reading]:
        if literals.parse(claim.object):
            return []
        found = [
            one
            for role, other in (("object", "subject"), ("subject", "object"))
            for anchor in sorted(linked.ids.get(other, ()))
            for one in self._read(claim, linked.ids.get(role, frozenset()), anchor, role, least)
        ]
        return sorted(found, key=lambda r: (-r.weight, not r.stated, r.predicate, r.role, r.anchor))

    def _read(self, claim: Claim, values: frozenset[str], anchor: str, role: str, least: float) -> Iterator[Reading]:
        out = self._out.get(anchor, {})
        relations = {key: facts[0].name for key, facts in out.items()}
        for value in values:
            relations |= self._into.get(value, {})
        said = bool(relation_phrases.key(claim.predicate))
        joined = self._joined(values, anchor)
        for predicate, name in relations.items():
            straight, turned = relation_phrases.likeness(claim.predicate, name, self._space)
            likeness = straight if role == "object" else turned
            if likeness < least:
                continue
            fits = any(predicate in self._into.get(value, ()) for value in values) if values else None
            written, known = claim.object if role == "object" else claim.subject, tuple(out.get(predicate, ()))
            stated = tuple(fact for fact in known if self._is(written, values, fact))
            yield Reading(predicate, name, role, anchor, likeness, said, fits, joined, known, stated)

    def _joined(self, values: frozenset[str], anchor: str) -> bool:
        pairs = ((one, other) for value in values for one, other in ((anchor, value), (value, anchor)))
        return any(
            f.object == other for one, other in pairs for facts in self._out.get(one, {}).values() for f in facts
        )

    def _is(self, written: str, values: frozenset[str], fact: Fact) -> bool:
        """Return whether a fact's object is the value: its entity, or one of the same name."""
        node = self._facts.nodes[fact.object]
        return entity_likeness(written, node, values, self._space) >= (1.0 if values else SAME_VALUE)
