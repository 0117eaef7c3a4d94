"""DBpedia's endpoint as it answers: Virtuoso's JSON and headers, its parts of answers, its refusals and error pages.

The files of tests/recorded/dbpedia are whole HTTP answers in Virtuoso's writing (typed-literal, letters escaped in
capitals, `link`, `distinct` and `ordered`), with the headers that OpenLink documents for answers in part.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from recorded_server import Recorded, replaying

from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import ServiceError
from claimgraph.kgstore.net.file_rate_limit import Limiter
from claimgraph.kgstore.net.http_budget import FetchBudget, Polite
from claimgraph.kgstore.net.retries import Unanswered
from claimgraph.kgstore.net.sparql import Endpoint, QueryRows
from claimgraph.kgstore.reads import load_entities, load_graph, load_summaries
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.world.cache import WorldCache
from claimgraph.kgstore.world.dbpedia import TripleEndpoint

CURIE = "dbr:Marie_Curie"
FACTS = {
    "birth date 1867-11-07",
    "birth name Maria Salomea Skłodowska",
    "birth place Congress Poland",
    "birth place Warsaw",
    "birth year 1867",
    "death date 1934-07-04",
    "death place Sancellemoz",
    "field Chemistry",
    "field Physics",
    "height 1.6 m",
    "same as Q7186",
    "spouse Pierre Curie",
    "type scientist",
}


@pytest.fixture
def server() -> Iterator[Recorded]:
    """DBpedia, as recorded."""
    with replaying() as opened:
        yield opened


def _endpoint(server: Recorded, folder: Path) -> Endpoint:
    polite = Polite(Limiter(folder, 0.0), "operator@example.org", FetchBudget(20.0, 100_000), pause=0.01)
    return Endpoint(server.url, polite)


def _cache(store: GraphStore, server: Recorded, folder: Path) -> WorldCache:
    endpoint = _endpoint(server, folder)
    return WorldCache(store, TripleEndpoint(endpoint, "en", "dbpedia", dbpedia=True), endpoint.polite)


def _facts(server: Recorded, folder: Path) -> QueryRows:
    return _endpoint(server, folder).select("triples_as_subject", ids="<a:b>", languages='"en"', filter="")


def _told(store: GraphStore) -> set[str]:
    found = load_graph(store, "dbpedia")
    triples = (found.triple(fact) for fact in found.facts if fact.subject == CURIE)
    return {triple.text.removeprefix("Marie Curie ") for triple in triples}


def test_what_virtuoso_writes_is_read(store: GraphStore, server: Recorded, tmp_path: Path) -> None:
    """Typed literals, languages, units, letters beyond 16 bits, a redirect; a page that was deleted has no facts."""
    server.files["as_object"] = ["as_object", "deleted"]
    report = _cache(store, server, tmp_path).fetch(["dbr:Madame_Curie", "dbr:Deleted_Page"])
    assert [CURIE, "dbr:Deleted_Page"] == [entry.id for entry in report.entities]
    assert {"complete"} == {status for entry in report.entities for status in entry.parts.values()}
    assert (True, []) == (report.complete, report.problems)
    assert FACTS == _told(store)
    found = load_entities(store, [CURIE])[CURIE]
    assert {"Curie, Marie", "Madame Curie", "Marie Skłodowska-Curie", "𝕄arie Curie"} == set(found.aliases)
    assert (
        "Marie Salomea Skłodowska–Curie was a Polish and naturalized-French physicist and chemist." == found.description
    )
    [(_, abstract)] = load_summaries(store, [CURIE])
    assert "1934) was a Polish" in abstract.text
    assert 'radioactivity.\nShe was the first woman to win a "Nobel Prize".' in abstract.text
    incoming = {fact.subject for fact in load_graph(store, "dbpedia").facts if fact.object == CURIE}
    assert {"dbr:Pierre_Curie", "dbr:Irène_Joliot-Curie"} == incoming


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("partial_200", "RC...: Returning incomplete results, query interrupted by result timeout."),
        ("partial_206", "RC...: Returning incomplete results, query interrupted by result timeout."),
        ("partial_206_plain", "HTTP 206"),
    ],
)
def test_a_part_is_known_for_one(store: GraphStore, server: Recorded, tmp_path: Path, name: str, says: str) -> None:
    """Rows that came stay, and the entity is incomplete: headers or the code say so."""
    server.files["as_subject"] = [name]
    report = _cache(store, server, tmp_path).fetch([CURIE])
    [entry] = report.entities
    assert ("incomplete", "complete") == (entry.parts["as subject"], entry.parts["as object"])
    assert says in report.problems[0]
    assert 5 == len(_told(store))


def test_rows_beyond_the_limit_are_asked_for(server: Recorded, tmp_path: Path) -> None:
    """A page as long as X-SPARQL-MaxRows is followed by the next one."""
    server.files["as_subject"] = ["maxrows_page_1", "maxrows_page_2"]
    found = _facts(server, tmp_path)
    assert (13, None, ["as_subject"] * 2) == (len(found.rows), found.problem, server.asked)


def test_a_tab_in_a_string(server: Recorded, tmp_path: Path) -> None:
    """Control characters that Virtuoso leaves as they are end no answer."""
    server.files["as_subject"] = ["tab_in_string"]
    [row] = _facts(server, tmp_path).rows
    assert "Maria Salomea \tSkl" == row["value"]["value"]


@pytest.mark.parametrize(
    "name", ["gateway_502", "busy_503", "page_200", "page_500", "anytime_500", "cut", "estimate_500"]
)
def test_what_fails_once_is_asked_again(server: Recorded, tmp_path: Path, name: str) -> None:
    """Pages of proxies, of Virtuoso with either code, its refusals and answers that break off."""
    server.files["as_subject"] = [name, "as_subject"]
    found = _facts(server, tmp_path)
    assert (13, None) == (len(found.rows), found.problem)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "estimate_500",
            r"HTTP 500: Virtuoso 42000 Error The estimated execution time .* exceeds the limit of 400 \(sec\)\.$",
        ),
        ("anytime_500", "HTTP 500: Virtuoso S1TAT Error Query did not complete due to ANYTIME timeout.$"),
        ("page_500", "HTTP 500$"),
        ("gateway_502", "HTTP 502$"),
        ("page_200", "a page of HTML instead of rows$"),
        ("cut", "the connection broke off: "),
    ],
)
def test_what_fails_always_says_why(server: Recorded, tmp_path: Path, name: str, says: str) -> None:
    """The reason is Virtuoso's own first line, without the query that it repeats; a page gives its code alone."""
    server.files["as_subject"] = [name]
    with pytest.raises(Unanswered, match=says):
        _facts(server, tmp_path)


def test_a_query_that_is_refused(server: Recorded, tmp_path: Path) -> None:
    """What cannot succeed is asked once."""
    server.files["as_subject"] = ["syntax_400"]
    with pytest.raises(ServiceError, match="SPARQL compiler, line 5"):
        _facts(server, tmp_path)
    assert ["as_subject"] == server.asked


@pytest.mark.parametrize("name", ["elsewhere_301", "elsewhere_308"])
def test_an_endpoint_that_moved(embedded: EmbeddedStore, server: Recorded, tmp_path: Path, name: str) -> None:
    """The query does not follow a redirect, so the new address is named, and nothing is stored."""
    server.files["as_subject"] = server.files["texts"] = [name]
    with pytest.raises(ServiceError, match=rf"the endpoint has moved: give {server.url}/ as its address"):
        _cache(embedded, server, tmp_path).fetch([CURIE])
    assert set() == _told(embedded)
