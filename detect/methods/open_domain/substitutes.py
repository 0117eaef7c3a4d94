"""Choose the right value that replaces a wrong one, where a graph has several.

It prefers a value that the text does not name yet, so that correcting one claim does not repeat another, and one of the
wrong value's kind: for a country a country. Nothing shows which of them was meant, so of the rest the nearest in
meaning is as good as any, and at least reads alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from claimgraph.detect.methods.open_domain.claim_relations import Reading
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.words import folded, is_country
from claimgraph.kgstore.model import Claim, Entity, Fact, Node
from claimgraph.kgstore.naming import is_key


class Substitutes:
    """The right values of one text's refuted claims, each offered first once as long as there are others."""

    def __init__(self, text: str, linked: Iterable[str], space: Space) -> None:
        """`linked` are the entities that the text names, by id."""
        self._text, self._linked, self._space = f" {folded(text)} ", frozenset(linked), space
        self._taken: set[tuple[str, str]] = set()

    def ordered(self, claim: Claim, reading: Reading, nodes: Mapping[str, Node]) -> list[Fact]:
        """Return the known facts whose value has a name, best first: not in the text, of the wrong one's kind, nearest
        by cosine, ties by id. The first counts as taken by later claims about the same anchor.
        """
        value = reading.value(claim)
        by_object = {fact.object: fact for fact in reversed(reading.known) if not is_key(nodes[fact.object].name)}
        found = sorted(by_object.values(), key=lambda fact: self._rank(value, reading.anchor, nodes[fact.object]))
        self._taken.update((reading.anchor, fact.object) for fact in found[:1])
        return found

    def _rank(self, value: str, anchor: str, node: Node) -> tuple[bool, bool, float, str]:
        used = (anchor, node.id) in self._taken or node.id in self._linked or any(map(self._named, _names(node)))
        other = is_country(value) != is_country(node.name)
        return used, other, -round(self._space.cosine(value, node.name), 4), node.id

    def _named(self, name: str) -> bool:
        return f" {folded(name)} " in self._text


def comparable(reading: Reading, nodes: Mapping[str, Node]) -> bool:
    """Return whether a value can be compared with the known ones: all of these have names, or one has and the value has
    an id.
    """
    named = [not is_key(nodes[fact.object].name) for fact in reading.known]
    return all(named) or (any(named) and reading.fits is not None)


def _names(node: Node) -> Iterable[str]:
    return (node.name, *node.aliases) if isinstance(node, Entity) else (node.name,)
