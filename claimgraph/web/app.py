"""The web page and the HTTP API: the same calls as the command line, over one opened store.

Pages are rendered on the server with every text escaped. There is no login and no telemetry.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, FastAPI, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse
from jinja2 import Environment
from pydantic import BaseModel, Field

from claimgraph import health
from claimgraph.reading import document_from_text, parse_since
from claimgraph.report import as_json
from claimgraph.retrofit_report import as_json as retrofit_json
from claimgraph.settings import Settings
from claimgraph.wiring import METHODS, Checker
from claimgraph.wiring.retrofitter import Retrofitter
from kgstore import reads
from kgstore.errors import ClaimgraphError, InputError
from kgstore.model import Outcome


class CheckRequest(BaseModel):
    """A text with what to check it against."""

    text: str = Field(description="The text to check.")
    context: str | None = Field(default=None, description="Text to check against (closed domain).")
    graphs: list[str] = Field(default=[], description="Stored graphs to check against (open domain).")
    method: str = Field(default="fused", description=f"One of {', '.join(METHODS)}.")


class RetrofitRequest(BaseModel):
    """A draft with what to hold it against."""

    text: str = Field(description="The draft.")
    question: str | None = Field(default=None, description="What the draft answers.")
    graphs: list[str] = Field(default=[], description="Stored graphs; none: all world graphs.")
    max_iterations: int | None = Field(default=None, description="Rewritings at most; null: 3.")
    mode: str | None = Field(default=None, description="deterministic or llm; null: llm where one is configured.")


def make_app(settings: Settings) -> FastAPI:
    """The application. Its store is opened when it starts and closed when it stops; checks run one at a time."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with Checker(settings) as checker:
            app.state.service = Service(settings, checker)
            yield

    app = FastAPI(title="claimgraph", lifespan=lifespan)
    app.add_exception_handler(ClaimgraphError, _failed)
    app.include_router(_router)
    return app


class Service:
    """What the routes share: the settings, one checker, and its turn."""

    def __init__(self, settings: Settings, checker: Checker) -> None:
        self.settings = settings
        self.checker = checker
        self._turn = threading.Lock()
        source = (files(__package__) / "page.html").read_text(encoding="utf-8")
        self._page = Environment(autoescape=True).from_string(source)

    def check(self, request: CheckRequest) -> dict[str, Any]:
        """The JSON object of `claimgraph check --json`."""
        limit = self.settings.max_text
        document = document_from_text(request.text, limit, "the text")
        context = document_from_text(request.context, limit, "the context") if request.context else None
        with self._turn:
            report = self.checker.check(document, context=context, graphs=request.graphs, method=request.method)
        return as_json(report)

    def retrofit(self, request: RetrofitRequest) -> dict[str, Any]:
        """The JSON object of `claimgraph retrofit --json`."""
        document = document_from_text(request.text, self.settings.max_text, "the text")
        store, models = self.checker.store, self.checker.models
        with self._turn:
            shared = Retrofitter(self.settings, request.graphs, mode=request.mode, store=store, models=models)
            return retrofit_json(shared.retrofit(document, request.question, request.max_iterations))

    def page(self, status: int = 200, **shown: Any) -> HTMLResponse:
        """The page with the latest verdicts; `shown` are the form's text and context, and the result or error."""
        store = self.checker.store
        rows = reads.current_verdicts(store, limit=50)
        graphs = [row["name"] for row in store.read("graphs") if row["kind"] == "world"]
        return HTMLResponse(self._page.render(shown, rows=rows, graphs=graphs), status)


def _service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


def _failed(_: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, 422 if isinstance(error, InputError) else 503)


Shared = Annotated[Service, Depends(_service)]
_router = APIRouter()


@_router.get("/", response_class=HTMLResponse)
def home(service: Shared) -> HTMLResponse:
    """The page: a form and the latest verdicts."""
    return service.page()


@_router.post("/", response_class=HTMLResponse)
def home_check(
    service: Shared,
    text: Annotated[str, Form()],
    context: Annotated[str, Form()] = "",
    graph: Annotated[str, Form()] = "",
) -> HTMLResponse:
    """Check what the form holds and show the verdicts."""
    try:
        request = CheckRequest(text=text, context=context or None, graphs=[graph] if graph else [])
        return service.page(text=text, context=context, result=service.check(request))
    except InputError as error:
        return service.page(422, text=text, context=context, error=str(error))


@_router.post("/api/check")
def api_check(service: Shared, request: CheckRequest) -> dict[str, Any]:
    """Check a text and store the verdicts; answers with the object of `claimgraph check --json`."""
    return service.check(request)


@_router.post("/api/retrofit")
def api_retrofit(service: Shared, request: RetrofitRequest) -> dict[str, Any]:
    """Retrofit a draft and store what was changed and why; answers as `claimgraph retrofit --json` prints."""
    return service.retrofit(request)


@_router.get("/api/verdicts")
def api_verdicts(
    service: Shared,
    outcome: Outcome | None = None,
    entity: str | None = None,
    since: str | None = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 100,
) -> list[dict[str, Any]]:
    """The verdicts that hold now, newest first."""
    start = parse_since(since) if since else None
    return reads.current_verdicts(service.checker.store, outcome=outcome, entity=entity, since=start, limit=limit)


@_router.get("/healthz")
def healthz(service: Shared) -> JSONResponse:
    """200 while the store answers, else 503."""
    found = health.answers(service.checker.store)
    return JSONResponse({"store": found.detail}, 200 if found.state is health.State.OK else 503)
