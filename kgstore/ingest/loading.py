"""Convert statements of a triple file to rows for the store.

A load holds facts with all nodes they refer to, so that one write is complete in itself. The nodes already stored are
remembered for the last 250,000 keys (about 50 MB); forgetting one costs a repeated row, never a fact.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from enum import Enum, auto

from claimgraph.kgstore.identity import fact_id
from claimgraph.kgstore.ingest.labels import NodeTexts
from claimgraph.kgstore.ingest.readers import FileTriple
from claimgraph.kgstore.ingest.wikidata_dump import is_bookkeeping, plain
from claimgraph.kgstore.model import Entity, Literal, Predicate
from claimgraph.kgstore.naming import address, display_name, entity_id, relation_name
from claimgraph.kgstore.records import entity_row, literal_row, predicate_row, world_fact_row
from claimgraph.kgstore.store import Row, Step
from claimgraph.kgstore.values.file_values import value_node
from claimgraph.kgstore.values.wikidata_values import NONE, SOME, coordinates, nothing

_SEEN = 250_000
_SCHEMA = ("http://schema.org/", "https://schema.org/")
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_NAMES = {f"{_RDFS}label", f"{_SKOS}prefLabel", *(f"{s}name" for s in _SCHEMA)}
_ALIASES = {f"{_SKOS}altLabel", *(f"{s}alternateName" for s in _SCHEMA)}
_DESCRIPTIONS = {f"{_RDFS}comment", *(f"{s}description" for s in _SCHEMA), "http://dbpedia.org/ontology/abstract"}
TEXTS = _NAMES | _ALIASES | _DESCRIPTIONS
"""Relations that name or describe an entity; no facts."""
_WIKIDATA_CLAIM = "http://www.wikidata.org/prop/"
_PLACE = "http://www.opengis.net/ont/geosparql#wktLiteral"


class Treatment(Enum):
    """The treatment of a statement."""

    FACT = auto()
    TEXT = auto()
    SKIPPED = auto()
    """Nothing that a graph keeps: a label in another language, bookkeeping."""


class Load:
    """The statements of one file for one graph since the last `clear`.

    `names` are the facts' names of their predicates, by predicate id; `facts` needs them all.
    """

    def __init__(
        self, graph: str, source: str, file_key: str, same: Mapping[str, str], given: dict[str, Predicate]
    ) -> None:
        """`source` is the file's name; `file_key` separates its blank nodes from those of other files; `same` maps
        second ids to their nodes; `given` are the relations a label file describes.
        """
        self._graph, self._source, self._file_key, self._same, self._given = graph, source, file_key, same, given
        self._seen: dict[str, str] = {}
        self._relations: dict[str, str] = {}
        self.names = {identity: relation.name for identity, relation in given.items()}
        self.clear()

    def clear(self) -> None:
        """Start a new batch; the stored nodes stay known."""
        self._statements: list[tuple[FileTriple, str, str, str]] = []
        self._nodes: dict[str, None] = {}
        self._literals: dict[str, Literal] = {}
        self._predicates: dict[str, None] = {}
        self._texts: dict[str, NodeTexts] = {}

    def __len__(self) -> int:
        """Return the number of waiting facts and named entities."""
        return len(self._statements) + len(self._texts)

    def add(self, statement: FileTriple) -> Treatment:
        """Add a statement."""
        if is_bookkeeping(statement):
            return Treatment.SKIPPED
        if statement.datatype is not None and statement.relation in TEXTS:
            return self._take_text(statement)
        statement = plain(statement)
        subject, predicate = self._node(statement.head), self._predicate(statement)
        object = self._object(statement, subject, predicate)
        self._name(subject, statement.head_label)
        if statement.datatype is None:
            self._name(object, statement.tail_label)
        self._statements.append((statement, subject, predicate, object))
        return Treatment.FACT

    def unnamed(self) -> list[str]:
        """Return ids of predicates that are not in `names`."""
        return [identity for identity in self._predicates if identity not in self.names]

    def nodes(self) -> list[str]:
        """Return ids of the entities to be written."""
        return [*(self._nodes | dict.fromkeys(self._texts))]

    def facts(self) -> dict[str, Row]:
        """Return the rows of the waiting facts by id. Repeated facts are one, the last."""
        return {row["id"]: row for row in map(self._fact, self._statements)}

    def steps(self, facts: Mapping[str, Row], known: Container[str]) -> list[Step]:
        """Return the writes of `facts` with all nodes, in the order they must run, the graph being there.

        `known` are ids of facts and entities that may be stored already; any other one that is makes a StoreConflict.
        """
        between = [row for row in facts.values() if row["object"] not in self._literals]
        valued = [row for row in facts.values() if row["object"] in self._literals]
        entities = {node: text_row(node, self._texts.get(node, NodeTexts()), self._graph) for node in self.nodes()}
        return [
            ("put_new_entities", [row for node, row in entities.items() if node not in known]),
            ("put_entities", [row for node, row in entities.items() if node in known]),
            ("put_predicates", [self._predicate_row(identity) for identity in self._predicates]),
            ("put_literals", [literal_row(literal) for literal in self._literals.values()]),
            ("put_new_facts", [row for row in between if row["id"] not in known]),
            ("put_facts", [row for row in between if row["id"] in known]),
            ("put_literal_facts", valued),
        ]

    def _take_text(self, statement: FileTriple) -> Treatment:
        language, relation, text = (statement.language or "en").lower(), statement.relation, statement.tail
        if language not in ("en", "mul") and not language.startswith("en-"):
            return Treatment.SKIPPED
        node = self._node(statement.head)
        named = node in self._texts and self._texts[node].name is not None
        if relation in _DESCRIPTIONS:
            texts = NodeTexts(description=text)
        elif relation in _NAMES and (language == "en" or (language == "mul" and not named)):
            texts = NodeTexts(text)
        else:
            texts = NodeTexts(aliases=(text,))
        self._unite(node, texts)
        return Treatment.TEXT

    def _node(self, key: str) -> str:
        return self._seen.get(key) or self._new_node(key)

    def _new_node(self, key: str) -> str:
        identity = entity_id(self._graph, f"_:{self._file_key}-{key[2:]}" if key.startswith("_:") else key)
        identity = self._same.get(identity, identity)
        self._seen[key] = identity
        self._nodes[identity] = None
        if len(self._seen) > _SEEN:
            del self._seen[next(iter(self._seen))]
        return identity

    def _object(self, statement: FileTriple, subject: str, predicate: str) -> str:
        if statement.datatype is None:
            return self._node(statement.tail)
        literal = self._literal(statement, statement.datatype, subject, predicate)
        self._literals[literal.id] = literal
        return literal.id

    def _literal(self, statement: FileTriple, datatype: str, subject: str, predicate: str) -> Literal:
        if statement.literal:
            return statement.literal
        if datatype in (SOME, NONE):
            return nothing(datatype, subject, predicate)
        place = coordinates(statement.tail, None) if datatype == _PLACE else None
        coarse = statement.relation.startswith(_WIKIDATA_CLAIM)
        return place or value_node(statement.tail, datatype, statement.unit, coarse)

    def _predicate(self, statement: FileTriple) -> str:
        identity = self._relations.get(statement.relation)
        if identity is None:
            identity = self._relations[statement.relation] = entity_id(self._graph, statement.relation)
        self._predicates[identity] = None
        if statement.relation_label:
            self._given[identity] = Predicate(identity, statement.relation_label)
            self.names[identity] = statement.relation_label
        return identity

    def _name(self, identity: str, label: str | None) -> None:
        if label:
            self._unite(identity, NodeTexts(label))

    def _unite(self, identity: str, texts: NodeTexts) -> None:
        older = self._texts.get(identity)
        self._texts[identity] = older.over(texts) if older else texts

    def _predicate_row(self, identity: str) -> Row:
        made_up = relation_name(identity)
        relation = self._given.get(identity) or Predicate(identity, made_up)
        return predicate_row(relation, graph=self._graph, named=relation.name != made_up)

    def _fact(self, found: tuple[FileTriple, str, str, str]) -> Row:
        said, subject, predicate, object = found
        valid_from, valid_to, qualifiers = said.valid_from, said.valid_to, said.qualifiers
        identity = fact_id(self._graph, subject, predicate, object, valid_from, valid_to, qualifiers)
        name, source = self.names[predicate], said.source or self._source
        return world_fact_row(
            identity, self._graph, subject, predicate, name, object, said.rank, valid_from, valid_to, qualifiers, source
        )


def text_row(identity: str, texts: NodeTexts, graph: str, older: str | None = None) -> Row:
    """Return the row of an entity that stands in `graph`; an `older` real name that another replaces becomes an
    alias.
    """
    made_up = display_name(identity)
    if older and older != made_up:
        texts = texts.over(NodeTexts(older))
    entity = Entity(identity, texts.name or made_up, texts.aliases, texts.description, address(identity), (graph,))
    return entity_row(entity, named=texts.name is not None)
