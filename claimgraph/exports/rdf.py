"""Write verdicts as RDF with rdflib: PROV-O says how each came about, schema.org what it is about.

A claim's triple is described, not asserted, by a reifier (`rdf:subject`, `rdf:predicate`, `rdf:object` with the words
of the text): RDF 1.2's `rdf:reifies` can take its place without other names. In TriG the claims of a document stand
in a named graph of the document's name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, BinaryIO

from claimgraph.exports.iris import iri, place
from claimgraph.exports.judged import JudgedDocument
from claimgraph.kgstore.extras import require
from claimgraph.kgstore.model import HUMAN, Claim, Document, Stance, Verdict
from claimgraph.kgstore.store import Row

if TYPE_CHECKING:
    from rdflib import Dataset, Graph

FORMATS = {"ttl": "turtle", "nt": "nt", "trig": "trig", "prov": "json-ld"}
"""Formats here, and what rdflib calls them."""
VOCABULARY = "https://w3id.org/claimgraph#"
"""Namespace of what neither PROV-O nor schema.org has: outcome, status, stance."""


def write_rdf(found: Iterable[JudgedDocument], file: BinaryIO, form: str) -> int:
    """Write the documents in one of FORMATS. Returns the number of verdicts. Raises MissingExtra without rdflib."""
    made, count = dataset(), 0
    for one in found:
        add(made, one)
        count += len(one.stored.claims)
    if form == "trig":
        made.serialize(file, format="trig", encoding="utf-8")
    else:
        _flat(made).serialize(file, format=FORMATS[form], encoding="utf-8")
    return count


def dataset() -> Dataset:
    """Return an empty dataset with the namespaces bound."""
    require("export", "rdflib")
    from rdflib import PROV, SDO, Dataset, Namespace

    made = Dataset()
    for prefix, namespace in (("prov", PROV), ("schema", SDO), ("cg", Namespace(VOCABULARY))):
        made.bind(prefix, namespace)
    return made


def add(made: Dataset, one: JudgedDocument) -> None:
    """Add a document's claims, verdicts and evidence, in the named graph of the document."""
    from rdflib import URIRef

    graph = made.graph(URIRef(iri(one.stored.document.id)))
    for document in (one.stored.document, *one.stored.sources.values()):
        _add_document(graph, document)
    for claim, verdict in one.pairs:
        _add_claim(graph, claim)
        _add_verdict(graph, verdict, one.runs.get(verdict.id))
        _add_evidence(graph, verdict)


def _flat(made: Dataset) -> Graph:
    from rdflib import Graph

    flat = Graph(namespace_manager=made.namespace_manager)
    for subject, predicate, value, _ in made.quads():
        flat.add((subject, predicate, value))
    return flat


def _add_document(graph: Graph, document: Document) -> None:
    from rdflib import PROV, RDF, SDO, Literal, URIRef

    node = URIRef(iri(document.id))
    graph.add((node, RDF.type, PROV.Entity))
    graph.add((node, RDF.type, SDO.CreativeWork))
    graph.add((node, SDO.text, Literal(document.text)))
    if document.name:
        graph.add((node, SDO.name, Literal(document.name)))
    if address := place(document.source):
        graph.add((node, SDO.url, URIRef(address)))


def _add_claim(graph: Graph, claim: Claim) -> None:
    from rdflib import PROV, RDF, SDO, Literal, Namespace, URIRef

    own, node = Namespace(VOCABULARY), URIRef(iri(claim.id))
    for kind in (PROV.Entity, SDO.Claim, RDF.Statement):
        graph.add((node, RDF.type, kind))
    graph.add((node, SDO.text, Literal(claim.sentence)))
    graph.add((node, SDO.appearance, URIRef(iri(claim.document))))
    graph.add((node, PROV.wasQuotedFrom, URIRef(iri(claim.document))))
    graph.add((node, RDF.subject, Literal(claim.subject)))
    graph.add((node, RDF.predicate, Literal(claim.predicate)))
    graph.add((node, RDF.object, Literal(claim.object)))
    graph.add((node, own.start, Literal(claim.span.start)))
    graph.add((node, own.end, Literal(claim.span.end)))


def _add_verdict(graph: Graph, verdict: Verdict, run: Row | None) -> None:
    from rdflib import PROV, RDF, SDO, XSD, Literal, Namespace, URIRef

    own, node = Namespace(VOCABULARY), URIRef(iri(verdict.id))
    graph.add((node, RDF.type, PROV.Entity))
    graph.add((node, RDF.type, own.Verdict))
    graph.add((node, PROV.wasDerivedFrom, URIRef(iri(verdict.claim))))
    graph.add((node, own.of, URIRef(iri(verdict.claim))))
    graph.add((node, own.outcome, own[verdict.outcome.value]))
    graph.add((node, own.status, Literal(verdict.status.value)))
    graph.add((node, SDO.description, Literal(verdict.reason)))
    if verdict.confidence is not None:
        graph.add((node, own.confidence, Literal(verdict.confidence, datatype=XSD.double)))
    if verdict.created_at:
        graph.add((node, PROV.generatedAtTime, Literal(verdict.created_at)))
    if run:
        _add_run(graph, node, verdict, run)


def _add_run(graph: Graph, verdict_node: object, verdict: Verdict, run: Row) -> None:
    from rdflib import PROV, RDF, SDO, Literal, URIRef

    node, agent = URIRef(iri(run["id"])), URIRef(iri(f"method:{verdict.method}"))
    graph.add((node, RDF.type, PROV.Activity))
    graph.add((verdict_node, PROV.wasGeneratedBy, node))  # type: ignore[arg-type]
    graph.add((node, PROV.startedAtTime, Literal(run["startedAt"])))
    if run["finishedAt"]:
        graph.add((node, PROV.endedAtTime, Literal(run["finishedAt"])))
    graph.add((node, PROV.wasAssociatedWith, agent))
    graph.add((agent, RDF.type, PROV.Person if verdict.method == HUMAN else PROV.SoftwareAgent))
    graph.add((agent, SDO.name, Literal(verdict.method)))


def _add_evidence(graph: Graph, verdict: Verdict) -> None:
    from rdflib import PROV, RDF, SDO, Literal, Namespace, URIRef

    own, node = Namespace(VOCABULARY), URIRef(iri(verdict.id))
    relations = {Stance.SUPPORTS: own.supportedBy, Stance.REFUTES: own.refutedBy, Stance.NEUTRAL: own.cites}
    for cited in verdict.citations:
        piece = URIRef(iri(cited.evidence.id))
        graph.add((node, PROV.wasInfluencedBy, piece))
        graph.add((node, relations[cited.stance], piece))
        graph.add((piece, RDF.type, PROV.Entity))
        graph.add((piece, SDO.text, Literal(cited.evidence.text)))
        graph.add((piece, SDO.isPartOf, Literal(cited.evidence.source)))
        if cited.evidence.document:
            graph.add((piece, PROV.wasQuotedFrom, URIRef(iri(cited.evidence.document))))
