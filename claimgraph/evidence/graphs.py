"""What claims are checked against in an open domain: stored graphs, and texts about the entities they name.

Each graph links a claim's mentions on its own, since their names differ; what one of them takes a mention for and
another does not hold for the same thing is left out. Evidence is the facts between and around the linked entities, and
what their descriptions and encyclopedia summaries say, read by the extractor that reads the claims. Such texts are
never all there is: a claim that is in none of them is undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby

from claimgraph.detect.compare.relation_similarity import nearness
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.extraction.extraction_cache import key_of
from claimgraph.detect.models.embedder import Space
from claimgraph.evidence.evidence_set import passages_of
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.ingest.ledger import COMPLETE, INCOMPLETE
from claimgraph.kgstore.model import (
    Claim,
    Document,
    Embedder,
    Entity,
    Extraction,
    Extractor,
    Link,
    Node,
    Passage,
    Subgraph,
)
from claimgraph.kgstore.naming import same_name
from claimgraph.kgstore.store import GraphStore, Step
from claimgraph.kgstore.upkeep.stale import graph_versions
from claimgraph.kgstore.views import StoreView
from claimgraph.kgstore.world.fetches import OBJECT, SUBJECT, any_fetched, completeness
from claimgraph.retrieval.linking.link import link
from claimgraph.retrieval.neighbourhood import neighbourhood

_ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_EXACT = 3
"""Candidates looked at for one of exactly that name: those come first."""


class StoredGraphs:
    """What stored graphs know about the claims of a text, part by part; `versions` are theirs by name.

    `reader` reads texts; each is read every time it is needed, so one that keeps what it read is best
    (detect/extraction/extraction_cache.py). Raises NotFound for an unknown graph.
    """

    def __init__(
        self,
        store: GraphStore,
        graphs: Sequence[str],
        embedder: Embedder,
        reader: Extractor,
    ) -> None:
        versions = graph_versions(store, graphs)
        for graph in graphs:
            if graph not in versions:
                raise NotFound("graph", graph)
        self.versions = {graph: versions[graph] for graph in sorted(set(graphs))}
        named = ",".join(f"{graph}@{version}" for graph, version in self.versions.items())
        self.scope = f"graphs:{named}:{key_of(reader)}"
        self._store, self._embedder, self._reader = store, embedder, reader
        self._view = StoreView(store, tuple(self.versions))

    @cached_property
    def _fetched(self) -> list[str]:
        return [graph for graph in self.versions if any_fetched(self._store, graph)]

    def links(self, claims: Sequence[Claim]) -> tuple[Link, ...]:
        """See linked_in."""
        return linked_in(claims, self._store, tuple(self.versions), self._embedder)

    def knows(self, name: str) -> bool:
        """Return whether anything is called exactly so, case, accents, punctuation and an article aside."""
        bare = _ARTICLE.sub("", name)
        wanted, found = {same_name(name), same_name(bare)}, self._view.candidates(bare, _EXACT)
        return any(same_name(called) in wanted for one in found for called in (one.name, *one.aliases))

    def facts(self, claims: Sequence[Claim], links: Sequence[Link]) -> Subgraph:
        """Return the facts between and around the linked entities: see retrieval/neighbourhood.py."""
        space = Space(self._embedder)
        return neighbourhood(claims, links, self._view, lambda some, relations: nearness(some, relations, space))

    def texts(self, links: Sequence[Link]) -> EntityTexts:
        """Return what descriptions and summaries of the linked entities say."""
        return EntityTexts(self._reader.extract(_texts(_entities(links), self._store)))

    def incomplete(self, links: Sequence[Link]) -> frozenset[str]:
        """Return the linked entities of whose facts only a part was fetched."""
        entities = _entities(links)
        return frozenset(key for graph in self._fetched for key in _incomplete(entities, graph, self._store))


def _entities(links: Sequence[Link]) -> list[Entity]:
    return list({found.entity.id: found.entity for found in links if found.entity}.values())


def linked_in(
    claims: Sequence[Claim], store: GraphStore, graphs: Sequence[str], embedder: Embedder
) -> tuple[Link, ...]:
    """Return links of the claims in each graph, one for each entity that a role of a claim was linked to, best first.

    Of what graphs take one mention for, the best by score counts (ties to the first graph), and what is called the same
    or said to be; a role that no graph knows has one NIL.
    """
    found = [link(claims, StoreView(store, (graph,)), embedder) for graph in graphs]
    if len(found) == 1:
        return tuple(found[0])
    same = _said_to_be_same(store, graphs, [one.entity.id for links in found for one in links if one.entity])
    return tuple(kept for role in zip(*found, strict=True) for kept in _agreeing(role, same))


def _agreeing(role: Sequence[Link], same: set[frozenset[str]]) -> list[Link]:
    """Return the links of one role that mean the best one's entity; a NIL where there is none."""
    ranked = sorted(role, key=lambda one: (one.entity is None, -one.score))
    best = ranked[0].entity
    if best is None:
        return ranked[:1]
    kept = {one.entity.id: one for one in reversed(ranked) if one.entity and _one_thing(best, one.entity, same)}
    return [one for one in ranked if one.entity and kept.get(one.entity.id) is one]


