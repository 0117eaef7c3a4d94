"""A text's claims as a knowledge graph: the claim KG of a checked text, or the KG of a context.

GraphEval, FactAlign and KEA all begin here. Objects that read as a date or a quantity become typed literals, all
other arguments entities known only from this text; linking to a world graph is a later, recorded step.
"""

from __future__ import annotations

import re
from functools import lru_cache

from claimgraph.kgstore.identity import fact_id, predicate_id, text_entity_id
from claimgraph.kgstore.model import Claim, Entity, Extraction, Fact, Node, Subgraph, Triple
from claimgraph.kgstore.values import literals

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


def claim_kg(extraction: Extraction, graph: str) -> Subgraph:
    """The KG named `graph` of an extraction: `facts[i]` is the fact of `claims[i]`, with its document and span.

    What is said twice is one fact at two places; it and its nodes are called as they are first.
    """
    nodes: dict[str, Node] = {}
    names: dict[str, str] = {}
    facts = tuple(_fact(claim, graph, nodes, names) for claim in extraction.claims)
    return Subgraph(nodes, facts)


def as_named(claim: Claim) -> Triple:
    """The claim in the names `claim_kg` gives its nodes, so that a claim and its own fact are the same text."""
    return Triple(_bare(claim.subject), claim.predicate, _object_name(claim.object))


def _fact(claim: Claim, graph: str, nodes: dict[str, Node], names: dict[str, str]) -> Fact:
    subject = _entity(claim.document, claim.subject, graph)
    object_ = _object(claim, graph)
    for node in (subject, object_):
        nodes.setdefault(node.id, node)
    predicate = predicate_id(graph, claim.predicate)
    key = fact_id(graph, subject.id, predicate, object_.id)
    return Fact(
        id=key,
        graph=graph,
        subject=subject.id,
        predicate=predicate,
        name=names.setdefault(key, claim.predicate),
        object=object_.id,
        source=claim.document,
        document=claim.document,
        span=claim.span,
    )


def _object(claim: Claim, graph: str) -> Node:
    parsed = literals.parse(claim.object)
    return literals.to_literal(parsed) if parsed else _entity(claim.document, claim.object, graph)


def _entity(document: str, mention: str, graph: str) -> Entity:
    name = _bare(mention)
    return Entity(id=text_entity_id(document, name), name=name, source=document, graphs=(graph,))


def _bare(mention: str) -> str:
    """`The tower` and `a tower` are one entity, `tower`; a mention that is only an article keeps it."""
    return _ARTICLE.sub("", mention) or mention


@lru_cache(maxsize=65536)
def _object_name(words: str) -> str:
    parsed = literals.parse(words)
    return literals.to_literal(parsed).name if parsed else _bare(words)
