"""Answer errors as problem details (RFC 9457, `application/problem+json`); to a browser on a page, as a page.

What failed behind the server (its store, its files, its language model) is written to the log: addresses and paths are
not for who asks.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from claimgraph.kgstore.errors import (
    BudgetSpent,
    ClaimgraphError,
    InputError,
    MissingExtra,
    NotFound,
    Offline,
    QueryLimit,
    ServiceError,
    StoreError,
)

_LOG = logging.getLogger("claimgraph.web")
MEDIA_TYPE = "application/problem+json"


class Busy(ServiceError):
    """The models are with other texts: come back in `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"busy with other texts: try again in {seconds:.0f} seconds")
        self.seconds = seconds


_TOLD = (Busy, BudgetSpent, MissingExtra, Offline, QueryLimit)
"""Failures of services whose line has nothing of the server in it."""


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None, **more: Any) -> JSONResponse:
    """Return `{type, title, status, detail}` and what more there is to say."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return JSONResponse(body | more, status, headers=headers, media_type=MEDIA_TYPE)


def status_of(error: ClaimgraphError) -> int:
    """Return 404 for what the store does not hold, 422 where the command line would exit with 2, else 503."""
    return 404 if isinstance(error, NotFound) else 422 if isinstance(error, InputError) else 503


def said(error: ClaimgraphError) -> str:
    """Return what the one who asks is told: all of what lies at the request, of the server's own parts only which."""
    if not isinstance(error, ServiceError) or isinstance(error, _TOLD):
        return str(error)
    _LOG.error("%s: %s", type(error).__name__, error)
    part = "graph store" if isinstance(error, StoreError) else "service that this needs"
    return f"the {part} does not work; the server's log says why"


def wants_page(accept: str, path: str) -> bool:
    """Return whether a request is a browser's for a page, by its `Accept` and its path."""
    return "text/html" in accept and not path.startswith("/api/")


def of_claimgraph(request: Request, error: Exception) -> Response:
    """Answer an error that claimgraph raises on purpose."""
    assert isinstance(error, ClaimgraphError)
    headers = {"Retry-After": str(max(1, round(error.seconds)))} if isinstance(error, Busy) else None
    return _answer(request, status_of(error), said(error), headers)


def of_any(request: Request, error: Exception) -> Response:
    """Answer an error that is nobody's purpose; the server logs it with its place."""
    return _answer(request, 500, f"an error of the server ({type(error).__name__}); its log says more")


def of_request(request: Request, error: Exception) -> Response:
    """Answer a request whose body or parameters do not fit, with where and why, without repeating the input."""
    assert isinstance(error, RequestValidationError)
    errors = [{"at": [str(part) for part in one["loc"]], "problem": one["msg"]} for one in error.errors()]
    where = "; ".join(f"{'.'.join(one['at'])}: {one['problem']}" for one in errors)
    return _answer(request, 422, where, errors=errors)


def of_http(request: Request, error: Exception) -> Response:
    """Answer an unknown address or method."""
    assert isinstance(error, HTTPException)
    return _answer(request, error.status_code, str(error.detail), error.headers)


def _answer(
    request: Request, status: int, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    if not wants_page(request.headers.get("accept", ""), request.url.path):
        return problem(status, detail, headers, **more)
    title = HTTPStatus(status).phrase
    told = f"There is no page {request.url.path}" if detail == title and status == 404 else detail
    page: Response = request.app.state.service.show("problem.html", status, title=title, detail=told)
    page.headers.update(headers or {})
    return page
