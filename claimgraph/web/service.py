"""Hold what the routes share: settings, one checker with its opened store, and the pages' templates."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Annotated, Any, cast

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Document, Report
from claimgraph.kgstore.store import GraphStore
from claimgraph.repair.correction import CorrectionReport
from claimgraph.settings import Settings
from claimgraph.web.models import AskRequest, CheckRequest, CorrectRequest, RetrofitRequest
from claimgraph.web.problems import Busy
from claimgraph.wiring import Checker, corrector
from claimgraph.workers.submission.dispatch import Dispatch

_PATIENCE = 60.0
"""Seconds that a request waits for the models before it is told to come back."""
_WAITING = 20
"""Requests that may wait at once: each occupies a thread, and others answer what needs no model."""


_PLACES = {
    "check.html": "/",
    **{f"{name}.html": f"/{name}" for name in ("documents", "verdicts", "runs", "cypher", "docs")},
}
"""Templates of the pages that the navigation names, with their addresses."""


class Service:
    """The state shared by the routes: the settings, one checker, and its lock: models answer one request at a time."""

    def __init__(self, settings: Settings, checker: Checker) -> None:
        self.settings = settings
        self.checker = checker
        self._turn = threading.Lock()
        self._line = threading.BoundedSemaphore(_WAITING)
        self._pages = Environment(loader=PackageLoader("claimgraph", "web/templates"), autoescape=True)

    @cached_property
    def dispatch(self) -> Dispatch:
        """Dispatch to the broker, one for all requests. Raises UsageError for a broker without Neo4j."""
        return Dispatch(self.settings)

    @property
    def store(self) -> GraphStore:
        """The opened store."""
        return self.checker.store

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the models and hold them. Raises Busy after a minute, or at once where too many wait before."""
        if not self._line.acquire(blocking=False):
            raise Busy(_PATIENCE)
        try:
            if not self._turn.acquire(timeout=_PATIENCE):
                raise Busy(_PATIENCE / 2)
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._line.release()

    def document(self, text: str, where: str) -> Document:
        """Return a given text as a document. Raises InputError where it is empty or too long."""
        return document_from_text(text, self.settings.max_text, where)

    def check(self, request: CheckRequest) -> Report:
        """Check a request's text and store the verdicts."""
        given = [request.context] if isinstance(request.context, str) else request.context or []
        contexts = [self.document(text, "the context") for text in given]
        return self.check_document(self.document(request.text, "the text"), contexts, request.graphs, request.method)

    def check_document(
        self, document: Document, contexts: Sequence[Document], graphs: Sequence[str], method: str = "fused"
    ) -> Report:
        """Check a document and store the verdicts."""
        with self.turn():
            return self.checker.check(document, context=contexts or None, graphs=graphs, method=method)

    def correct(self, request: CorrectRequest) -> CorrectionReport:
        """Correct a text by its context and store the changes."""
        document, context = self.document(request.text, "the text"), self.document(request.context, "the context")
        with self.turn():
            return self.checker.correct(document, corrector(self.checker.models, request.method), context=context)

    def retrofit(self, request: RetrofitRequest) -> dict[str, Any]:
        """Return the JSON object of `claimgraph retrofit --json`."""
        from claimgraph.reports.retrofit_report import as_json
        from claimgraph.wiring.retrofitter import Retrofitter

        document = self.document(request.text, "the text")
        with self.turn():
            shared = Retrofitter(
                self.settings, request.graphs, mode=request.mode, store=self.store, models=self._models
            )
            return as_json(shared.retrofit(document, request.question, request.max_iterations))

    def ask(self, request: AskRequest) -> dict[str, Any]:
        """Return the JSON object of `claimgraph ask --json`."""
        from claimgraph.reports.answer_report import as_json
        from claimgraph.wiring.asker import Asker

        with self.turn():
            shared = Asker(self.settings, request.graphs, store=self.store, models=self._models)
            return as_json(shared.ask(request.question, mode=request.mode))

    @property
    def _models(self) -> Any:
        return self.checker.models

    def show(self, template: str, status: int = 200, **shown: Any) -> HTMLResponse:
        """Return a template of this package rendered with `shown`."""
        here = _PLACES.get(template, "")
        return HTMLResponse(self._pages.get_template(template).render(shown, here=here), status)


def _service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


Shared = Annotated[Service, Depends(_service)]
