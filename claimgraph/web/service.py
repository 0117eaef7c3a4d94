"""Hold what the routes share: settings, one checker with its opened store, and the pages' templates."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Annotated, Any, cast

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader
from pydantic import BaseModel, Field

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import reads
from claimgraph.kgstore.store import GraphStore
from claimgraph.reports.check_report import as_json
from claimgraph.reports.retrofit_report import as_json as retrofit_json
from claimgraph.settings import Settings
from claimgraph.wiring import METHODS, Checker
from claimgraph.wiring.retrofitter import Retrofitter
from claimgraph.workers.submission.dispatch import Dispatch


class CheckRequest(BaseModel):
    """A text with the evidence to check it against."""

    text: str = Field(description="The text to check.")
    context: str | None = Field(default=None, description="Text to check against (closed domain).")
    graphs: list[str] = Field(default=[], description="Stored graphs to check against (open domain).")
    method: str = Field(default="fused", description=f"One of {', '.join(METHODS)}.")


class RetrofitRequest(BaseModel):
    """A draft with the graphs to check it against."""

    text: str = Field(description="The draft.")
    question: str | None = Field(default=None, description="What the draft answers.")
    graphs: list[str] = Field(default=[], description="Stored graphs; none: all world graphs.")
    max_iterations: int | None = Field(default=None, description="Rewritings at most; null: 3.")
    mode: str | None = Field(default=None, description="deterministic or llm; null: llm where one is configured.")


class Service:
    """The state shared by the routes: the settings, one checker, and its lock."""

    def __init__(self, settings: Settings, checker: Checker) -> None:
        self.settings = settings
        self.checker = checker
        self._turn = threading.Lock()
        self._pages = Environment(loader=PackageLoader("claimgraph", "web"), autoescape=True)

    @cached_property
    def dispatch(self) -> Dispatch:
        """Dispatch to the broker, one for all requests. Raises UsageError for a broker without Neo4j."""
        return Dispatch(self.settings)

    @property
    def store(self) -> GraphStore:
        """The opened store."""
        return self.checker.store

    def check(self, request: CheckRequest) -> dict[str, Any]:
        """Return the JSON object of `claimgraph check --json`."""
        limit = self.settings.max_text
        document = document_from_text(request.text, limit, "the text")
        context = document_from_text(request.context, limit, "the context") if request.context else None
        with self._turn:
            report = self.checker.check(document, context=context, graphs=request.graphs, method=request.method)
        return as_json(report)

    def retrofit(self, request: RetrofitRequest) -> dict[str, Any]:
        """Return the JSON object of `claimgraph retrofit --json`."""
        document = document_from_text(request.text, self.settings.max_text, "the text")
        store, models = self.checker.store, self.checker.models
        with self._turn:
            shared = Retrofitter(self.settings, request.graphs, mode=request.mode, store=store, models=models)
            return retrofit_json(shared.retrofit(document, request.question, request.max_iterations))

    def page(self, status: int = 200, **shown: Any) -> HTMLResponse:
        """Return the page with the latest verdicts; `shown` are the form's text and context, and the result or
        error.
        """
        rows = reads.current_verdicts(self.store, limit=50)
        graphs = [row["name"] for row in self.store.read("graphs") if row["kind"] == "world"]
        return self.show("page.html", status, **shown, rows=rows, graphs=graphs)

    def show(self, template: str, status: int = 200, **shown: Any) -> HTMLResponse:
        """Return a template of this package rendered with `shown`."""
        return HTMLResponse(self._pages.get_template(template).render(shown), status)


def _service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


Shared = Annotated[Service, Depends(_service)]
