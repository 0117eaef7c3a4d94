"""Pages of what is stored: documents, one document with its marked text, one claim, and lists of verdicts."""

from __future__ import annotations

import difflib
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Query
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from claimgraph.input_texts import parse_since
from claimgraph.kgstore import listings, reads
from claimgraph.kgstore.model import Citation, Outcome
from claimgraph.repair.ruling import rule
from claimgraph.reports import drawing
from claimgraph.reports.marked_text import parts
from claimgraph.reports.statements import outcome_counts, problems, statements
from claimgraph.reports.stored_document import StoredDocument, distinct, excerpt, stored_claim, stored_document
from claimgraph.web.models import CorrectRequest
from claimgraph.web.service import Service, Shared

router = APIRouter()
_PAGE = 50


@router.get("/documents", response_class=HTMLResponse)
def documents(
    service: Shared, words: str = "", run: str = "", page: Annotated[int, Query(ge=1, le=10_000)] = 1
) -> HTMLResponse:
    """Return the checked documents, those with most refuted statements first."""
    rows = listings.checked_documents(
        service.store, words=words or None, run=run or None, skip=_PAGE * (page - 1), limit=_PAGE + 1
    )
    more = len(rows) > _PAGE
    return service.show("documents.html", rows=rows[:_PAGE], words=words, run=run, page=page, more=more)


@router.get("/documents/{document}", response_class=HTMLResponse)
def document(service: Shared, document: str) -> HTMLResponse:
    """Return a text with its claims marked, and its problems, worst first."""
    found = stored_document(service.store, document)
    made = statements(found)
    worst = [made.index(one) for one in problems(made)]
    return service.show(
        "document.html",
        found=found,
        parts=parts(found.document.text, made),
        statements=made,
        order=[*worst, *(at for at in range(len(made)) if at not in worst)],
        counts=outcome_counts(made),
        excerpts=_excerpts(found),
        contexts=_contexts(service, document),
    )


@router.post("/documents/{document}/correction", response_class=HTMLResponse)
def correction(service: Shared, document: str, context: Annotated[str, Form()]) -> HTMLResponse:
    """Correct a document by a context that it was checked against, and show the changes."""
    given, source = stored_document(service.store, document), stored_document(service.store, context)
    report = service.correct(CorrectRequest(text=given.document.text, context=source.document.text))
    changes = _changes(report.corrected.original, report.corrected.text)
    reasons = {claim.id: verdict.reason for claim, verdict in zip(given.claims, given.verdicts, strict=True)}
    return service.show("correction.html", report=report, changes=changes, reasons=reasons, source=source.document)


@router.get("/claims/{claim}", response_class=HTMLResponse)
def claim(service: Shared, claim: str) -> HTMLResponse:
    """Return a claim with its evidence at its place, its picture, its numbers and its history."""
    found = stored_claim(service.store, claim)
    return service.show(
        "claim.html",
        found=found,
        claim=found.claims[0],
        verdict=found.verdicts[0],
        excerpts=_excerpts(found),
        picture=Markup(drawing.picture(service.store, found)),
        history=listings.claim_history(service.store, claim),
    )


@router.post("/documents/{document}/ruling")
def statement_ruling(
    service: Shared,
    document: str,
    claims: Annotated[list[str], Form()],
    outcome: Annotated[Outcome, Form()],
    note: Annotated[str, Form()],
) -> RedirectResponse:
    """Store a person's verdict on all claims of a statement and show the text as it now stands."""
    for claim in claims:
        rule(service.store, claim, outcome, note)
    return RedirectResponse(f"/documents/{quote(document)}", 303)


@router.post("/claims/{claim}/ruling")
def ruling(
    service: Shared, claim: str, outcome: Annotated[Outcome, Form()], note: Annotated[str, Form()] = ""
) -> RedirectResponse:
    """Store a person's verdict and show the claim as it now stands."""
    rule(service.store, claim, outcome, note)
    return RedirectResponse(f"/claims/{claim}", 303)


@router.get("/verdicts", response_class=HTMLResponse)
def verdicts(service: Shared, outcome: str = "", entity: str = "", since: str = "") -> HTMLResponse:
    """Return the verdicts that hold, newest first, by outcome, entity and date; equal ones of a statement once."""
    wanted, start = Outcome(outcome) if outcome in tuple(Outcome) else None, parse_since(since) if since else None
    rows = reads.current_verdicts(service.store, outcome=wanted, entity=entity or None, since=start, limit=200)
    shown = {(row["document"], row["statement"], row["outcome"], row["method"]): row for row in reversed(rows)}
    return service.show(
        "verdicts.html", rows=list(reversed(shown.values())), outcome=outcome, entity=entity, since=since
    )


def _excerpts(found: StoredDocument) -> dict[str, list[tuple[Citation, Any]]]:
    """Return each verdict's first citations with their place in the source, by the verdict's id; a place once."""
    return {
        verdict.id: [(citation, excerpt(citation, found.sources)) for citation in distinct(verdict.citations)[:5]]
        for verdict in found.verdicts
    }


def _contexts(service: Service, document: str) -> list[Any]:
    """Return the contexts that a document was checked against, for a correction."""
    return service.store.read("contexts_of_document", document=document)


def _changes(before: str, after: str) -> list[tuple[str, str]]:
    """Return the pieces of both texts in order: ("same" | "removed" | "added", text), cut between words."""
    old, new = before.split(" "), after.split(" ")
    made: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            made.append(("same", " ".join(old[a:b])))
            continue
        made += [(name, " ".join(words)) for name, words in (("removed", old[a:b]), ("added", new[c:d])) if words]
    return made
