"""Ask for what is stored: documents, claims, verdicts, histories, pictures, entities; rule on a claim; run Cypher."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import asdict
from functools import partial
from pathlib import PurePath
from tempfile import TemporaryFile
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response, StreamingResponse
from starlette.background import BackgroundTask

from claimgraph.exports.judged import judged
from claimgraph.exports.writing import Form, write
from claimgraph.input_texts import parse_since
from claimgraph.kgstore import listings, reads
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import Entity, Outcome
from claimgraph.kgstore.store import QueryLimits, Row
from claimgraph.kgstore.views import StoreView
from claimgraph.repair.ruling import rule
from claimgraph.reports import drawing
from claimgraph.reports.check_report import claim_json
from claimgraph.reports.stored_document import StoredDocument, stored_claim, stored_document
from claimgraph.web.models import (
    ClaimAnswer,
    CypherRequest,
    DocumentRow,
    EntityAnswer,
    GraphRow,
    HistoryRow,
    RulingRequest,
    StoredAnswer,
    TableAnswer,
    VerdictRow,
)
from claimgraph.web.service import Service, Shared

router = APIRouter(prefix="/api", tags=["store"])
Limit = Annotated[int, Query(ge=1, le=10_000)]
Skip = Annotated[int, Query(ge=0, le=10_000_000)]
_ENDINGS = {Form.CLAIMREVIEW: "json", Form.PROV: "jsonld", Form.FEVER: "jsonl"}
_MEDIA = {
    Form.CSV: "text/csv; charset=utf-8",
    Form.JSONL: "application/x-ndjson",
    Form.CLAIMREVIEW: "application/ld+json",
    Form.PROV: "application/ld+json",
    Form.TTL: "text/turtle; charset=utf-8",
    Form.NT: "application/n-triples",
    Form.TRIG: "application/trig",
    Form.GRAPHML: "application/xml",
    Form.PARQUET: "application/vnd.apache.parquet",
}


@router.get("/documents", response_model=list[DocumentRow])
def documents(
    service: Shared, words: str | None = None, run: str | None = None, skip: Skip = 0, limit: Limit = 100
) -> list[Row]:
    """Return the checked documents, those with most refuted statements first; `words` is a part of name or text."""
    return listings.checked_documents(service.store, words=words, run=run, skip=skip, limit=limit)


@router.get("/documents/{document}", response_model=StoredAnswer)
def document(service: Shared, document: str) -> dict[str, Any]:
    """Return a checked document with its claims, the verdicts that hold, and its corrections."""
    return stored_json(stored_document(service.store, document))


@router.get("/documents/{document}/text", response_class=Response)
def document_text(service: Shared, document: str) -> Response:
    """Return a stored text as a file: a checked one, a corrected one, or a source."""
    found = reads.load_document(service.store, document)
    if found is None:
        raise NotFound("document", document)
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", PurePath(found.name or "text").stem)[:80] or "text"
    headers = {"Content-Disposition": f'attachment; filename="{stem}.txt"'}
    return Response(found.text.encode("utf-8", "replace"), media_type="text/plain; charset=utf-8", headers=headers)


@router.get("/export", response_class=StreamingResponse)
def export(
    service: Shared,
    format: Form = Form.JSONL,
    document: str | None = None,
    run: str | None = None,
    since: str | None = None,
) -> StreamingResponse:
    """Return the verdicts that hold, with claims and evidence, as `claimgraph export` writes them."""
    start, file = parse_since(since) if since else None, TemporaryFile()  # noqa: SIM115  closed below
    try:
        write(format, judged(service.store, since=start, document=document, run=run), file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    headers = {"Content-Disposition": f'attachment; filename="verdicts.{_ENDINGS.get(format, format.value)}"'}
    media = _MEDIA.get(format, "text/plain; charset=utf-8")
    pieces = iter(partial(file.read, 1 << 16), b"")
    return StreamingResponse(pieces, media_type=media, headers=headers, background=BackgroundTask(file.close))


@router.get("/claims/{claim}", response_model=ClaimAnswer)
def claim(service: Shared, claim: str) -> dict[str, Any]:
    """Return a claim with the verdict that holds and its evidence."""
    found = stored_claim(service.store, claim)
    return claim_json(found.claims[0], found.verdicts[0], found.sources) | {"document": found.document.id}


@router.get("/claims/{claim}/history", response_model=list[HistoryRow])
def history(service: Shared, claim: str) -> list[Row]:
    """Return all verdicts on a claim: the one that holds, then the latest first."""
    return listings.claim_history(service.store, claim)


@router.get("/claims/{claim}/picture.svg", response_class=Response)
def picture(service: Shared, claim: str) -> Response:
    """Draw a claim beside its evidence."""
    return Response(drawing.picture(service.store, stored_claim(service.store, claim)), media_type="image/svg+xml")


@router.post("/claims/{claim}/ruling", response_model=ClaimAnswer)
def ruling(service: Shared, claim: str, request: RulingRequest) -> dict[str, Any]:
    """Give a person's verdict on a claim; it outranks every method's. Returns the claim as it now stands."""
    rule(service.store, claim, request.outcome, request.note)
    found = stored_claim(service.store, claim)
    return claim_json(found.claims[0], found.verdicts[0], found.sources) | {"document": found.document.id}


@router.get("/verdicts", response_model=list[VerdictRow])
def verdicts(
    service: Shared,
    outcome: Outcome | None = None,
    entity: str | None = None,
    since: str | None = None,
    limit: Limit = 100,
    format: Literal["json", "csv"] = "json",
) -> Any:
    """Return the verdicts that hold, newest first, as JSON or CSV."""
    start = parse_since(since) if since else None
    rows = reads.current_verdicts(service.store, outcome=outcome, entity=entity, since=start, limit=limit)
    return as_csv(list(VerdictRow.model_fields), rows) if format == "csv" else rows


@router.get("/disagreements")
def disagreements(service: Shared, run: str | None = None, limit: Limit = 100) -> list[dict[str, Any]]:
    """Return the verdicts on claims that methods disagree on; `run` is the id of a run of many documents."""
    return reads.disagreements(service.store, run=run, limit=limit)


@router.get("/graphs", response_model=list[GraphRow])
def graphs(service: Shared, kind: str | None = None) -> list[Row]:
    """Return the knowledge graphs of the store: of worlds, contexts and claims."""
    return [row for row in service.store.read("graphs") if kind in (None, row["kind"])]


@router.get("/entities", response_model=list[EntityAnswer])
def entities(service: Shared, name: str, graph: str, limit: Limit = 10) -> list[dict[str, Any]]:
    """Return the entities of a graph that share words with a name, the best match first."""
    return [_entity(found) for found in StoreView(service.store, (graph,)).candidates(name, limit)]


@router.get("/entities/{entity:path}", response_model=EntityAnswer)
def neighbourhood(service: Shared, entity: str, graph: str, limit: Limit = 100) -> dict[str, Any]:
    """Return an entity with the facts of a graph around it: at most `limit` out of it, and as many into it."""
    found = reads.load_entities(service.store, [entity]).get(entity)
    if found is None:
        raise NotFound("entity", entity)
    around = StoreView(service.store, (graph,)).facts_around([entity], limit)
    facts = [{"id": fact.id, "graph": fact.graph, **asdict(around.triple(fact))} for fact in around.facts]
    return _entity(found) | {"facts": facts}


@router.post("/cypher", response_model=TableAnswer)
def cypher(service: Shared, request: CypherRequest) -> dict[str, Any]:
    """Run one read statement in Cypher within the limits of the settings, or lower ones."""
    table = service.store.query(request.query, request.params, limits(service, request.limit, request.timeout))
    return {"columns": table.columns, "rows": table.rows, "truncated": table.truncated}


def limits(service: Service, rows: int | None, seconds: float | None) -> QueryLimits:
    """Return the settings' limits, or lower ones that were asked for."""
    held = service.settings
    return QueryLimits(
        min(seconds or held.query_seconds, held.query_seconds),
        min(rows or held.query_rows, held.query_rows),
        held.query_memory,
    )


def stored_json(found: StoredDocument) -> dict[str, Any]:
    """Return `{document, claims, corrections}`."""
    pairs = zip(found.claims, found.verdicts, strict=True)
    columns = ("id", "claim", "verdict", "result", "before", "after", "method", "created_at")
    return {
        "document": {"id": found.document.id, "text": found.document.text, "name": found.document.name},
        "claims": [claim_json(claim, verdict, found.sources) for claim, verdict in pairs],
        "corrections": [
            {column: getattr(one, column) for column in columns} | {"start": one.span.start, "end": one.span.end}
            for one in found.corrections
        ],
    }


def as_csv(columns: list[str], rows: list[Row]) -> Response:
    """Return rows as RFC 4180 CSV with a header."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8")


def _entity(found: Entity) -> dict[str, Any]:
    return {
        "id": found.id,
        "name": found.name,
        "aliases": list(found.aliases),
        "description": found.description,
        "graphs": list(found.graphs),
    }
