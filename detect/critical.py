"""Which of the facts around a text's entities are critical for which claim, looked through chunk by chunk (KGR, stage
three) without a language model.

What is critical is told by what it shares with the claim: its ends, and what the relation says. Ranking all facts of
a claim at once was rejected: how the size of a chunk trades recall for precision could not be measured.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from detect.case import linked
from detect.nearness import nearness
from detect.retrofit import Chunk
from detect.space import Space
from kgstore.model import Claim, Entity, Link, Node, Subgraph
from kgstore.words import same_name

NEAR = 0.3
"""A relation less near to the claim than this is about something else, unless the fact has both ends of the claim."""


def critical(
    claims: Sequence[Claim], links: Sequence[Link], around: Subgraph, space: Space, *, chunk: int, facts: int
) -> tuple[tuple[tuple[str, ...], ...], tuple[Chunk, ...]]:
    """Ids of the critical facts of each claim, best first, and the chunks they are from, claim after claim.

    Offered are the facts that hold an end of the claim, its linked entity or what is called the same, in the order of
    `around`, `chunk` at a time. Of a chunk at most `facts` are chosen, by the number of ends they hold plus the
    nearness of the relation, ties to the earlier fact; one that holds one end alone must be NEAR.
    """
    relations = list(dict.fromkeys(fact.name for fact in around.facts))
    near = nearness(claims, relations, space)
    names = {key: _names(node) for key, node in around.nodes.items()}
    by_claim, chunks = [], []
    for row, claim in enumerate(claims):
        nearby = dict(zip(relations, near[row].tolist(), strict=True))
        scores = _scores(claim, links, around, names, nearby)
        offered = list(scores)
        found = [_chunk(claim, offered[at : at + chunk], scores, facts) for at in range(0, len(offered), chunk)]
        by_claim.append(tuple(_best([key for one in found for key in one.chosen or ()], scores)))
        chunks += found
    return tuple(by_claim), tuple(chunks)


_Score = tuple[int, float]
"""Ends that a fact shares with a claim, 1 or 2, and the nearness of its relation."""


def _scores(
    claim: Claim,
    links: Sequence[Link],
    around: Subgraph,
    names: Mapping[str, Collection[str]],
    near: Mapping[str, float],
) -> dict[str, _Score]:
    """By id, those of the facts that hold an end of the claim."""
    ids = linked(claim, links).ids
    subject, object = (
        {key for key, called in names.items() if key in ids.get(role, ()) or same_name(words) in called}
        for role, words in (("subject", claim.subject), ("object", claim.object))
    )
    shared = ((f, len({f.subject, f.object} & subject) + len({f.subject, f.object} & object)) for f in around.facts)
    return {fact.id: (min(ends, 2), near[fact.name]) for fact, ends in shared if ends}


def _chunk(claim: Claim, offered: Sequence[str], scores: Mapping[str, _Score], facts: int) -> Chunk:
    relevant = [key for key in offered if scores[key][0] > 1 or scores[key][1] >= NEAR]
    return Chunk(claim.id, tuple(offered), tuple(_best(relevant, scores)[:facts]))


def _best(keys: Sequence[str], scores: Mapping[str, _Score]) -> list[str]:
    return sorted(keys, key=lambda key: -sum(scores[key]))


def _names(node: Node) -> set[str]:
    called = (node.name, *node.aliases) if isinstance(node, Entity) else (node.name,)
    return {same_name(name) for name in called} - {""}
