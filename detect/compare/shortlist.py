"""Select the facts to embed where there are too many: a hub's neighbourhood has thousands, a claim needs a few.

Embedding a triple costs 5 ms, counting shared words microseconds. Relations are embedded all the same: a graph has few,
and they are where claim and graph use other words. FactAlign names alignment over everything as its limitation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.compare import relations
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.words import affirmed, content
from claimgraph.kgstore.model import Claim, Entity, Node, Subgraph

WHOLE = 600
"""Up to this many facts all are kept."""
KEPT = 32
"""Facts kept per claim beyond that."""
_LINKED = 1.0


def shortlist(
    claims: Sequence[Claim], facts: Subgraph, linked: Sequence[Mapping[str, frozenset[str]]], space: Space
) -> Subgraph:
    """Return the facts nearest to any of the claims, in their order; all where there are at most WHOLE.

    The KEPT nearest per claim; ties to the earlier fact. `linked` as for fact_nearness.
    """
    if len(facts.facts) <= WHOLE:
        return facts
    kept: set[int] = set()
    for score in fact_nearness(claims, facts, linked, space):
        kept.update(np.argsort(-score, kind="stable")[:KEPT].tolist())
    chosen = tuple(facts.facts[i] for i in sorted(kept))
    return Subgraph(facts.nodes, chosen)


def fact_nearness(
    claims: Sequence[Claim], facts: Subgraph, linked: Sequence[Mapping[str, frozenset[str]]], space: Space
) -> NDArray[np.float32]:
    """Return the nearness of each fact to each claim, shape (claims, facts): the share of the words of subject and
    object found in the fact's names, plus one for each linked entity in it, plus the cosine of the relations.

    `linked[i]` maps a role of `claims[i]` to entity ids.
    """
    scores, index = _relation_nearness(claims, facts, space), _index(facts)
    for row, claim in enumerate(claims):
        scores[row] += _shared(claim, index, len(facts.facts))
        for entity in sorted(frozenset().union(*linked[row].values())):
            scores[row, index.get(entity, [])] += _LINKED
    return scores


def _relation_nearness(claims: Sequence[Claim], facts: Subgraph, space: Space) -> NDArray[np.float32]:
    """Return cosine of each claim's relation with each fact's, shape (claims, facts)."""
    spoken = [relations.spoken(fact.name) for fact in facts.facts]
    distinct = list(dict.fromkeys(spoken))
    column = {relation: i for i, relation in enumerate(distinct)}
    cosine = space.rows([affirmed(claim.predicate) for claim in claims]) @ space.rows(distinct).T
    nearness: NDArray[np.float32] = cosine[:, [column[relation] for relation in spoken]]
    return nearness


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


def _shared(claim: Claim, index: Mapping[str, list[int]], size: int) -> NDArray[np.float32]:
    words = dict.fromkeys(content(f"{claim.subject} {claim.object}"))
    found = np.zeros(size, np.float32)
    for word in words:
        found[index.get(word, [])] += 1 / len(words)
    return found
