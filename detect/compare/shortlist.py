"""Select the facts to embed where there are too many: a hub's neighbourhood has thousands, a claim needs a few.

Embedding a triple costs 5 ms, counting shared words microseconds. Relations are embedded all the same: a graph has few,
and they are where claim and graph use other words. FactAlign names alignment over everything as its limitation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.compare import relations
from claimgraph.detect.models.embedder import Space, greatest
from claimgraph.detect.text.words import affirmed, content
from claimgraph.kgstore.model import Claim, Entity, Node, Subgraph

WHOLE = 600
"""Up to this many facts all are kept."""
KEPT = 32
"""Facts kept per claim beyond that."""
_LINKED = 1.0


_HELD = 1 << 20
"""Most values of nearness that are held at once."""


def shortlist(
    claims: Sequence[Claim], facts: Subgraph, linked: Sequence[Mapping[str, frozenset[str]]], space: Space
) -> Subgraph:
    """Return the facts nearest to any of the claims: see Shortlist."""
    return Shortlist(facts).near(claims, linked, space)


def fact_nearness(
    claims: Sequence[Claim], facts: Subgraph, linked: Sequence[Mapping[str, frozenset[str]]], space: Space
) -> NDArray[np.float32]:
    """Return the nearness of each fact to each claim, shape (claims, facts): the share of the words of subject and
    object found in the fact's names, plus one for each linked entity in it, plus the cosine of the relations.

    `linked[i]` maps a role of `claims[i]` to entity ids.
    """
    found = list(Shortlist(facts).nearness(claims, linked, space))
    return np.stack(found) if found else np.zeros((0, len(facts.facts)), np.float32)


class Shortlist:
    """Facts prepared for the claims of a text, or of its parts one after another."""

    def __init__(self, facts: Subgraph) -> None:
        self._facts = facts
        self._relations = [relations.spoken(fact.name) for fact in facts.facts]
        self._index: dict[str, list[int]] = {}

    def near(self, claims: Sequence[Claim], linked: Sequence[Mapping[str, frozenset[str]]], space: Space) -> Subgraph:
        """Return the facts nearest to any of the claims, in their order; all where there are at most WHOLE.

        The KEPT nearest per claim; ties to the earlier fact. `linked` as for fact_nearness.
        """
        if len(self._facts.facts) <= WHOLE:
            return self._facts
        kept: set[int] = set()
        for score in self.nearness(claims, linked, space):
            kept.update(greatest(score, KEPT))
        return Subgraph(self._facts.nodes, tuple(self._facts.facts[i] for i in sorted(kept)))

    def nearness(
        self, claims: Sequence[Claim], linked: Sequence[Mapping[str, frozenset[str]]], space: Space
    ) -> Iterator[NDArray[np.float32]]:
        """Yield the nearness of each fact to each claim, as fact_nearness has it."""
        self._index = self._index or _index(self._facts)
        distinct = list(dict.fromkeys(self._relations))
        column = {relation: i for i, relation in enumerate(distinct)}
        columns, theirs = [column[relation] for relation in self._relations], space.rows(distinct)
        size = max(1, _HELD // max(1, len(columns)))
        for start in range(0, len(claims), size):
            block = claims[start : start + size]
            cosine = space.rows([affirmed(claim.predicate) for claim in block]) @ theirs.T
            for row, claim, found in zip(cosine, block, linked[start : start + size], strict=True):
                yield self._nearness(row[columns], claim, found)

    def _nearness(
        self, score: NDArray[np.float32], claim: Claim, linked: Mapping[str, frozenset[str]]
    ) -> NDArray[np.float32]:
        words = dict.fromkeys(content(f"{claim.subject} {claim.object}"))
        for word in words:
            score[self._index.get(word, [])] += 1 / len(words)
        for entity in sorted(frozenset().union(*linked.values())):
            score[self._index.get(entity, [])] += _LINKED
        return score


def _index(facts: Subgraph) -> dict[str, list[int]]:
    """Return rows of the facts by the stems of their names and by the ids of their ends."""
    words = {key: set(_words(node)) for key, node in facts.nodes.items()}
    index: dict[str, list[int]] = defaultdict(list)
    for row, fact in enumerate(facts.facts):
        for key in {fact.subject, fact.object, *words[fact.subject], *words[fact.object]}:
            index[key].append(row)
    return index


def _words(node: Node) -> list[str]:
    names = (node.name, *node.aliases) if isinstance(node, Entity) else (node.name,)
    return [word for name in names for word in content(name)]
