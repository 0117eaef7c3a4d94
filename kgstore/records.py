"""Nouns to rows, and the steps that store what a piece of work found: the only place that knows both shapes.

A `..._steps` function returns steps for one `store.write`, in the order in which edges find their ends. loading.py of
ingest builds its own steps from the same rows. Rows back to nouns: reads.py.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore import identity
from claimgraph.kgstore.model import (
    Answer,
    Citation,
    Claim,
    Correction,
    Document,
    Entity,
    Evidence,
    Extraction,
    Fact,
    Link,
    Literal,
    Predicate,
    Run,
    Span,
    Subgraph,
    Verdict,
)
from claimgraph.kgstore.naming import LONGEST_NAME, folded_name, folded_names, named, quoted, search_text
from claimgraph.kgstore.reads import columns
from claimgraph.kgstore.store import Row, Step

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def document_steps(documents: Sequence[Document]) -> list[Step]:
    """Return steps that store documents."""
    return [("put_documents", [_document_row(document) for document in documents])]


def summary_steps(summaries: Iterable[tuple[str, Document]]) -> list[Step]:
    """Return steps that store texts about entities (an encyclopedia's introduction), by entity id. Entities must be
    there.
    """
    pairs = list(summaries)
    about = [{"id": document.id, "entity": entity} for entity, document in pairs]
    return [*document_steps([document for _, document in pairs]), ("put_summaries", about)]


def subgraph_steps(name: str, kind: str, subgraph: Subgraph, version: str, document: str | None = None) -> list[Step]:
    """Return steps that store a KG under a name. `kind` is claim, context or world; `version` names what it is made of.

    `document` is the id of the text it was read from, which must be there. The graph itself comes last: one that is
    there in a version is there whole.
    """
    return [*member_steps(subgraph), graph_step(name, kind, subgraph, version, document)]


def graph_step(name: str, kind: str, _: Subgraph, version: str, document: str | None = None) -> Step:
    """Return the last of subgraph_steps, which says that the KG is there."""
    return "put_graphs", [graph_row(name, kind, version, datetime.now(UTC), document)]


def member_steps(subgraph: Subgraph) -> list[Step]:
    """Return steps that store the facts of a KG with their nodes. Relations have no nodes of their own: what a text
    calls one is on its facts.
    """
    entities = [node for node in subgraph.nodes.values() if isinstance(node, Entity)]
    literals = [node for node in subgraph.nodes.values() if isinstance(node, Literal)]
    valued = {literal.id for literal in literals}
    return [
        ("put_entities", [entity_row(entity) for entity in entities]),
        ("put_literals", [literal_row(literal) for literal in literals]),
        ("put_facts", [fact_row(fact) for fact in subgraph.facts if fact.object not in valued]),
        ("put_literal_facts", [fact_row(fact) for fact in subgraph.facts if fact.object in valued]),
    ]


def extraction_steps(extraction: Extraction, graph: Subgraph) -> list[Step]:
    """Return steps that store a checked text with its claims and claim KG; `graph.facts[i]` is the fact of
    `claims[i]`.
    """
    document = extraction.document
    return [
        *document_steps([document]),
        *subgraph_steps(*text_graph("claim", document, graph)),
        *claim_steps(extraction.claims, graph.facts),
    ]


def claim_steps(claims: Sequence[Claim], facts: Sequence[Fact]) -> list[Step]:
    """Return steps that store claims, whose facts are parallel. Their document and the nodes of the facts must be
    there.
    """
    return [("put_claims", [_claim_row(claim, fact) for claim, fact in zip(claims, facts, strict=True)])]


def context_steps(context: Document, graph: Subgraph) -> list[Step]:
    """Return steps that store a context with the KG read from it."""
    return [*document_steps([context]), *subgraph_steps(*text_graph("context", context, graph))]


def text_graph(kind: str, document: Document, graph: Subgraph) -> tuple[str, str, Subgraph, str, str]:
    """Return what subgraph_steps is given for the KG of a text; `kind` is claim or context."""
    name = identity.claim_graph(document.id) if kind == "claim" else identity.context_graph(document.id)
    return name, kind, graph, identity.scope_version([fact.id for fact in graph.facts]), document.id


def link_steps(links: Iterable[Link]) -> list[Step]:
    """Return steps that store links of claims to entities, and the NILs. A linked entity must be in the store."""
    links = list(links)
    found = [(link, link.entity.id) for link in links if link.entity]
    ends: dict[tuple[str, str], list[str]] = defaultdict(list)
    for link, entity in found:
        ends[link.claim, link.role].append(entity)
    rows = [_link_row(link) | {"entity": key, "entities": ends[link.claim, link.role]} for link, key in found]
    return [("put_links", rows), ("put_nils", [_link_row(link) for link in links if not link.entity])]


def verdict_steps(run: Run, verdicts: Sequence[Verdict]) -> list[Step]:
    """Return steps that store a run with its verdicts and what they rest on, and make them current. Claims must be
    there.

    The run is joined to those of its context and graphs that are in the store. Of several verdicts on one claim the
    last becomes current.
    """
    return [*found_steps(run, verdicts), *holding_steps(run, verdicts)[1:]]


def found_steps(run: Run, verdicts: Sequence[Verdict]) -> list[Step]:
    """Return steps that store a run with its verdicts and what they rest on, none of which holds yet."""
    citations = [(v, c, at) for v in verdicts for at, c in enumerate(v.citations)]
    now = datetime.now(UTC)
    return [
        ("put_runs", [_run_row(run)]),
        ("put_evidence", _distinct(_evidence_row(citation.evidence) for _, citation, _ in citations)),
        ("put_verdicts", [_verdict_row(verdict, run, now) for verdict in verdicts]),
        ("put_citations", [_citation_row(*citation) for citation in citations]),
    ]


def holding_steps(run: Run, verdicts: Sequence[Verdict]) -> list[Step]:
    """Return steps that store a run and make its verdicts, which must be there, current."""
    return [
        ("put_runs", [_run_row(run)]),
        ("put_current", _distinct({"id": verdict.claim, "verdict": verdict.id} for verdict in verdicts)),
        ("put_against", against_rows(run.id, run.config)),
    ]


def correction_steps(corrections: Sequence[Correction]) -> list[Step]:
    """Return steps that store corrections. Claims, verdicts and corrected documents must be there."""
    now = datetime.now(UTC)
    return [("put_corrections", [_correction_row(correction, now) for correction in corrections])]


def answer_steps(answers: Sequence[Answer]) -> list[Step]:
    """Return steps that store answers with the evidence they rest on."""
    now = datetime.now(UTC)
    cited = [(answer, piece, at) for answer in answers for at, piece in enumerate(answer.evidence)]
    return [
        ("put_evidence", _distinct(_evidence_row(piece) for _, piece, _ in cited)),
        ("put_answers", [_answer_row(answer, now) for answer in answers]),
        ("put_groundings", [{"id": a.id, "evidence": piece.id, "position": at} for a, piece, at in cited]),
    ]


def graph_row(name: str, kind: str, version: str, updated_at: datetime, document: str | None = None) -> Row:
    """Return a row for put_graphs. `kind` is claim, context or world; `version` changes whenever the facts do."""
    about = {"name": name, "kind": kind, "version": version, "updatedAt": updated_at}
    return {"id": name, **about, "document": document}


def against_rows(run: str, config: str) -> list[Row]:
    """Return rows for put_against: the contexts and the graphs that a run with this configuration (JSON) was given."""
    given = json.loads(config).get("against") or {}
    return [{"id": run, "target": key} for key in (*contexts_of(given), *(given.get("graphs") or ()))]


def contexts_of(against: Mapping[str, Any]) -> list[str]:
    """Return ids of the contexts that a run was given, by the `against` of its configuration."""
    context = against.get("context") or []
    return [context] if isinstance(context, str) else list(context)


def entity_row(entity: Entity, *, named: bool = True) -> Row:
    """Return a row for put_entities. `named=False` says that the name is only made from the id: it yields to any
    other.
    """
    name = entity.name[:LONGEST_NAME]
    return {
        "id": entity.id,
        "name": name if named else None,
        "fallback": name,
        "aliases": list(entity.aliases),
        "description": entity.description,
        "source": entity.source,
        "searchText": search_text(entity.name, *entity.aliases),
        "graphs": list(entity.graphs),
        "foldedName": folded_name(name),
    }


def literal_row(literal: Literal) -> Row:
    """Return a row for put_literals. The name is what people read, as with an entity: a query needs not tell them
    apart.
    """
    return _row(literal, name=literal.name)


def predicate_row(predicate: Predicate, *, graph: str | None = None, named: bool = True) -> Row:
    """Return a row for put_predicates; `graph` uses it. `named=False` says that the name yields to any other."""
    return _row(predicate, name=predicate.name if named else None, fallback=predicate.name, graph=graph)


def fact_row(fact: Fact) -> Row:
    """Return a row for put_facts and put_literal_facts."""
    row = world_fact_row(
        fact.id, fact.graph, fact.subject, fact.predicate, fact.name, fact.object,
        fact.rank, fact.valid_from, fact.valid_to, fact.qualifiers, fact.source,
    )  # fmt: skip
    return row | {"retrievedAt": fact.retrieved_at, "document": fact.document, **_span(fact.span)}


def world_fact_row(
    identity: str,
    graph: str,
    subject: str,
    predicate: str,
    name: str,
    object: str,
    rank: str | None,
    valid_from: str | None,
    valid_to: str | None,
    qualifiers: str | None,
    source: str | None,
) -> Row:
    """Return the row of a fact of a file. Written out, and of no Fact: a file has millions, and a frozen one of so many
    fields takes as long as its hash.
    """
    return {
        "id": identity,
        "graph": graph,
        "subject": subject,
        "predicate": predicate,
        "name": name,
        "object": object,
        "rank": rank,
        "validFrom": valid_from,
        "validTo": valid_to,
        "qualifiers": qualifiers,
        "source": source,
    }


def _document_row(document: Document) -> Row:
    return _row(document, caption=quoted(document.text), createdAt=document.created_at or datetime.now(UTC))


def _claim_row(claim: Claim, fact: Fact) -> Row:
    row = _row(claim, statement=claim.statement or None, subjectNode=fact.subject, objectNode=fact.object)
    return named("Claim", row | folded_names("Claim", row))


def _link_row(link: Link) -> Row:
    return {
        "id": link.claim,
        "role": link.role,
        "mention": link.mention,
        "score": link.score,
        "margin": link.margin,
    }


def _run_row(run: Run) -> Row:
    return named("Run", _row(run))


def _verdict_row(verdict: Verdict, run: Run, now: datetime) -> Row:
    return {
        "id": verdict.id,
        "claim": verdict.claim,
        "run": run.id,
        "outcome": verdict.outcome.value,
        "status": verdict.status.value,
        "confidence": _real(verdict.confidence),
        "method": verdict.method,
        "hallucination": verdict.hallucination.value if verdict.hallucination else None,
        "reason": verdict.reason,
        "createdAt": verdict.created_at or now,
        "signals": {f"{s.method}_{s.name}": float(s.value) for s in verdict.signals if s.value is not None},
    }


def _evidence_row(evidence: Evidence) -> Row:
    triple = evidence.triple
    row = {
        "id": evidence.id,
        "factId": evidence.fact_id,
        "text": evidence.text,
        "subject": triple.subject if triple else None,
        "predicate": triple.predicate if triple else None,
        "object": triple.object if triple else None,
        "source": evidence.source,
        "document": evidence.document,
        "rank": evidence.rank,
        **_span(evidence.span),
    }
    return named("Evidence", row)


def _citation_row(verdict: Verdict, citation: Citation, position: int) -> Row:
    return {
        "id": verdict.id,
        "evidence": citation.evidence.id,
        "stance": citation.stance.value,
        "score": _real(citation.score),
        "position": position,
        "path": citation.path,
    }


def _correction_row(correction: Correction, now: datetime) -> Row:
    return named("Correction", _row(correction, createdAt=correction.created_at or now))


def _answer_row(answer: Answer, now: datetime) -> Row:
    row = {
        "id": answer.id,
        "question": answer.question,
        "mode": answer.mode,
        "prompt": answer.prompt,
        "text": answer.text,
        "createdAt": answer.created_at or now,
    }
    return named("Answer", row)


def _row(noun: DataclassInstance, **more: Any) -> Row:
    """Return a noun's fields in camelCase, a span as its two ends, and what is more; `more` counts."""
    plain, spans = columns(type(noun))
    row = dict(zip(plain.values(), attrgetter(*plain)(noun), strict=True))
    for name, prefix in spans.items():
        row |= _span(getattr(noun, name), prefix)
    return row | more


def _span(span: Span | None, prefix: str = "span") -> Row:
    return {f"{prefix}Start": span.start if span else None, f"{prefix}End": span.end if span else None}


def _real(value: float | None) -> float | None:
    """Return a plain float: NumPy's would be refused by the engines."""
    return None if value is None else float(value)


def _distinct(rows: Iterable[Row]) -> list[Row]:
    """Return the last row of each id."""
    return list({row["id"]: row for row in rows}.values())
