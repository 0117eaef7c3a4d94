"""Serve runs of many documents over HTTP: submitted to workers, followed, paused, cancelled.

Without a broker nothing is submitted, resumed or retried here: a request must not work for hours.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from claimgraph.kgstore.errors import UsageError
from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import Budget
from claimgraph.runs import runs_report
from claimgraph.runs.submitted import ReadingOptions, asked_for, stale
from claimgraph.web.service import Service, Shared
from claimgraph.workers.submission.dispatch import Dispatch
from claimgraph.workers.submission.planning import KINDS, Asked
from claimgraph.workers.submission.submit import Item, submit
from claimgraph.workers.tasks.task_table import CHECK, RECHECK

router = APIRouter(prefix="/api", tags=["runs"])


class Limits(BaseModel):
    """Limits at which a run stops; null for no limit."""

    max_seconds: float | None = Field(default=None, ge=0, description="Seconds of work of all workers together.")
    max_calls: int | None = Field(default=None, ge=0, description="Calls of a language model.")
    max_tokens: int | None = Field(default=None, ge=0, description="Tokens of a language model.")

    @property
    def budget(self) -> Budget:
        """The limits as the board's Budget."""
        return Budget(self.max_seconds, self.max_calls, self.max_tokens)


class RunRequest(Limits):
    """Many documents, and the work to be done on each."""

    documents: list[dict[str, Any]] = Field(
        default=[],
        description="text, context (or a list), name, graphs, question; all but text optional, of questions text too.",
    )
    kind: str = Field(default=CHECK, description=f"One of {', '.join(KINDS)}; recheck finds its documents itself.")
    methods: list[str] = Field(default=[], description="Of a check; none: fused.")
    preset: str | None = Field(default=None, description="Preset of the one method.")
    extractor: str | None = Field(default=None, description="What reads claims; null: the setting.")
    graphs: list[str] = Field(default=[], description="Stored graphs, for documents without their own.")
    fetch: list[str] = Field(default=[], description="Of a check: wikidata or dbpedia, fetched first.")
    explain: bool = Field(default=False, description="Of a check: also explain what is not supported.")
    correct: str | None = Field(default=None, description="Of a check: also correct, that way.")
    mode: str | None = Field(default=None, description="Of retrofit and ask, as the commands have it.")
    assume: str | None = Field(default=None, description="Of retrofit: what a graph's silence means.")
    bulk: bool = Field(default=False, description="Let other runs go first.")

    @property
    def asked(self) -> Asked:
        """Return the workers' request. Raises UsageError for an option of another kind."""
        return asked_for(
            **self.model_dump(exclude={"documents", "max_seconds", "max_calls", "max_tokens"}), budget=self.budget
        )


@router.post("/runs")
def submitted(service: Shared, request: RunRequest) -> dict[str, Any]:
    """Queue documents for the workers; returns the object of `claimgraph submit --json`."""
    dispatch, asked, store = _to_workers(service), request.asked, service.store
    reading = ReadingOptions(asked, service.settings.max_text)
    items: Iterable[Item] | None = [reading.item(row, f"document {n}") for n, row in enumerate(request.documents, 1)]
    if asked.kind == RECHECK and (items := stale(store, request.graphs)) is None:
        return {"run": None, "total": 0}
    found = submit(service.settings, store, items or (), asked, dispatch)
    return {"run": found.run, "total": found.total}


@router.get("/runs")
def runs(service: Shared, limit: Annotated[int, Query(ge=1, le=10_000)] = 100) -> list[dict[str, Any]]:
    """Return the runs, newest first; each as `claimgraph runs --json` prints it."""
    return [runs_report.as_json(run) for run in Board(service.store).batches(limit)]


@router.get("/runs/{run}")
def run_in_full(service: Shared, run: str) -> dict[str, Any]:
    """Return one run with its documents, worst first, as `claimgraph runs ID --json` prints it; the beginning of its id
    is enough.
    """
    return runs_report.in_full(service.store, runs_report.full_id(service.store, run))


@router.get("/runs/{run}/verdicts")
def run_verdicts(
    service: Shared, run: str, outcome: Outcome | None = None, limit: Annotated[int, Query(ge=1, le=10_000)] = 100
) -> list[dict[str, Any]]:
    """Return the current verdicts on its texts, newest first."""
    return runs_report.verdicts(service.store, runs_report.full_id(service.store, run), outcome, limit)


@router.post("/runs/{run}/cancel")
def cancel(service: Shared, run: str) -> dict[str, Any]:
    """Cancel the rest of a run; returns the run."""
    key = runs_report.full_id(service.store, run)
    Board(service.store).cancel(key)
    return runs_report.in_full(service.store, key)


@router.post("/runs/{run}/pause")
def pause(service: Shared, run: str) -> dict[str, Any]:
    """Pause a run: none of its work begins until it is resumed; returns the run."""
    key = runs_report.full_id(service.store, run)
    Board(service.store).pause(key, runs_report.PAUSED)
    return runs_report.in_full(service.store, key)


@router.post("/runs/{run}/resume")
def resume(service: Shared, run: str, limits: Limits | None = None) -> dict[str, Any]:
    """Resume a run, with another budget where one is given; returns the run."""
    dispatch, key = _to_workers(service), runs_report.full_id(service.store, run)
    dispatch(Board(service.store).resume(key, limits.budget if limits else None))
    return runs_report.in_full(service.store, key)


@router.post("/runs/{run}/retry")
def retry(service: Shared, run: str) -> dict[str, Any]:
    """Retry the run's parked documents; returns the run."""
    dispatch, key = _to_workers(service), runs_report.full_id(service.store, run)
    dispatch(Board(service.store).retry(key))
    return runs_report.in_full(service.store, key)


@router.get("/runs/{run}/events", response_class=StreamingResponse)
def events(service: Shared, run: str) -> StreamingResponse:
    """Stream the run's progress as server-sent events, one a second, until it is over or parked."""
    key = runs_report.full_id(service.store, run)
    return StreamingResponse(
        _events(service, key), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


def _events(service: Service, run: str) -> Iterator[str]:
    board, last = Board(service.store), ""
    while True:
        found = board.progress(run)
        said = f"data: {json.dumps(runs_report.as_json(found) | {'seconds': None}, default=str)}\n\n"
        yield said if said != last else ": the same\n\n"
        if found.status in runs_report.ENDED:
            return
        last = said
        time.sleep(1)


def _to_workers(service: Service) -> Dispatch:
    """Return the dispatch to the broker. Raises UsageError where there is none."""
    if service.dispatch.here:
        raise UsageError("no broker is set (CELERY_BROKER_URL), and a request must not work for hours: use claimgraph")
    return service.dispatch
