"""Sign in with a key, and the documentation of the API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from claimgraph.web.access import COOKIE
from claimgraph.web.service import Shared

router = APIRouter()


@router.get("/signin", response_class=HTMLResponse)
def signin(service: Shared) -> HTMLResponse:
    """Return the form that asks for a key."""
    return service.show("signin.html")


@router.post("/signin", response_class=HTMLResponse)
def signed_in(request: Request, service: Shared, key: Annotated[str, Form()]) -> Response:
    """Keep a valid key in the browser, out of reach of scripts and of other sites."""
    if request.app.state.keys.find(key) is None:
        return service.show("signin.html", 401, error="No such key.")
    answer = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, key, httponly=True, samesite="strict", secure=secure, max_age=30 * 24 * 3600)
    return answer


@router.post("/signout")
def signed_out() -> RedirectResponse:
    """Forget the key in this browser."""
    answer = RedirectResponse("/signin", 303)
    answer.delete_cookie(COOKIE)
    return answer


@router.get("/docs", response_class=HTMLResponse)
def docs(service: Shared) -> HTMLResponse:
    """Return the API's documentation, to read and try, from files of this server alone."""
    return service.show("docs.html")
