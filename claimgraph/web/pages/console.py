"""The Cypher console: named questions, a result table, and a picture where the result is triples."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from claimgraph.kgstore.errors import ClaimgraphError
from claimgraph.kgstore.model import Triple
from claimgraph.kgstore.store import Table
from claimgraph.reports.drawing import Edge, svg
from claimgraph.reports.named_queries import NAMED_QUERIES
from claimgraph.web.api.stored import as_csv, limits
from claimgraph.web.problems import said, status_of
from claimgraph.web.service import Shared

router = APIRouter()
_ROWS = 500
_DRAWN = 12
"""Most triples that are drawn."""


@router.get("/cypher", response_class=HTMLResponse)
def console(service: Shared, query: str = "") -> HTMLResponse:
    """Return the console with a query filled in, not run."""
    return service.show("cypher.html", named=NAMED_QUERIES, query=query or NAMED_QUERIES[0].query)


@router.post("/cypher", response_class=HTMLResponse)
def answered(service: Shared, query: Annotated[str, Form()]) -> HTMLResponse:
    """Run the query and show its rows."""
    try:
        table = service.store.query(query, {}, limits(service, _ROWS, None))
    except ClaimgraphError as error:
        return service.show("cypher.html", status_of(error), named=NAMED_QUERIES, query=query, error=said(error))
    return service.show("cypher.html", named=NAMED_QUERIES, query=query, table=table, picture=_picture(table))


@router.post("/cypher/csv", response_class=Response)
def as_file(service: Shared, query: Annotated[str, Form()]) -> Response:
    """Run the query and return all its rows, up to the limit of the settings, as CSV."""
    table = service.store.query(query, {}, limits(service, None, None))
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    answer = as_csv(list(table.columns), rows)
    answer.headers["Content-Disposition"] = 'attachment; filename="result.csv"'
    return answer


def _picture(table: Table) -> Markup | None:
    """Draw the rows' columns `subject`, `predicate` and `object`, where there are such."""
    columns = [name.lower() for name in table.columns]
    if not {"subject", "predicate", "object"} <= set(columns) or not table.rows:
        return None
    at = [columns.index(name) for name in ("subject", "predicate", "object")]
    triples = dict.fromkeys(Triple(*(str(row[column]) for column in at)) for row in table.rows)
    return Markup(svg([Edge(triple) for triple in list(triples)[:_DRAWN]]))
