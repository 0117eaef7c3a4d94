"""Follow what lies in what: a birthplace in Warsaw is one in Poland, and none in France.

Paths are of facts at hand that say so (a place in a place, a class under a class); a country is taken to hold its
places alone. Learnt paths of any relations were rejected here: these few hold always, and a reader can check each step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from claimgraph.detect.text.words import is_country
from claimgraph.kgstore.model import Entity, Fact, Subgraph

WITHIN = frozenset(
    (
        "country",
        "continent",
        "part of",
        "located in the administrative territorial entity",
        "located in the administrative terroritorial entity",
        "location",
        "capital of",
        "subclass of",
        "instance of",
    )
)
"""Relations whose object contains the subject; of "capital" the subject contains the object."""
_CAPITAL, _COUNTRY, _CLASS = "capital", "country", frozenset({"instance of", "subclass of"})
_STEPS = 3
"""Most steps from a thing to what contains it."""


class Containment:
    """Containment by the stored facts of a case."""

    def __init__(self, facts: Subgraph) -> None:
        self._nodes = facts.nodes
        self._over: dict[str, list[tuple[str, Fact]]] = defaultdict(list)
        for fact in facts.facts:
            if fact.document or not isinstance(facts.nodes[fact.object], Entity):
                continue
            if fact.name in WITHIN:
                self._over[fact.subject].append((fact.object, fact))
            elif fact.name == _CAPITAL:
                self._over[fact.object].append((fact.subject, fact))

    def joined(self, one: str, other: str) -> bool:
        """Return whether a fact says that one of the two contains the other."""
        return any(end == b for a, b in ((one, other), (other, one)) for end, _ in self._over.get(a, ()))

    def path(self, start: str, ends: Collection[str]) -> tuple[Fact, ...]:
        """Return the shortest path of facts from a thing to one of `ends` that contains it, ties to the earlier fact;
        () where there is none. An instance's path goes on over classes alone, a place's over places.
        """
        reached: list[tuple[str, tuple[Fact, ...]]] = [(start, ())]
        seen = {start}
        for _ in range(_STEPS):
            following = []
            for node, path in reached:
                for over, fact in self._over.get(node, ()):
                    if over in seen or (path and (fact.name in _CLASS) != (path[-1].name in _CLASS)):
                        continue
                    if path and fact.name == "instance of":
                        continue
                    if over in ends:
                        return (*path, fact)
                    seen.add(over)
                    following.append((over, (*path, fact)))
            reached = following
        return ()

    def other_country(self, place: str, values: Iterable[str]) -> Fact | None:
        """Return the fact that puts a place into another country than the values, all of them countries; None where
        none does, or one of its countries is a value.
        """
        wanted = list(values)
        if not wanted or not all(is_country(self._nodes[value].name) for value in wanted if value in self._nodes):
            return None
        known = [fact for over, fact in self._over.get(place, ()) if fact.name == _COUNTRY and over != place]
        return known[0] if known and not any(fact.object in wanted for fact in known) else None
