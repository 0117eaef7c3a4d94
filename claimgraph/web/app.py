"""Serve the web page and the HTTP API: the same calls as the command line, over one opened store.

Pages are rendered on the server with every text escaped. There is no login and no telemetry.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse

from claimgraph import health
from claimgraph.input_texts import parse_since
from claimgraph.kgstore import reads
from claimgraph.kgstore.errors import ClaimgraphError, InputError, NotFound
from claimgraph.kgstore.model import Outcome
from claimgraph.settings import Settings
from claimgraph.web import metrics, runs
from claimgraph.web.service import CheckRequest, RetrofitRequest, Service, Shared
from claimgraph.wiring import Checker

_router = APIRouter()


def make_app(settings: Settings) -> FastAPI:
    """Return the application. Its store is opened when it starts and closed when it stops; checks run one at a time."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with Checker(settings) as checker:
            app.state.service = Service(settings, checker)
            yield

    app = FastAPI(title="claimgraph", lifespan=lifespan)
    app.add_exception_handler(ClaimgraphError, _failed)
    app.include_router(_router)
    app.include_router(runs.router)
    app.include_router(metrics.router)
    return app


def _failed(_: Request, error: Exception) -> JSONResponse:
    """Return 404 for an unknown run, 422 where the command would exit with 2, else 503."""
    if isinstance(error, NotFound) and error.kind == "run":
        return JSONResponse({"error": str(error)}, 404)
    return JSONResponse({"error": str(error)}, 422 if isinstance(error, InputError) else 503)


@_router.get("/", response_class=HTMLResponse)
def home(service: Shared) -> HTMLResponse:
    """Return the page: a form and the latest verdicts."""
    return service.page()


@_router.post("/", response_class=HTMLResponse)
def home_check(
    service: Shared,
    text: Annotated[str, Form()],
    context: Annotated[str, Form()] = "",
    graph: Annotated[str, Form()] = "",
) -> HTMLResponse:
    """Check the form's text and show the verdicts."""
    try:
        request = CheckRequest(text=text, context=context or None, graphs=[graph] if graph else [])
        return service.page(text=text, context=context, result=service.check(request))
    except InputError as error:
        return service.page(422, text=text, context=context, error=str(error))


@_router.post("/api/check")
def api_check(service: Shared, request: CheckRequest) -> dict[str, Any]:
    """Check a text and store the verdicts; returns the object of `claimgraph check --json`."""
    return service.check(request)


@_router.post("/api/retrofit")
def api_retrofit(service: Shared, request: RetrofitRequest) -> dict[str, Any]:
    """Retrofit a draft and store its changes and their reasons; returns the object of `claimgraph retrofit --json`."""
    return service.retrofit(request)


@_router.get("/api/verdicts")
def api_verdicts(
    service: Shared,
    outcome: Outcome | None = None,
    entity: str | None = None,
    since: str | None = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 100,
) -> list[dict[str, Any]]:
    """Return the current verdicts, newest first."""
    start = parse_since(since) if since else None
    return reads.current_verdicts(service.store, outcome=outcome, entity=entity, since=start, limit=limit)


@_router.get("/healthz")
def healthz(service: Shared) -> JSONResponse:
    """Return 200 while the store answers, else 503."""
    found = health.answers(service.store)
    return JSONResponse({"store": found.detail}, 200 if found.state is health.State.OK else 503)
