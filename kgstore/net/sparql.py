"""Query a SPARQL endpoint through SPARQLWrapper: pages of rows, and whether they are complete.

Endpoints fail in ways HTTP does not show: Virtuoso answers 200 with part of the rows and says so in X-SQL headers,
servers send an HTML error page with code 200, or break off in the middle of the JSON. So an answer is read as bytes and
checked before it is used. Queries are files beside this module (data/*.rq) in standard SPARQL 1.1: Wikidata's label
service and Virtuoso's extensions were rejected, since a mirror or a test server would not know them.
"""

from __future__ import annotations

import http.client
import json
import re
import urllib.error
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.extras import require
from claimgraph.kgstore.net.http_budget import Polite
from claimgraph.kgstore.net.retries import Again, Unanswered, refused

PAGE = 5_000
"""Rows of a page: DBpedia returns no more than 10,000."""
MOST_IDS = 50
"""Ids named in one query."""

Term = dict[str, str]
"""A term as SPARQL's JSON has it: type, value, and datatype or xml:lang."""
Binding = dict[str, Term]
"""Variable to term; unbound variables are missing."""


@dataclass(frozen=True, slots=True)
class QueryRows:
    """Rows in the query's order; `problem` says why there may be more, None where they are complete."""

    rows: list[Binding]
    problem: str | None = None


class Endpoint:
    """A SPARQL endpoint, queried politely."""

    def __init__(self, url: str, polite: Polite, page: int = PAGE) -> None:
        if not re.fullmatch(r"https?://[^\s/]+\S*", url):
            raise InputError(f"{url!r} is no address of a SPARQL endpoint: http:// or https:// is needed")
        self.url, self.polite, self._page = url, polite, page

    def select(self, name: str, *, divisible: bool = False, **parts: str) -> QueryRows:
        """Return all rows of the query data/<name>.rq, its `$parts` filled in, page by page.

        The query is ordered and ends before LIMIT. A page that is short by a round number of rows is not taken for the
        last: servers cut at round numbers. Where the budget or a failing server left rows out, `problem` is set; only
        where the first page fails is Unanswered raised.
        """
        query = Template(load(name)).substitute(parts)
        rows: list[Binding] = []
        while True:
            limit = min(self._page, self.polite.budget.rows)
            if limit <= 0:
                return QueryRows(rows, "the row budget is spent")
            try:
                page = self._ask(f"{query}\nLIMIT {limit} OFFSET {len(rows)}", divisible=divisible and not rows)
            except Unanswered as error:
                if not rows:
                    raise
                return QueryRows(rows, str(error))
            rows += page.rows
            self.polite.budget.rows -= len(page.rows)
            if page.problem:
                return QueryRows(rows, page.problem)
            if not page.rows or (len(page.rows) < limit and len(page.rows) % 100):
                return QueryRows(rows)

    def _ask(self, query: str, *, divisible: bool) -> QueryRows:
        agent = self.polite.agent

        def once(seconds: float) -> QueryRows:
            headers, body = _send(self.url, agent, query, seconds)
            return QueryRows(_rows(body), _said_incomplete(headers))

        return self.polite.ask(self.url, once, divisible=divisible)


@cache
def load(name: str) -> str:
    """Return text of data/<name>.rq, without its comments."""
    text = (files("claimgraph.kgstore") / "data" / f"{name}.rq").read_text(encoding="utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))


def values(iris: Iterable[str]) -> str:
    """Return IRIs as SPARQL's VALUES has them. Raises InputError for one that is none."""
    return " ".join(f"<{_checked(iri)}>" for iri in iris)


def text(value: str, language: str = "") -> str:
    """Return a string as SPARQL has it, everything that could end it escaped."""
    escaped = json.dumps(value, ensure_ascii=False).replace("\\/", "/")
    return f"{escaped}@{language}" if language else escaped


def chunks(ids: list[str], size: int = MOST_IDS) -> Iterator[list[str]]:
    """Yield the ids in their order, at most `size` at a time."""
    return (ids[start : start + size] for start in range(0, len(ids), size))


def _checked(iri: str) -> str:
    if re.search(r'[\x00-\x20<>"{}|^`\\]', iri) or ":" not in iri:
        raise InputError(f"{iri!r} is no IRI")
    return iri


def _send(url: str, agent: str, query: str, seconds: float) -> tuple[dict[str, str], bytes]:
    """Return headers, keys in lower case, and body. Raises Again or ServiceError."""
    require("sparql")
    from SPARQLWrapper import JSON, POST, SPARQLExceptions, SPARQLWrapper

    wrapper = SPARQLWrapper(url, returnFormat=JSON, agent=agent)
    wrapper.setMethod(POST)
    wrapper.setTimeout(max(1, round(seconds)))
    wrapper.setQuery(query)
    try:
        with wrapper.query().response as response:
            return {key.lower(): value for key, value in response.info().items()}, response.read()
    except urllib.error.HTTPError as error:
        raise _http(error, error) from error
    except SPARQLExceptions.SPARQLWrapperException as error:
        raise _http(error.__context__, error) from error
    except TimeoutError as error:
        raise Again("no answer in time", heavy=True) from error
    except urllib.error.URLError as error:
        late = isinstance(error.reason, TimeoutError)
        raise Again("no answer in time" if late else f"no connection: {error.reason}", heavy=late) from error
    except (http.client.HTTPException, OSError) as error:
        raise Again(f"the connection broke off: {error or type(error).__name__}") from error


def _http(answer: BaseException | None, error: Exception) -> Exception:
    """Return the error for what the server answered; SPARQLWrapper hides the headers of some codes behind its own
    errors.
    """
    if not isinstance(answer, urllib.error.HTTPError):
        return ServiceError(" ".join(str(error).split())[:200])
    with answer:
        said = "" if answer.closed else answer.read(2000).decode("utf-8", "replace")
        return refused(answer.code, answer.headers.get("Retry-After"), said or str(error))


def _rows(body: bytes) -> list[Binding]:
    try:
        found: Any = json.loads(body)
        rows: list[Binding] = found["results"]["bindings"]
    except (ValueError, KeyError, TypeError) as error:
        page = body.lstrip()[:1] == b"<"
        reason = "a page of HTML instead of rows" if page else "an answer that breaks off, or is not SPARQL's JSON"
        raise Again(reason, heavy=True) from error
    return rows


def _said_incomplete(headers: dict[str, str]) -> str | None:
    """Return Virtuoso's message on a partial answer with code 200."""
    state, message = headers.get("x-sql-state"), headers.get("x-sql-message")
    return f"the server answered in part: {message or state}" if state or message else None
