"""The first page: a text and what to check it against."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from claimgraph.kgstore import listings
from claimgraph.kgstore.errors import ClaimgraphError, InputError
from claimgraph.web.models import CheckRequest
from claimgraph.web.problems import status_of
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
    context_file: UploadFile | None = None,
) -> Response:
    """Check the form's text and go to its page; a mistake is shown beside what was given."""
    try:
        text, context = _read(text, text_file), _read(context, context_file)
        report = service.check(CheckRequest(text=text, context=context or None, graphs=graph or []))
    except ClaimgraphError as error:
        return _form(service, status_of(error), text=text, context=context, chosen=graph or [], error=str(error))
    return RedirectResponse(f"/documents/{report.document.id}", 303)


def _read(text: str, file: UploadFile | None) -> str:
    """Return the file's text where one was given, else the typed one."""
    if file is None or not file.filename:
        return text
    try:
        return file.file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file.filename}: not a text in UTF-8") from error


def _form(service: Service, status: int = 200, **shown: object) -> HTMLResponse:
    worlds = [row["name"] for row in service.store.read("graphs") if row["kind"] == "world"]
    rows = listings.checked_documents(service.store, limit=10)
    return service.show("check.html", status, worlds=worlds, rows=rows, **shown)
