"""Hold a world's answer on its way into the store: texts, facts, and the nodes they need.

The worlds (Wikidata, DBpedia, any endpoint) differ in their queries and in the shape of their rows; from here on they
are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from claimgraph.kgstore.ingest.labels import NodeTexts
from claimgraph.kgstore.ingest.loading import text_row
from claimgraph.kgstore.model import Document, Fact, Literal, Predicate
from claimgraph.kgstore.records import fact_row, literal_row, predicate_row, summary_steps
from claimgraph.kgstore.store import Row, Step


@dataclass(slots=True)
class FetchResult:
    """Texts by entity id, facts, values by literal id, relations, and introductions by entity id.

    `articles` are addresses of encyclopedia articles by entity id. `problem` says why there may be more, None where it
    is complete; `capped` that more is never fetched, `divisible` that a smaller request may be complete.
    """

    texts: dict[str, NodeTexts] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    literals: dict[str, Literal] = field(default_factory=dict)
    summaries: list[tuple[str, Document]] = field(default_factory=list)
    articles: dict[str, str] = field(default_factory=dict)
    problem: str | None = None
    capped: bool = False
    divisible: bool = True

    def name(self, entity: str, name: str | None) -> None:
        """Add an entity to the graph, with its name if it is known and no better one came before."""
        older = self.texts.get(entity, NodeTexts())
        self.texts[entity] = older if older.name or not name else NodeTexts(name).over(older)

    def steps(self, graph: str, predicates: Iterable[Predicate]) -> list[Step]:
        """Return the writes, in the order they must run, the graph being there."""
        facts = self.facts.values()
        between = [fact_row(fact) for fact in facts if fact.object not in self.literals]
        valued = [fact_row(fact) for fact in facts if fact.object in self.literals]
        return [
            ("put_entities", self._entities(graph)),
            ("put_predicates", [predicate_row(p, graph=graph, named=p.source is not None) for p in predicates]),
            ("put_literals", [literal_row(literal) for literal in self.literals.values()]),
            ("put_facts", between),
            ("put_literal_facts", valued),
            *summary_steps(self.summaries),
        ]

    def _entities(self, graph: str) -> list[Row]:
        ends = {end for f in self.facts.values() for end in (f.subject, f.object) if end not in self.literals}
        ids = sorted({*self.texts, *ends, *(entity for entity, _ in self.summaries)})
        return [text_row(entity, self.texts.get(entity, NodeTexts()), graph) for entity in ids]


class World(Protocol):
    """A knowledge graph on the network, asked entity by entity.

    Every method raises Unanswered where the server gives no usable answer, and takes at most MOST_IDS ids.
    """

    graph: str
    """Name of the graph of the store that holds what is fetched."""

    def identity(self, text: str) -> str | None:
        """Return the entity id for a user's id or IRI; None where it is a name."""
        ...

    def search(self, names: Sequence[str]) -> dict[str, list[str]]:
        """Return ids of the entities with exactly that name, by name, the best known first; unknown names are
        missing.
        """
        ...

    def moved(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the current ids of those entities that were merged or renamed."""
        ...

    def as_subject(self, ids: Sequence[str]) -> FetchResult:
        """Return texts of the entities, and all facts about them."""
        ...

    def as_object(self, entity: str) -> FetchResult:
        """Return facts that name the entity as their object, up to a cap."""
        ...

    def articles(self, ids: Sequence[str]) -> dict[str, str]:
        """Addresses of encyclopedia articles about those of the entities that have one."""
        ...

    def predicates(self, ids: Sequence[str]) -> list[Predicate]:
        """Return the names of these relations, with domain, range and whether they are functional, where known."""
        ...
