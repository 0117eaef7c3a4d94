"""Select the facts around a text's entities that are critical for each claim, chunk by chunk, without a language model
(KGR, stage three).

A fact is critical by what it shares with the claim: its ends, and the meaning of the relation. Ranking all facts of a
claim at once was rejected: how the size of a chunk trades recall for precision could not be measured.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from claimgraph.detect.check_input import linked
from claimgraph.detect.compare.fact_match import entity_likeness, other_name
from claimgraph.detect.compare.relation_similarity import nearness
from claimgraph.detect.methods.open_domain.claim_relations import SAME_VALUE
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.repair.kgr.protocol import Chunk
from claimgraph.kgstore.model import Claim, Entity, Fact, Link, Node, Subgraph
from claimgraph.kgstore.naming import same_name

SUBJECT, OBJECT = 1.0, 0.7
"""Weight of a fact that holds an end of the claim."""
FITS = 0.5
"""Weight where the claim's other end is found in the place of its own, in some fact with that relation: a language that
somebody else speaks is one to speak.
"""
NEAR = 0.3
"""Least nearness of a relation to the claim, unless the fact has both ends, or fits.

All by hand on 60 drafts; on 200, the first fact of all is the right one for 0.88 of the claims, and one of five of each
chunk of 20 for 0.96: with ends of one weight and nothing that fits 0.71 and 0.88 of the 60.
"""


def critical(
    claims: Sequence[Claim], links: Sequence[Link], around: Subgraph, space: Space, *, chunk: int, facts: int
) -> tuple[tuple[tuple[str, ...], ...], tuple[Chunk, ...]]:
    """Return ids of the critical facts of each claim, best first, and the chunks they are from, claim after claim.

    A claim's candidates are the facts that hold an end of it, its linked entity, one of the same name or, without a
    link, one like it, in the order of `around`, `chunk` at a time. Of a chunk at most `facts` of the critical ones are
    chosen, by the nearness of the relation and the weights of the ends it holds (SUBJECT, OBJECT, FITS), ties to the
    earlier fact.
    """
    relations = list(dict.fromkeys(fact.name for fact in around.facts))
    near = nearness(claims, relations, space)
    ends = _Ends(around, space)
    by_claim, chunks = [], []
    for row, claim in enumerate(claims):
        nearby = dict(zip(relations, near[row].tolist(), strict=True))
        scores = _scores(around, *ends.of(claim, links), nearby)
        offered = list(scores)
        found = [_chunk(claim, offered[at : at + chunk], scores, facts) for at in range(0, len(offered), chunk)]
        by_claim.append(tuple(_best([key for one in found for key in one.chosen or ()], scores)))
        chunks += found
    return tuple(by_claim), tuple(chunks)


_Score = tuple[float, bool]
"""How critical a fact is for a claim, and whether it is at all."""


class _Ends:
    """The nodes of some facts that a claim may name."""

    def __init__(self, around: Subgraph, space: Space) -> None:
        self._nodes, self._space = around.nodes, space
        self._names = {key: _names(node) for key, node in around.nodes.items()}

    def of(self, claim: Claim, links: Sequence[Link]) -> tuple[set[str], set[str]]:
        """Return ids of subject and object: the linked entity, what has its name, and without a link what is like it,
        as judging has it.
        """
        ids = linked(claim, links).ids
        return self._named(claim.subject, ids.get("subject")), self._named(claim.object, ids.get("object"))

    def _named(self, words: str, ids: Collection[str] | None) -> set[str]:
        named = {key for key, called in self._names.items() if same_name(words) in called}
        if ids:
            return named.union(ids)
        maybe = {key: node for key, node in self._nodes.items() if not other_name(words, node)}
        self._space.add((words, *(node.name for node in maybe.values())))
        return named.union(
            k for k, node in maybe.items() if entity_likeness(words, node, (), self._space) >= SAME_VALUE
        )


def _scores(
    around: Subgraph, subject: Collection[str], object: Collection[str], near: Mapping[str, float]
) -> dict[str, _Score]:
    """Return by id the scores of the facts that hold an end of a claim: one of the nodes it names so."""
    of_subject, of_object = _places(subject, around), _places(object, around)
    found: dict[str, _Score] = {}
    for fact in around.facts:
        ours, theirs = not set(_ends(fact)).isdisjoint(subject), not set(_ends(fact)).isdisjoint(object)
        if ours or theirs:
            fits = _free(fact, subject) in of_object if ours else _free(fact, object) in of_subject
            score = SUBJECT * ours + OBJECT * theirs + FITS * (fits and not (ours and theirs)) + near[fact.name]
            found[fact.id] = score, (ours and theirs) or fits or near[fact.name] >= NEAR
    return found


def _ends(fact: Fact) -> tuple[str, str]:
    return fact.subject, fact.object


def _places(nodes: Collection[str], around: Subgraph) -> set[tuple[str, bool]]:
    """Return the relations of the nodes, with whether as subject."""
    found = {(fact.predicate, True) for fact in around.facts if fact.subject in nodes}
    return found | {(fact.predicate, False) for fact in around.facts if fact.object in nodes}


def _free(fact: Fact, held: Collection[str]) -> tuple[str, bool]:
    """Return the place of a fact that the held nodes do not take."""
    return fact.predicate, fact.subject not in held


def _chunk(claim: Claim, offered: Sequence[str], scores: Mapping[str, _Score], facts: int) -> Chunk:
    relevant = [key for key in offered if scores[key][1]]
    return Chunk(claim.id, tuple(offered), tuple(_best(relevant, scores)[:facts]))


def _best(keys: Sequence[str], scores: Mapping[str, _Score]) -> list[str]:
    return sorted(keys, key=lambda key: -scores[key][0])


def _names(node: Node) -> set[str]:
    called = (node.name, *node.aliases) if isinstance(node, Entity) else (node.name,)
    return {same_name(name) for name in called} - {""}
