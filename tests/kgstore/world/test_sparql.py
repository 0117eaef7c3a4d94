"""Asking endpoints: pages, and every way in which public servers fail, against a real SPARQL server."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sparql_server import Fault, Server, serving

from claimgraph.kgstore.errors import InputError, Offline, ServiceError, UsageError
from claimgraph.kgstore.net import sparql
from claimgraph.kgstore.net.file_rate_limit import Limiter
from claimgraph.kgstore.net.http_budget import FetchBudget, Polite
from claimgraph.kgstore.net.retries import Unanswered, seconds_until
from claimgraph.kgstore.net.sparql import Endpoint

_CONTACT = "operator@example.org"
_WORDS = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n" + "".join(
    f'<http://example.org/{number}> rdfs:label "thing"@en .\n' for number in range(250)
)


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of 250 things called "thing"."""
    with serving(_WORDS) as opened:
        yield opened


def polite(folder: Path, **changed: object) -> Polite:
    """Of short pauses."""
    given = {"contact": _CONTACT, "seconds": 20.0, "rows": 100_000, "offline": False} | changed
    budget = FetchBudget(given["seconds"], given["rows"])  # type: ignore[arg-type]
    return Polite(Limiter(folder, 0.0), given["contact"], budget, offline=bool(given["offline"]), pause=0.01)  # type: ignore[arg-type]


def things(endpoint: Endpoint) -> sparql.QueryRows:
    return endpoint.select("triples_names", names='"thing"@en')


@pytest.mark.parametrize("page", [7, 100, 249, 250, 251, 5000])
def test_pages_make_a_whole(server: Server, tmp_path: Path, page: int) -> None:
    """Whatever the size of a page, every row comes once, in order."""
    answer = things(Endpoint(server.url, polite(tmp_path), page))
    found = [row["item"]["value"] for row in answer.rows]
    assert (sorted(f"http://example.org/{n}" for n in range(250)), None) == (found, answer.problem)


def test_a_server_that_cuts_at_a_round_number_is_asked_on(server: Server, tmp_path: Path) -> None:
    """A server that answers at most 100 rows without saying so gives all of them in the end."""
    server.most_rows = 100
    assert 250 == len(things(Endpoint(server.url, polite(tmp_path))).rows)


def test_the_operator_is_named(server: Server, tmp_path: Path) -> None:
    """The User-Agent says what asks and who runs it."""
    things(Endpoint(server.url, polite(tmp_path)))
    [agent] = {agent for _, agent, _ in server.asked}
    assert agent.startswith("claimgraph/")
    assert _CONTACT in agent


def test_without_an_operator_nothing_is_asked(server: Server, tmp_path: Path) -> None:
    """The error is one line that names the setting."""
    with pytest.raises(UsageError, match="CLAIMGRAPH_CONTACT"):
        things(Endpoint(server.url, polite(tmp_path, contact=None)))
    assert [] == server.asked


@pytest.mark.parametrize("contact", ["a\nHost: evil", "jürgen@example.org"])
def test_an_operator_that_no_header_can_hold(server: Server, tmp_path: Path, contact: str) -> None:
    """Line ends and letters beyond ASCII are refused in one line."""
    with pytest.raises(InputError, match="CLAIMGRAPH_CONTACT"):
        things(Endpoint(server.url, polite(tmp_path, contact=contact)))


def test_offline_nothing_is_asked(server: Server, tmp_path: Path) -> None:
    """The network is refused before anything is sent."""
    with pytest.raises(Offline):
        things(Endpoint(server.url, polite(tmp_path, offline=True)))
    assert [] == server.asked


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", code=429, retry_after="0"),
        Fault("status", code=500),
        Fault("status", code=502),
        Fault("status", code=503),
        Fault("status", code=504),
        Fault("html"),
        Fault("cut"),
        Fault("reset"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.code}",
)
def test_what_fails_once_is_asked_again(server: Server, tmp_path: Path, fault: Fault) -> None:
    """Codes of busy servers, HTML in a 200, cut-off JSON and broken connections are overcome."""
    server.faults = [fault]
    answer = things(Endpoint(server.url, polite(tmp_path)))
    assert (250, None) == (len(answer.rows), answer.problem)


@pytest.mark.parametrize("kind", ["status", "html", "cut", "reset"])
def test_what_fails_always_is_an_error_that_says_why(server: Server, tmp_path: Path, kind: str) -> None:
    """After five attempts the host and the reason are named."""
    server.faults = [Fault(kind, times=99)]
    with pytest.raises(Unanswered, match=r"127\.0\.0\.1:\d+: "):
        things(Endpoint(server.url, polite(tmp_path)))
    assert 5 == len(server.asked)


