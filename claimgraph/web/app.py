"""Make the web application: pages and HTTP API over one opened store, the same calls as the command line.

Pages are rendered on the server with every text escaped; the one script is a file of this package. Nothing is loaded
from another host, the documentation of the API included.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from claimgraph import health
from claimgraph.kgstore.errors import ClaimgraphError
from claimgraph.settings import Settings
from claimgraph.web import pages, problems
from claimgraph.web.access import Access, Rate
from claimgraph.web.api import metrics, runs, stored, texts
from claimgraph.web.keys import Keys
from claimgraph.web.pages import checking, console, documents, signing
from claimgraph.web.pages import runs as run_pages
from claimgraph.web.service import Service, Shared
from claimgraph.wiring import Checker

_MIB = 1024 * 1024
_DESCRIPTION = """Checks every claim of a text against a context or a knowledge graph, and answers from what is stored.

The objects are those of the command line's `--json`. Errors are problem details (RFC 9457)."""


def make_app(settings: Settings) -> FastAPI:
    """Return the application. Its store is opened when it starts and closed when it stops; texts wait for each other.

    With keys (settings.keys_file) a request must carry one; without, only requests to a loopback name are answered.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with Checker(settings) as checker:
            app.state.service = Service(settings, checker)
            yield

    app = FastAPI(
        title="claimgraph",
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses={422: {"model": None, "description": "What is wrong, as problem details"}},
    )
    app.state.keys = Keys(settings.keys_file)
    app.add_middleware(
        Access, keys=app.state.keys, rate=Rate(settings.rate_limit), max_bytes=int(3 * settings.max_text * _MIB)
    )
    app.add_exception_handler(ClaimgraphError, problems.of_claimgraph)
    app.add_exception_handler(RequestValidationError, problems.of_request)
    app.add_exception_handler(HTTPException, problems.of_http)
    app.add_exception_handler(Exception, problems.of_any)
    for router in (texts.router, stored.router, runs.router, metrics.router):
        app.include_router(router)
    for router in (checking.router, documents.router, run_pages.router, console.router, signing.router):
        app.include_router(router, include_in_schema=False)
    app.add_api_route("/healthz", healthz, tags=["health"])
    app.mount("/static/swagger", StaticFiles(packages=[("fastapi_swagger", "resources")]))
    app.mount("/static", StaticFiles(directory=str(files(pages).joinpath("../static"))))
    return app


def healthz(service: Shared) -> JSONResponse:
    """Return 200 while the store answers, else 503."""
    found = health.answers(service.store)
    works = found.state is health.State.OK
    return JSONResponse({"store": found.detail if works else "does not answer"}, 200 if works else 503)
