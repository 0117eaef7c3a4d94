"""Compare a claim with one fact, element by element.

Embeddings find the facts to compare; the comparison itself is by kind: linked entities by id, names by their words,
dates and quantities by value, everything else by words and cosine. One number for the whole triple was rejected: "born
in Paris" and "born in Warsaw" are as near to each other as two paraphrases are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from claimgraph.detect.compare import relations
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.words import affirmed, content, folded, is_country, is_name, names, negated, same_name
from claimgraph.kgstore.model import Claim, Entity, Fact, Literal, Node, Subgraph
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison
from claimgraph.kgstore.values.wikidata_values import NONE, SOME


@dataclass(frozen=True, slots=True)
class Match:
    """Likeness in [0, 1] of subject, relation (without negation) and object.

    `literal` compares the objects where both are values (then `object` is 1 or 0). `denied`: one of the two is
    negated and the other is not. `exclusive`: the objects are two things of one kind of which neither can hold the
    other, as two towns; not a town and its country. `swapped`: the fact was read from its object to its subject.
    """

    fact: Fact
    subject: float
    relation: float
    object: float
    literal: Comparison | None
    denied: bool
    exclusive: bool
    swapped: bool = False

    @property
    def weakest(self) -> float:
        """The least of the three likenesses: how well the fact covers the claim."""
        return min(self.subject, self.relation, self.object)


_SAME = (Comparison.EQUAL, Comparison.COMPATIBLE)


def match(claim: Claim, fact: Fact, facts: Subgraph, linked: Mapping[str, frozenset[str]], space: Space) -> Match:
    """Compare a claim with a fact in both directions, and return the better match.

    `linked` maps a role of the claim to the ids of its entity. The inverse direction needs other words for the relation
    ("has the capital", "is the capital of") or a passive; the same words would be another statement.
    """
    straight = _straight(claim, fact, facts, linked, space)
    if relations.sameness(claim.predicate, fact.name) == 1 or min(straight.subject, straight.object) > 0.8:
        return straight
    turned = Fact(fact.id, fact.graph, fact.object, fact.predicate, fact.name, fact.subject)
    swapped = _match(claim, turned, facts, linked, space)
    if swapped.weakest <= straight.weakest:
        return straight
    return replace(swapped, fact=fact, swapped=True)


@dataclass(frozen=True, slots=True)
class _Apart:
    """Which elements of a claim and a fact differ whatever any cosine is: to tell costs no embedding."""

    subject: bool
    relation: bool
    object: bool
    denied: bool
    excluded: bool
    """Whether the objects are two values, or two names for a relation that takes one."""
    unlike: bool
    """Whether one object is a value and the other is none: "born in Paris", "born in 1867"."""


def may_support(claim: Claim, fact: Fact, facts: Subgraph) -> bool:
    """Return whether a match of the two could support the claim, whatever any cosine is."""
    found = _all_apart(claim, fact, facts)
    return any(not (one.subject or one.relation or one.object or one.denied) for one in found)


def may_exclude(claim: Claim, fact: Fact, facts: Subgraph) -> bool:
    """Return whether a match of the two could refute the claim, whatever any cosine is."""
    found = (one for one in _all_apart(claim, fact, facts) if not (one.subject or one.relation))
    return any(not one.object if one.denied else one.excluded for one in found)


def may_contrast(claim: Claim, fact: Fact, facts: Subgraph) -> bool:
    """Return whether a match of the two could agree in all but one element, whatever any cosine is."""
    found = (one for one in _all_apart(claim, fact, facts) if not (one.object and one.unlike))
    return any(one.subject + (one.relation or one.denied) + one.object <= 1 for one in found)


def _all_apart(claim: Claim, fact: Fact, facts: Subgraph) -> Iterator[_Apart]:
    """Yield it for all that `match` compares: the claim whole and split, the fact in both directions."""
    turned = Fact(fact.id, fact.graph, fact.object, fact.predicate, fact.name, fact.subject)
    for ours in (claim, *_split(claim)):
        for theirs in (fact, turned):
            subject, object = facts.nodes[theirs.subject], facts.nodes[theirs.object]
            values = compare_values(ours.object, object)
            other_value = _exclusive(ours.object, object, facts) and relations.takes_one_value(fact.name)
            yield _Apart(
                other_name(ours.subject, subject),
                relations.apart(ours.predicate, fact.name),
                other_name(ours.object, object) if values is None else values not in _SAME,
                negated(ours.predicate) != negated(fact.name),
                values is Comparison.DIFFERENT or other_value,
                (literals.parse(ours.object) is None) != (literals.parse(object.name) is None),
            )


def _straight(claim: Claim, fact: Fact, facts: Subgraph, linked: Mapping[str, frozenset[str]], space: Space) -> Match:
    """Return the better match of the claim unchanged and the claim with its predicate's noun moved to the object:
    "received | the Nobel Prize in Physics" for "received the Nobel Prize in | Physics".
    """
    best = _match(claim, fact, facts, linked, space)
    for whole in _split(claim):
        other = _match(whole, fact, facts, {role: found for role, found in linked.items() if role != "object"}, space)
        best = other if other.weakest > best.weakest else best
    return best


def _split(claim: Claim) -> list[Claim]:
    """Return the claim with its predicate's noun moved to the object; nothing where it has none."""
    split = _NOUN.search(claim.predicate)
    if not split:
        return []
    verb, noun = claim.predicate[: split.start()].strip(), claim.predicate[split.start() :].strip()
    return [replace(claim, predicate=verb, object=f"{noun} {claim.object}")]