def test_a_heavy_question_about_much_is_not_repeated(server: Server, tmp_path: Path) -> None:
    """Where less can be asked for, the first failure of a heavy question is handed back."""
    server.faults = [Fault("status", times=99)]
    with pytest.raises(Unanswered) as caught:
        Endpoint(server.url, polite(tmp_path)).select("triples_names", names='"thing"@en', divisible=True)
    assert (True, 1) == (caught.value.heavy, len(server.asked))


@pytest.mark.parametrize("wait", ["1", "date"])
def test_retry_after_is_kept_by_all(server: Server, tmp_path: Path, wait: str) -> None:
    """After a 429 nobody asks the host before the time it named, as seconds or as a date."""
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    header = format_datetime(until, usegmt=True) if wait == "date" else wait
    server.faults = [Fault("status", code=429, retry_after=header)]
    things(Endpoint(server.url, polite(tmp_path)))
    earliest = until.timestamp() if wait == "date" else server.asked[0][0] + 1
    assert server.asked[1][0] >= earliest - 0.05


def test_a_pause_beyond_the_budget_ends_the_asking(server: Server, tmp_path: Path) -> None:
    """A server that wants an hour is left alone."""
    server.faults = [Fault("status", code=429, retry_after="3600")]
    with pytest.raises(Unanswered, match="HTTP 429"):
        things(Endpoint(server.url, polite(tmp_path)))
    assert 1 == len(server.asked)


def test_no_answer_in_time(server: Server, tmp_path: Path) -> None:
    """A server that does not answer is given up when the time budget is spent."""
    server.faults = [Fault("slow", times=99)]
    with pytest.raises(Unanswered, match="no answer in time"):
        things(Endpoint(server.url, polite(tmp_path, seconds=1.2)))


def test_nobody_there(tmp_path: Path) -> None:
    """An address where nothing listens is an error of the service."""
    with pytest.raises(Unanswered, match="no connection"):
        things(Endpoint("http://127.0.0.1:9/sparql", polite(tmp_path)))


def test_a_partial_answer_is_known_as_one(server: Server, tmp_path: Path) -> None:
    """Virtuoso's headers of a 200 make the answer incomplete; its rows are kept."""
    server.faults = [Fault("partial")]
    answer = things(Endpoint(server.url, polite(tmp_path)))
    assert 125 == len(answer.rows)
    assert "Returning incomplete results" in (answer.problem or "")


def test_the_row_budget_stops_between_pages(server: Server, tmp_path: Path) -> None:
    """No more rows are asked for than are left, and the answer says that it is not whole."""
    answer = things(Endpoint(server.url, polite(tmp_path, rows=120), 50))
    assert (120, "the row budget is spent") == (len(answer.rows), answer.problem)


def test_a_later_page_that_fails_leaves_what_came_before(server: Server, tmp_path: Path) -> None:
    """Rows of the pages before are kept, with the reason why there are no more."""
    server.faults = [Fault("html", times=99, when=lambda query: "OFFSET 0" not in query)]
    answer = things(Endpoint(server.url, polite(tmp_path), 90))
    assert (90, True) == (len(answer.rows), "HTML" in (answer.problem or ""))


def test_a_query_the_server_refuses_is_not_repeated(server: Server, tmp_path: Path) -> None:
    """Code 400 is the asker's fault: once is enough."""
    server.faults = [Fault("status", code=400)]
    with pytest.raises(ServiceError, match="HTTP 400"):
        things(Endpoint(server.url, polite(tmp_path)))
    assert 1 == len(server.asked)


@given(name=st.text(min_size=1, max_size=30).filter(lambda name: name.isprintable() and name.strip() == name))
@settings(max_examples=40, deadline=None)
def test_any_name_is_one_string_of_the_query(name: str) -> None:
    """Whatever a name holds, the server reads the very same."""
    from pyoxigraph import Store

    query = f"SELECT ?x WHERE {{ BIND({sparql.text(name)} AS ?x) }}"
    [row] = Store().query(query)
    assert name == row[0].value


@pytest.mark.parametrize("iri", ["no iri", "http://x/<y>", "http://x/} UNION {", "", 'http://x/"'])
def test_what_is_no_iri_never_reaches_a_query(iri: str) -> None:
    """Ids are checked before they are written into a query."""
    with pytest.raises(InputError, match="no IRI"):
        sparql.values([iri])


@pytest.mark.parametrize("url", ["query.wikidata.org", "file:///etc/passwd", "ftp://x/sparql", ""])
def test_an_endpoint_is_an_address_of_the_web(tmp_path: Path, url: str) -> None:
    """Anything but http and https is refused."""
    with pytest.raises(InputError, match="http"):
        Endpoint(url, polite(tmp_path))


@pytest.mark.parametrize(("header", "seconds"), [("3", 3.0), ("0", 0.0), ("-1", 0.0), (None, None), ("soon", None)])
def test_retry_after_in_seconds(header: str | None, seconds: float | None) -> None:
    """Seconds, or nothing that can be read."""
    assert seconds == seconds_until(header)
