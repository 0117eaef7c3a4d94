"""Query a SPARQL endpoint through SPARQLWrapper: pages of rows, and whether they are complete.

Endpoints fail in ways HTTP does not show: Virtuoso answers 200 or 206 with part of the rows and says so in headers,
servers send an HTML error page with code 200, or break off in the middle of the JSON. So an answer is read as bytes and
checked before it is used. A redirect would lose the query, which is sent by POST: the new address is named instead.
Queries are files beside this module (data/*.rq) in standard SPARQL 1.1: Wikidata's label service and Virtuoso's
extensions were rejected, since a mirror or a test server would not know them.
"""

from __future__ import annotations

import ast
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
from urllib.parse import urljoin

from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.extras import require
from claimgraph.kgstore.net.http_budget import Polite
from claimgraph.kgstore.net.retries import Again, Unanswered, refused

PAGE = 5_000
"""Rows of a page: DBpedia returns no more than 10,000."""
MOST_IDS = 50
"""Ids named in one query."""
_PARTIAL = 206
"""HTTP code of an answer with a part of the rows."""
_ELSEWHERE = frozenset({301, 302, 303, 307, 308})
_WIDE = re.compile(rb"(?<!\\)((?:\\\\)*)\\U(000[0-9A-Fa-f]{5}|0010[0-9A-Fa-f]{4})")

Term = dict[str, str]
"""A term as SPARQL's JSON has it: type, value, and datatype or xml:lang."""
Binding = dict[str, Term]
"""Variable to term; unbound variables are missing."""


@dataclass(frozen=True, slots=True)
class QueryRows:
    """Rows in the query's order; `problem` says why there may be more, None where they are complete. Of a page `cut`
    says that the server has a limit of so many rows.
    """

    rows: list[Binding]
    problem: str | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer of a server; `url` is where it came from, and the keys of `headers` are in lower case."""

    url: str
    code: int
    headers: dict[str, str]
    body: bytes

    @property
    def incomplete(self) -> str | None:
        """Virtuoso's message on a part of the rows: it stopped in time."""
        state, message = self.headers.get("x-sql-state"), self.headers.get("x-sql-message")
        said = message or state or (f"HTTP {self.code}" if self.code == _PARTIAL else None)
        return f"the server answered in part: {said}" if said else None

    @property
    def most(self) -> int | None:
        """Virtuoso's limit of rows, where it says one: it cuts there, with code 200."""
        said = self.headers.get("x-sparql-maxrows", "")
        return int(said) if said.isdecimal() else None


class Endpoint:
    """A SPARQL endpoint, queried politely."""

    def __init__(self, url: str, polite: Polite, page: int = PAGE) -> None:
        if not re.fullmatch(r"https?://[^\s/]+\S*", url):
            raise InputError(f"{url!r} is no address of a SPARQL endpoint: http:// or https:// is needed")
        self.url, self.polite, self._page = url, polite, page

    def select(self, name: str, *, divisible: bool = False, **parts: str) -> QueryRows:
        """Return all rows of the query data/<name>.rq, its `$parts` filled in, page by page.

        The query is ordered and ends before LIMIT. A page that is short by a round number of rows, or as long as the
        server's own limit, is not taken for the last. Where the budget or a failing server left rows out, `problem` is
        set; only where the first page fails is Unanswered raised.
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
            if not page.rows or (len(page.rows) < limit and len(page.rows) % 100 and not page.cut):
                return QueryRows(rows)

    def _ask(self, query: str, *, divisible: bool) -> QueryRows:
        agent = self.polite.agent

        def once(seconds: float) -> QueryRows:
            answer = _send(self.url, agent, query, seconds)
            rows = _rows(answer.body)
            return QueryRows(rows, answer.incomplete, cut=len(rows) == answer.most)

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


def _send(url: str, agent: str, query: str, seconds: float) -> _Answer:
    """Return the answer. Raises Again or ServiceError."""
    require("sparql")
    from SPARQLWrapper import JSON, POST, SPARQLExceptions, SPARQLWrapper

    wrapper = SPARQLWrapper(url, returnFormat=JSON, agent=agent)
    wrapper.setMethod(POST)
    wrapper.setTimeout(max(1, round(seconds)))
    wrapper.setQuery(query)
    try:
        with wrapper.query().response as response:
            headers = {key.lower(): value for key, value in response.info().items()}
            found = _Answer(response.geturl(), response.status, headers, response.read())
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
    if found.url != url:
        raise ServiceError(_moved(found.url))
    return found


def _moved(to: str) -> str:
    return f"the endpoint has moved: give {to} as its address"


def _http(answer: BaseException | None, error: Exception) -> Exception:
    """Return the error for what the server answered; SPARQLWrapper hides the headers of some codes behind its own
    errors.
    """
    if not isinstance(answer, urllib.error.HTTPError):
        return ServiceError(" ".join(str(error).split())[:200])
    if answer.code in _ELSEWHERE and (to := answer.headers.get("Location")):
        return ServiceError(_moved(urljoin(answer.geturl(), to)))
    with answer:
        said = _kept_body(error) or (b"" if answer.closed else answer.read(2000))
        return refused(answer.code, answer.headers.get("Retry-After"), said.decode("utf-8", "replace"))


def _kept_body(error: Exception) -> bytes:
    """Return what SPARQLWrapper read of the answer before it raised: it has it in its message, as Python's literal."""
    said = str(error).partition("\nResponse:\n")[2]
    return bytes(ast.literal_eval(said)) if re.fullmatch(r"b(['\"]).*\1", said) else b""


def _rows(body: bytes) -> list[Binding]:
    try:
        found: Any = _parsed(body)
        rows: list[Binding] = found["results"]["bindings"]
    except (ValueError, KeyError, TypeError) as error:
        page = body.lstrip()[:1] == b"<"
        reason = "a page of HTML instead of rows" if page else "an answer that breaks off, or is not SPARQL's JSON"
        raise Again(reason, heavy=True) from error
    return rows


def _parsed(body: bytes) -> Any:
    """Return the JSON of a body, tabs and ends of lines in strings allowed, and letters beyond 16 bits as Virtuoso
    escapes them (\\U0001F600).
    """
    try:
        return json.loads(body, strict=False)
    except ValueError:
        return json.loads(_WIDE.sub(lambda at: at[1] + chr(int(at[2], 16)).encode(), body), strict=False)
