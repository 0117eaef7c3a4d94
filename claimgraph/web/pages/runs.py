"""Pages of runs of many documents: the list, and a run's dashboard."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from claimgraph.kgstore import listings, reads
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.store import Row
from claimgraph.runs import runs_report
from claimgraph.web.service import Shared

router = APIRouter()


@router.get("/runs", response_class=HTMLResponse)
def runs(service: Shared) -> HTMLResponse:
    """Return the latest runs with their progress."""
    return service.show("runs.html", runs=[runs_report.as_json(run) for run in Board(service.store).batches(50)])


@router.get("/runs/{run}", response_class=HTMLResponse)
def run(service: Shared, run: str) -> HTMLResponse:
    """Return one run: progress, outcomes, worst documents, what is parked, and the claims that methods disagree on."""
    key = runs_report.full_id(service.store, run)
    found = runs_report.in_full(service.store, key)
    worst = listings.checked_documents(service.store, run=key, limit=20)
    over = found["status"] in runs_report.ENDED
    differing = reads.disagreements(service.store, run=key, limit=20)
    return service.show("run.html", run=found, worst=worst, over=over, disagreements=_by_claim(differing))


def _by_claim(rows: Sequence[Row]) -> list[list[Row]]:
    """Return rows of verdicts, those of one claim together."""
    return [list(some) for _, some in groupby(rows, key=itemgetter("claim"))]
