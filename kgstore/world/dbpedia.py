"""Fetch from DBpedia, or any other endpoint of plain triples, in which each triple is a fact.

The two differ in the relations kept and in how a name is resolved, so one class takes a profile. DBpedia's redirects
are followed, their titles become aliases, and its links to Wikidata are facts like any other: in Cypher, `(:Entity {id:
'dbr:Paris'})-[:FACT {name: 'same as'}]->(:Entity {id: 'wd:Q90'})`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from urllib.parse import quote

from claimgraph.kgstore.identity import document_id, fact_id
from claimgraph.kgstore.ingest.labels import NodeTexts
from claimgraph.kgstore.ingest.loading import TEXTS
from claimgraph.kgstore.model import Document, Fact, Literal, Predicate
from claimgraph.kgstore.naming import entity_id, relation_name
from claimgraph.kgstore.net import sparql
from claimgraph.kgstore.net.sparql import Binding, Endpoint
from claimgraph.kgstore.values.file_values import value_node
from claimgraph.kgstore.world.fetch_result import FetchResult
from claimgraph.kgstore.world.wikidata import CANDIDATES, INCOMING, described

_FOLDERS = {
    "dbr": "http://dbpedia.org/resource/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
}
_WIKIDATA = "http://www.wikidata.org/entity/"
_UNITS = "http://dbpedia.org/datatype/"
_PLAIN = "http://www.w3.org/2001/XMLSchema#string"
_REDIRECTS = "http://dbpedia.org/ontology/wikiPageRedirects"


class TripleEndpoint:
    """An endpoint of plain triples. `dbpedia` keeps the facts of its ontology only; else all triples are kept."""

    def __init__(self, endpoint: Endpoint, language: str, graph: str, *, dbpedia: bool = False) -> None:
        self.graph = graph
        self._endpoint, self._language, self._dbpedia = endpoint, language, dbpedia
        self._filter = sparql.load("dbpedia_filter") if dbpedia else ""
        self._tags = f'"{language}"'

    def identity(self, text: str) -> str | None:
        """Return the id of an IRI; of DBpedia `dbr:Paris` too."""
        if re.match(r"https?://|urn:", text):
            return entity_id(self.graph, text)
        return text if self._dbpedia and re.match(r"dbr:\S", text) else None

    def search(self, names: Sequence[str]) -> dict[str, list[str]]:
        """See World: by label, at most CANDIDATES a name, by id."""
        written = " ".join(sparql.text(name, tag) for name in names for tag in (self._language, ""))
        found: dict[str, list[str]] = defaultdict(list)
        for row in self._endpoint.select("triples_names", names=written).rows:
            ids, identity = found[row["text"]["value"]], self._id(row["item"])
            if len(ids) < CANDIDATES and not identity.startswith(("wd:", "dbo:")):
                ids.append(identity)
        return {name: ids for name, ids in found.items() if ids}

    def moved(self, ids: Sequence[str]) -> dict[str, str]:
        """Return DBpedia's redirects."""
        if not self._dbpedia:
            return {}
        answer = self._endpoint.select("moved", ids=_values(ids), moved=_REDIRECTS)
        return {self._id(row["item"]): self._id(row["text"]) for row in answer.rows}

    def as_subject(self, ids: Sequence[str]) -> FetchResult:
        """See World. Abstracts become documents about their entities."""
        several, wanted = len(ids) > 1, _values(ids)
        texts = self._endpoint.select("triples_texts", ids=wanted, languages=self._tags, divisible=several)
        answer = self._endpoint.select(
            "triples_as_subject", ids=wanted, languages=self._tags, filter=self._filter, divisible=several
        )
        found = self._facts(answer.rows)
        found.problem = texts.problem or answer.problem
        self._texts(found, texts.rows)
        return found

    def as_object(self, entity: str) -> FetchResult:
        """See World; at most INCOMING triples."""
        answer = self._endpoint.select(
            "triples_as_object",
            ids=_values([entity]),
            filter=self._filter,
            languages=self._tags,
            most=str(INCOMING),
        )
        found = self._facts(answer.rows)
        found.capped = not answer.problem and len(found.facts) >= INCOMING
        found.problem = f"only {INCOMING} triples with it as their object" if found.capped else answer.problem
        return found

    def articles(self, ids: Sequence[str]) -> dict[str, str]:  # noqa: ARG002 - abstracts come with the texts
        """Return nothing: DBpedia's introductions are its abstracts."""
        return {}

    def predicates(self, ids: Sequence[str]) -> list[Predicate]:
        """See World: rdfs:domain, rdfs:range and owl:FunctionalProperty."""
        answer = self._endpoint.select("triples_properties", ids=_values(ids), languages=self._tags)
        return described(answer.rows, self.graph, self._language)

    def _facts(self, rows: Sequence[Binding]) -> FetchResult:
        found, now = FetchResult(), datetime.now(UTC)
        for row in sorted(rows, key=lambda row: row.get("name", {}).get("xml:lang") != self._language):
            term, said = row["value"], row["property"]["value"]
            if term["type"] == "bnode" or said in TEXTS:
                continue
            subject, predicate, node = self._id(row["item"]), entity_id(self.graph, said), self._object(term)
            object = node if isinstance(node, str) else node.id
            key = fact_id(self.graph, subject, predicate, object)
            name = relation_name(predicate)
            found.facts[key] = Fact(
                key, self.graph, subject, predicate, name, object, source=row["item"]["value"], retrieved_at=now
            )
            found.name(subject, row.get("itemName", {}).get("value"))
            if isinstance(node, Literal):
                found.literals[node.id] = node
            else:
                found.name(node, row.get("name", {}).get("value"))
        return found

    def _object(self, term: dict[str, str]) -> str | Literal:
        if term["type"] == "uri":
            return self._id(term)
        datatype = term.get("datatype", "")
        if datatype.startswith(_UNITS):
            return value_node(term["value"], "quantity", relation_name(f"dbo:{datatype.removeprefix(_UNITS)}"))
        return value_node(term["value"], "" if datatype == _PLAIN else datatype)

    def _texts(self, found: FetchResult, rows: Iterable[Binding]) -> None:
        for _, parts in groupby(rows, lambda row: row["item"]["value"]):
            ours = sorted(parts, key=lambda row: row["text"].get("xml:lang") != self._language)
            said: dict[str, list[str]] = defaultdict(list)
            for row in ours:
                said[row["part"]["value"]].append(row["text"]["value"])
            identity, address = self._id(ours[0]["item"]), ours[0]["item"]["value"]
            name = next(iter(said["name"] or said["alias"]), None)
            aliases = tuple(dict.fromkeys(alias for alias in (*said["name"], *said["alias"]) if alias != name))
            description = next(iter(said["description"] or said["comment"]), None)
            found.texts[identity] = NodeTexts(name, aliases, description)
            abstracts = (Document(document_id(a), a, name, address, self._language) for a in said["abstract"])
            found.summaries += [(identity, abstract) for abstract in abstracts]

    def _id(self, term: dict[str, str]) -> str:
        return entity_id(self.graph, term["value"])


def _values(ids: Iterable[str]) -> str:
    return sparql.values(map(_iri, ids))


def _iri(identity: str) -> str:
    """Return the IRI of an id, as DBpedia writes it: letters of all scripts as they are, what would end an IRI in
    percent.
    """
    prefix, _, key = identity.partition(":")
    if prefix == "wd":
        return _WIKIDATA + key
    if prefix not in _FOLDERS:
        return identity
    return _FOLDERS[prefix] + re.sub(r'[%?#\s"<>\\^`{|}]', lambda found: quote(found[0]), key)