def _one_thing(a: Entity, b: Entity, same: set[frozenset[str]]) -> bool:
    names = {same_name(name) for name in (a.name, *a.aliases)}
    called = same_name(b.name) in names or same_name(a.name) in {same_name(name) for name in b.aliases}
    return a.id == b.id or called or frozenset((a.id, b.id)) in same


def _said_to_be_same(store: GraphStore, graphs: Sequence[str], entities: Sequence[str]) -> set[frozenset[str]]:
    """Return pairs that an owl:sameAs of the graphs joins."""
    joining = StoreView(store, tuple(graphs)).facts_joining(entities, entities) if entities else []
    return {frozenset((fact.subject, fact.object)) for fact in joining if fact.predicate.endswith("owl#sameAs")}


def _incomplete(entities: Sequence[Entity], graph: str, store: GraphStore) -> set[str]:
    """Return the entities in a graph that is fetched by entity of which not all facts are known to be
    here.

    A hub of which as much as ever is was fetched as object counts as complete.
    """
    here = [entity.id for entity in entities if graph in entity.graphs]
    parts = completeness(store, graph, here)
    whole = {key for key, found in parts.items() if found.get(SUBJECT) == COMPLETE and found.get(OBJECT) != INCOMPLETE}
    return set(here) - whole


def _texts(entities: Sequence[Entity], store: GraphStore) -> list[Document]:
    """Return descriptions as sentences, and summaries; by entity in the order given, each text once."""
    summaries = reads.load_summaries(store, [entity.id for entity in entities])
    about = {key: [document for _, document in group] for key, group in groupby(summaries, key=lambda pair: pair[0])}
    found = [text for entity in entities for text in (*_described(entity), *about.get(entity.id, ()))]
    return list({document.id: document for document in found}.values())


def _described(entity: Entity) -> Iterable[Document]:
    """Return the description as a sentence about the entity: "Paris is a city in France."."""
    if not entity.description:
        return
    said = entity.description.strip().rstrip(".")
    first = said.partition(" ")[0].casefold()
    article = "" if first in ("a", "an", "the") else "an " if first[:1] in "aeiou" else "a "
    text = f"{entity.name} is {article}{said}."
    yield Document(identity.document_id(text), text, entity.name, entity.source or entity.id)


class EntityTexts:
    """What texts about entities say: their facts, their sentences, and the steps that store each of them."""

    def __init__(self, extractions: Sequence[Extraction]) -> None:
        nodes: dict[str, Node] = {}
        graphs = [claim_kg(one, identity.context_graph(one.document.id)) for one in extractions]
        for graph in graphs:
            nodes |= graph.nodes
        self.facts = Subgraph(nodes, tuple(fact for graph in graphs for fact in graph.facts))
        self.passages: tuple[Passage, ...] = tuple(
            passage
            for one in extractions
            for passage in passages_of(
                one.document, one.sentences, one.document.source or one.document.name or one.document.id
            )
        )
        self.sources: dict[str, tuple[Step, ...]] = {
            one.document.id: tuple(records.context_steps(one.document, graph))
            for one, graph in zip(extractions, graphs, strict=True)
        }
