"""What claims are checked against: a context (closed domain), stored graphs (open domain), or both.

Each function returns a `ground` for pipeline.check. A context's KG is extracted by the same extractor as the claims,
so both sides speak alike (FactAlign, KEA Explain).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from claimgraph.pipeline import Grounds
from detect.claimkg import claim_kg
from kgstore import identity, records
from kgstore.errors import NotFound
from kgstore.model import Document, Embedder, Entity, Extraction, Extractor, Passage, Subgraph
from kgstore.store import GraphStore
from kgstore.views import StoreView
from retrieval.link import link
from retrieval.neighbourhood import neighbourhood

Ground = Callable[[Extraction], Grounds]

FACTS_PER_ENTITY = 200
"""Facts fetched around a linked entity in each direction: hubs such as countries have many thousands."""


def from_context(context: Document, extractor: Extractor) -> Ground:
    """Grounds that are the facts and sentences of one context; a claim found in neither is extrinsic."""
    grounds = read_context(extractor.extract([context])[0], extractor.name)
    return lambda _: grounds


def read_context(extraction: Extraction, extractor: str) -> Grounds:
    """The grounds that are one context, as the extractor of that name read it."""
    context = extraction.document
    facts = claim_kg(extraction, identity.context_graph(context.id))
    source = context.name or "the context"
    passages = tuple(
        Passage(context.text[s.start : s.end], source, context.id, s) for s in extraction.sentences if s.end > s.start
    )
    steps = tuple(records.context_steps(context, facts))
    scope = f"context:{context.id}:{extractor}"
    return Grounds(facts, passages, scope, closed=True, steps=steps, context=context.id)


def from_graphs(store: GraphStore, graphs: Sequence[str], embedder: Embedder) -> Ground:
    """Grounds that are the stored facts around the entities a claim names. Raises NotFound for an unknown graph."""
    versions = {str(row["name"]): str(row["version"]) for row in store.read("graphs")}
    for graph in graphs:
        if graph not in versions:
            raise NotFound("graph", graph)
    scope = "graphs:" + ",".join(f"{graph}@{versions[graph]}" for graph in sorted(graphs))
    view = StoreView(store, tuple(graphs))

    def ground(extraction: Extraction) -> Grounds:
        links = tuple(link(extraction.claims, view, embedder))
        facts = neighbourhood(links, view, FACTS_PER_ENTITY)
        passages = tuple(
            Passage(f"{entity.name}: {entity.description}", entity.source or entity.id)
            for entity in dict.fromkeys(found.entity for found in links)
            if isinstance(entity, Entity) and entity.description
        )
        return Grounds(facts, passages, scope, closed=False, links=links)

    return ground


def together(first: Ground, second: Ground) -> Ground:
    """Grounds of a context and of stored graphs as one; a claim in neither is not extrinsic, since graphs are open."""

    def ground(extraction: Extraction) -> Grounds:
        a, b = first(extraction), second(extraction)
        facts = Subgraph({**a.facts.nodes, **b.facts.nodes}, a.facts.facts + b.facts.facts)
        return Grounds(facts, a.passages + b.passages, f"{a.scope}+{b.scope}", False, b.links, a.steps + b.steps)

    return ground
