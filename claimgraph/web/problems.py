"""Answer errors as problem details (RFC 9457, `application/problem+json`)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from claimgraph.kgstore.errors import ClaimgraphError, InputError, NotFound

MEDIA_TYPE = "application/problem+json"


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None, **more: Any) -> JSONResponse:
    """Return `{type, title, status, detail}` and what more there is to say."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return JSONResponse(body | more, status, headers=headers, media_type=MEDIA_TYPE)


def status_of(error: ClaimgraphError) -> int:
    """Return 404 for what the store does not hold, 422 where the command line would exit with 2, else 503."""
    return 404 if isinstance(error, NotFound) else 422 if isinstance(error, InputError) else 503


def of_claimgraph(_: Request, error: Exception) -> JSONResponse:
    """Answer an error that claimgraph raises on purpose."""
    assert isinstance(error, ClaimgraphError)
    return problem(status_of(error), str(error))


def of_request(_: Request, error: Exception) -> JSONResponse:
    """Answer a request whose body or parameters do not fit, with where and why, without repeating the input."""
    assert isinstance(error, RequestValidationError)
    errors = [{"at": [str(part) for part in one["loc"]], "problem": one["msg"]} for one in error.errors()]
    where = "; ".join(f"{'.'.join(one['at'])}: {one['problem']}" for one in errors)
    return problem(422, where, errors=errors)


def of_http(_: Request, error: Exception) -> JSONResponse:
    """Answer an unknown address or method."""
    assert isinstance(error, HTTPException)
    return problem(error.status_code, str(error.detail), error.headers)
