"""The first page: a text and what to check it against."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated

from fastapi import APIRouter, Form, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from claimgraph.input_texts.documents import document_from_bytes
from claimgraph.kgstore import listings
from claimgraph.kgstore.errors import ClaimgraphError
from claimgraph.kgstore.model import Document
from claimgraph.web.problems import said, status_of
from claimgraph.web.service import Service, Shared

router = APIRouter()


@router.get("/", response_class=HTMLResponse)
def home(service: Shared) -> HTMLResponse:
    """Return the form and the documents checked last."""
    return _form(service)


@router.post("/", response_class=HTMLResponse)
def home_check(
    service: Shared,
    text: Annotated[str, Form()] = "",
    context: Annotated[str, Form()] = "",
    graph: Annotated[list[str] | None, Form()] = None,
    text_file: UploadFile | None = None,
    context_file: list[UploadFile] | None = None,
) -> Response:
    """Check the form's text and go to its page; a mistake is shown beside what was given."""
    try:
        [document] = _uploaded(service, [text_file] if text_file else []) or [service.document(text, "the text")]
        contexts = _uploaded(service, context_file or [])
        contexts += [service.document(context, "the source")] if context.strip() else []
        report = service.check_document(document, contexts, graph or [])
    except ClaimgraphError as error:
        return _form(service, status_of(error), text=text, context=context, chosen=graph or [], error=said(error))
    return RedirectResponse(f"/documents/{report.document.id}", 303)


def _uploaded(service: Service, files: list[UploadFile]) -> list[Document]:
    """Return the documents in the files that were chosen, of any format that the command line reads."""
    limit, found = service.settings.max_text, list[Document]()
    for file in files:
        name = PurePath(file.filename or "").name
        if name:
            data = file.file.read()
            found.append(document_from_bytes(data, name, limit, name=name, suffix=PurePath(name).suffix))
    return found


def _form(service: Service, status: int = 200, **shown: object) -> HTMLResponse:
    worlds = [row["name"] for row in service.store.read("graphs") if row["kind"] == "world"]
    rows = listings.checked_documents(service.store, limit=10)
    return service.show("check.html", status, worlds=worlds, rows=rows, **shown)