_NOUN = re.compile(r"(?<=\w )(?:the|an?|his|her|its|their)\b", re.IGNORECASE)


def _match(claim: Claim, fact: Fact, facts: Subgraph, linked: Mapping[str, frozenset[str]], space: Space) -> Match:
    subject, object = facts.nodes[fact.subject], facts.nodes[fact.object]
    found = compare_values(claim.object, object)
    if found is None:
        nearness = entity_likeness(claim.object, object, linked.get("object", _NONE), space)
    else:
        nearness = float(found in _SAME)
    return Match(
        fact,
        entity_likeness(claim.subject, subject, linked.get("subject", _NONE), space),
        relation_likeness(claim.predicate, fact.name, space),
        nearness,
        found,
        negated(claim.predicate) != negated(fact.name),
        _exclusive(claim.object, object, facts),
    )


def _exclusive(written: str, node: Node, facts: Subgraph) -> bool:
    """Return whether both are names, both or neither of a country, and no fact connects them."""
    if isinstance(node, Literal) or not is_name(written) or not is_name(node.name):
        return False
    return is_country(written) == is_country(node.name) and not any(
        same_name(written, facts.nodes[other].name) for other in facts.tied(node.id)
    )


_NO_VALUES = {SOME: Comparison.INCOMPARABLE, NONE: Comparison.DIFFERENT}


def compare_values(written: str, node: Node) -> Comparison | None:
    """Return the comparison of two values; None where one is none, or where they count different things.

    A value that is only known to exist compares with nothing; a known absence contradicts any value.
    """
    if isinstance(node, Literal) and node.datatype in _NO_VALUES:
        return _NO_VALUES[node.datatype]
    ours, theirs = literals.literals_in(written), literals.literals_in(node.name)
    if isinstance(node, Literal):
        value = literals.from_literal(node)
        theirs = ((theirs[0][0], value),) if value and theirs else ()
    if len(ours) != 1 or len(theirs) != 1:
        return None
    (our_span, our_value), (their_span, their_value) = ours[0], theirs[0]
    our_rest = content(written[: our_span.start] + " " + written[our_span.end :])
    their_rest = content(node.name[: their_span.start] + " " + node.name[their_span.end :])
    same_rest = set(our_rest) == set(their_rest)
    return literals.compare(our_value, their_value) if same_rest else None


_NONE: frozenset[str] = frozenset()


def entity_likeness(written: str, node: Node, linked: Collection[str], space: Space) -> float:
    """Return 1 for the linked entity and equal names, 0.9 for names of which one is short for the other, and for
    phrases the greater of cosine and shared words. At most 0.5, whatever the cosine: different names, and phrases where
    the claim has a name or a value that the fact does not have.
    """
    if node.id in linked:
        return 1.0
    if (named := _named(written, node)) is not None:
        return named
    ours, theirs = set(content(written)), set(content(node.name))
    shared = len(ours & theirs) / max(1, len(ours | theirs))
    likeness = max(0.0, shared, space.cosine(written, node.name))
    return min(_OTHER, likeness) if _differs(written, node) else likeness


_OTHER = 0.5


def _named(written: str, node: Node) -> float | None:
    """Return the likeness of equal names and of a short one; None for others."""
    known = (node.name, *node.aliases) if isinstance(node, Entity) else (node.name,)
    if any(folded(written) == folded(name) for name in known):
        return 1.0
    return 0.9 if any(same_name(written, name) for name in known) else None


def _differs(written: str, node: Node) -> bool:
    return (is_name(written) and is_name(node.name)) or _says_more(written, node.name)


def other_name(written: str, node: Node) -> bool:
    """Return whether the likeness is at most _OTHER without a link, whatever the cosine."""
    return _named(written, node) is None and _differs(written, node)


def _says_more(written: str, known: str) -> bool:
    """Return whether the claim's phrase has a name or a value that the fact's has not."""
    theirs = [value for _, value in literals.literals_in(known)]
    found = all(any(literals.compare(v, t) in _SAME for t in theirs) for _, v in literals.literals_in(written))
    return not found or not set(names(written)) <= set(content(known))


_NARROWER = 0.64
"""Enough to support a claim, too little to refute one: another party refutes no membership."""


def relation_likeness(ours: str, theirs: str, space: Space) -> float:
    """Return 1 for the same content words and prepositions, half for the same words in the inverse direction, else the
    greater cosine of the relations unchanged and paraphrased: "received" is near "award received", not near "won". At
    least 0.64 where the fact has all the claim's words and more: "is a member of", "member of political party"; 0 where
    the two are known to mean different things.
    """
    said = relations.sameness(ours, theirs)
    if said is not None:
        return said
    if relations.apart(ours, theirs):
        return 0.0
    words = set(content(affirmed(ours)))
    narrower = _NARROWER if words and words < set(content(theirs)) else 0.0
    return max(narrower, space.cosine(ours, theirs), space.cosine(relations.spoken(ours), relations.spoken(theirs)))
