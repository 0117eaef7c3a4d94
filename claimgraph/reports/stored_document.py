"""Read a checked document back from the store, with what its verdicts rest on: for pages, pictures and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimgraph.kgstore import identity, reads
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import Citation, Claim, Correction, Document, Evidence, Span, Triple, Verdict
from claimgraph.kgstore.store import GraphStore


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document with its judged claims in document order and the verdict that holds for each, parallel.

    `sources` are the cited documents by id; `corrections` the changes that were made to the document.
    """

    document: Document
    claims: tuple[Claim, ...]
    verdicts: tuple[Verdict, ...]
    sources: Mapping[str, Document]
    corrections: tuple[Correction, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a source around a citation: what stands before it, itself, and what stands after it."""

    before: str
    cited: str
    after: str


def stored_document(store: GraphStore, document: str) -> StoredDocument:
    """Return the document of that id. Raises NotFound for an id that the store does not hold."""
    found = reads.load_document(store, document)
    if found is None:
        raise NotFound("document", document)
    return _with_verdicts(store, found, reads.load_claims(store, document))


def stored_claim(store: GraphStore, claim: str) -> StoredDocument:
    """Return the document of a claim with that claim alone. Raises NotFound for an id that is no judged claim."""
    claims = reads.claims_by_id(store, [claim])
    found = reads.load_document(store, claims[claim].document) if claims else None
    if found is None or not reads.load_verdicts(store, [claim]):
        raise NotFound("claim", claim)
    return _with_verdicts(store, found, [claims[claim]])


def excerpt(citation: Citation, sources: Mapping[str, Document], width: int = 200) -> Excerpt | None:
    """Return the cited sentence at its place, with at most `width` code points on each side, cut between words.

    None for a citation that is not a span of one of the sources.
    """
    evidence = citation.evidence
    source, span = sources.get(evidence.document or ""), evidence.span
    if source is None or span is None:
        return None
    text = source.text
    start, end = max(0, span.start - width), min(len(text), span.end + width)
    before, after = text[start : span.start], text[span.end : end]
    if start:
        before = f"… {before.partition(' ')[2]}"
    if end < len(text):
        after = f"{after.rpartition(' ')[0]} …"
    return Excerpt(before, text[span.start : span.end], after)


def distinct(citations: Sequence[Citation]) -> list[Citation]:
    """Return the citations without those of a place that an earlier one has: a sentence and the fact read from it."""
    kept: list[Citation] = []
    for one in citations:
        if not any(_same_place(one.evidence, other.evidence) for other in kept):
            kept.append(one)
    return kept


def _same_place(one: Evidence, other: Evidence) -> bool:
    if one.span is None or other.span is None:
        return False
    return one.document == other.document and one.span.overlaps(other.span)


def evidence_triples(store: GraphStore, citation: Citation) -> tuple[Triple, ...]:
    """Return the evidence as triples: the cited fact's, or the facts that were read from the cited sentence."""
    evidence = citation.evidence
    if evidence.triple is not None:
        return (evidence.triple,)
    if evidence.document is None or evidence.span is None:
        return ()
    graph = reads.load_graph(store, identity.context_graph(evidence.document))
    inside = [fact for fact in graph.facts if fact.span and fact.span.overlaps(evidence.span)]
    return tuple(graph.triple(fact) for fact in sorted(inside, key=lambda fact: (fact.span or Span(0, 0)).start))


def _with_verdicts(store: GraphStore, document: Document, claims: list[Claim]) -> StoredDocument:
    held = {verdict.claim: verdict for verdict in reads.load_verdicts(store, [claim.id for claim in claims])}
    judged = [claim for claim in claims if claim.id in held]
    verdicts = tuple(held[claim.id] for claim in judged)
    cited = {c.evidence.document for verdict in verdicts for c in verdict.citations if c.evidence.document}
    sources = reads.load_documents(store, sorted(cited))
    return StoredDocument(document, tuple(judged), verdicts, sources, tuple(reads.load_corrections(store, document.id)))
