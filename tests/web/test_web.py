"""The HTTP API and the pages on a real server."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from batches import park, queued
from prometheus_client.parser import text_string_to_metric_families
from web_server import serving

from claimgraph.reports.named_queries import NAMED_QUERIES
from claimgraph.settings import load_settings
from claimgraph.web import models
from claimgraph.wiring import open_store
from claimgraph.wiring.starter_graph import load_sample

POISON = "a model met <script>alert(2)</script>"
CONTEXT = "Marie Curie was born in Warsaw."
WRONG = "Marie Curie was born in Paris."
CHECK = {"text": WRONG, "context": CONTEXT}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server on an embedded store of its own, with a world graph, a parked run and a checked text."""
    folder = tmp_path_factory.mktemp("web")
    settings = replace(
        load_settings({}, Path("/nonexistent")),
        store=folder / "store",
        cache=folder / "cache",
        keys=folder / "keys.json",
        max_text=0.1,
    )
    with open_store(settings) as store:
        load_sample(store, "wikidata")
        park(store, queued(settings, store, "Ann was born in Rome."), POISON)
    with serving(settings) as http:
        http.post("/api/check", json=CHECK).raise_for_status()
        yield http


def _claim(client: httpx.Client) -> str:
    return str(client.post("/api/check", json=CHECK).json()["claims"][0]["id"])


def test_api_checks_and_lists(client: httpx.Client) -> None:
    """POST /api/check answers with the documented object; document, claim, history and lists have what it stored."""
    answer = client.post("/api/check", json=CHECK).json()
    [claim] = answer["claims"]
    assert "REFUTED" == claim["verdict"]["outcome"]
    rows = client.get("/api/verdicts", params={"outcome": "REFUTED"}).json()
    assert claim["id"] in [row["claim"] for row in rows]
    stored = client.get(f"/api/documents/{answer['document']['id']}").json()
    assert WRONG == stored["document"]["text"]
    assert claim["verdict"]["reason"] == stored["claims"][0]["verdict"]["reason"]
    assert (
        stored["claims"][0] | {"document": stored["document"]["id"]} == client.get(f"/api/claims/{claim['id']}").json()
    )
    assert ["fused"] == [
        row["method"] for row in client.get(f"/api/claims/{claim['id']}/history").json() if row["holds"]
    ]
    listed = client.get("/api/documents", params={"words": "marie curie"}).json()
    assert (1, 0, 0) == tuple(listed[0][key] for key in ("refuted", "open", "supported"))
    assert [] == client.get("/api/documents", params={"words": "nobody wrote this"}).json()


def test_verdicts_as_csv(client: httpx.Client) -> None:
    """GET /api/verdicts?format=csv is a table with a header, the same rows as JSON."""
    answer = client.get("/api/verdicts", params={"format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["verdict"] for row in client.get("/api/verdicts").json()] == [row["verdict"] for row in rows]
    assert set(models.VerdictRow.model_fields) == set(rows[0])


def test_a_ruling_holds(client: httpx.Client) -> None:
    """POST .../ruling makes a person's verdict the one that holds; one without a note is a 422."""
    claim = _claim(client)
    refused = client.post(f"/api/claims/{claim}/ruling", json={"outcome": "SUPPORTED", "note": " "})
    assert (422, True) == (refused.status_code, "note" in refused.json()["detail"])
    answer = client.post(f"/api/claims/{claim}/ruling", json={"outcome": "SUPPORTED", "note": "the register"}).json()
    assert ("SUPPORTED", "human") == (answer["verdict"]["outcome"], answer["verdict"]["method"])
    assert "SUPPORTED" == client.post("/api/check", json=CHECK).json()["claims"][0]["verdict"]["outcome"]
    back = client.post(f"/api/claims/{claim}/ruling", json={"outcome": "REFUTED", "note": "a typing error"}).json()
    assert "REFUTED" == back["verdict"]["outcome"]


def test_api_takes_a_method(client: httpx.Client) -> None:
    """POST /api/check checks by the method asked for and names it with its preset; another is a problem in one line."""
    answer = client.post("/api/check", json=CHECK | {"method": "kea"}).json()
    assert ("kea", "directed") == (answer["method"], answer["preset"])
    answer = client.post("/api/check", json=CHECK | {"method": "magic"})
    assert (422, True) == (answer.status_code, "no method 'magic'" in answer.json()["detail"])


def test_api_corrects_extracts_retrofits_and_asks(client: httpx.Client) -> None:
    """Each answers with the object of its command; bad input is a problem that says what is wrong."""
    corrected = client.post("/api/correct", json=CHECK).json()
    assert "Marie Curie was born in Warsaw." == corrected["text"]
    extracted = client.post("/api/extract", json={"text": WRONG}).json()
    assert ["Paris"] == [claim["object"] for claim in extracted["claims"]]
    retrofitted = client.post("/api/retrofit", json={"text": WRONG}).json()
    assert ("Marie Curie was born in Warsaw.", "no claim refuted") == (retrofitted["text"], retrofitted["stopped"])
    asked = client.post("/api/ask", json={"question": "Where was Marie Curie born?"}).json()
    assert "Warsaw" == asked["answers"][0]["name"]
    answer = client.post("/api/retrofit", json={"text": WRONG, "graphs": ["nowhere"]})
    assert (404, "no graph 'nowhere' in the store") == (answer.status_code, answer.json()["detail"])
    assert "application/problem+json" == answer.headers["content-type"]
    assert 200 == client.get("/healthz").status_code


def test_entities_and_their_facts(client: httpx.Client) -> None:
    """Entities of a graph are found by name, with the facts around them."""
    [graph] = client.get("/api/graphs", params={"kind": "world"}).json()
    found = client.get("/api/entities", params={"name": "Marie Curie", "graph": graph["name"]}).json()[0]
    assert "Marie Curie" == found["name"]
    around = client.get(f"/api/entities/{found['id']}", params={"graph": graph["name"]}).json()
    assert "Warsaw" in [fact["object"] for fact in around["facts"]]
    assert 404 == client.get("/api/entities/wd:none", params={"graph": graph["name"]}).status_code


def test_cypher_reads_only(client: httpx.Client) -> None:
    """POST /api/cypher answers a table within the limits of the settings; a write is a 422 with the guard's line."""
    answer = client.post(
        "/api/cypher", json={"query": "MATCH (c:Claim) RETURN c.name AS name ORDER BY name", "limit": 1}
    )
    assert (["name"], 1) == (answer.json()["columns"], len(answer.json()["rows"]))
    refused = client.post("/api/cypher", json={"query": "MATCH (n) DETACH DELETE n"})
    assert 422 == refused.status_code
    assert refused.json()["detail"]


@pytest.mark.parametrize("path", ["/api/documents/d1:x", "/api/claims/c1:x", "/api/claims/c1:x/history", "/nowhere"])
def test_what_is_not_there(client: httpx.Client, path: str) -> None:
    """An unknown id or address is a 404 as problem details."""
    answer = client.get(path)
    assert (404, 404) == (answer.status_code, answer.json()["status"])


@pytest.mark.parametrize(
    "body",
    [
        {"text": "Paris."},
        {"text": "Paris.", "graphs": ["nowhere"]},
        {"text": " ", "context": CONTEXT},
        {"context": "A."},
    ],
)
def test_mistakes_are_answered(client: httpx.Client, body: dict[str, Any]) -> None:
    """A check against nothing, an unknown graph, an empty or a missing text is a problem with one line."""
    answer = client.post("/api/check", json=body)
    assert answer.status_code in (404, 422)
    assert answer.json()["detail"]
    assert "\n" not in answer.json()["detail"]


def test_answers_have_the_declared_keys(client: httpx.Client) -> None:
    """Every key of an answer is one that the OpenAPI document names."""
    claim = _claim(client)
    document = client.get(f"/api/claims/{claim}").json()["document"]
    declared: list[tuple[Any, Any]] = [
        (client.post("/api/check", json=CHECK).json(), models.CheckAnswer),
        (client.get("/api/verdicts").json()[0], models.VerdictRow),
        (client.get("/api/documents").json()[0], models.DocumentRow),
        (client.get(f"/api/documents/{document}").json(), models.StoredAnswer),
        (client.get(f"/api/claims/{claim}/history").json()[0], models.HistoryRow),
    ]
    for answer, model in declared:
        assert set(model.model_fields) == set(answer), model.__name__


def test_the_documentation_needs_no_other_host(client: httpx.Client) -> None:
    """GET /docs and the OpenAPI document are served here, with examples; no page names another host or inline code."""
    assert 200 == client.get("/static/swagger/swagger-ui-bundle.js").status_code
    schema = client.get("/openapi.json").json()
    assert "examples" in schema["components"]["schemas"]["CheckRequest"]
    document = client.get("/api/documents").json()[0]["id"]
    pages = ["/docs", "/", "/documents", f"/documents/{document}", f"/claims/{_claim(client)}", "/verdicts", "/cypher"]
    for path in pages:
        page = client.get(path)
        assert 200 == page.status_code, path
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert not re.findall(r"(?:src|href|action)=\"(?:https?:)?//", page.text), path
        assert not re.findall(r"<script>|<style|\sstyle=|\son\w+=", page.text), path


def test_the_form_leads_to_the_document(client: httpx.Client) -> None:
    """The form's text, or a file's, is checked, and its page shows it with marked claims; markup in it is escaped."""
    text = "Marie Curie was born in <script>alert(1)</script> Paris."
    for given in (
        {"data": {"text": text, "context": CONTEXT}},
        {"files": {"text_file": text, "context_file": CONTEXT}},
    ):
        page = client.post("/", follow_redirects=True, **given)  # type: ignore[arg-type]
        assert (200, True) == (page.status_code, "/documents/d1:" in str(page.url))
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
        assert 'class="claim ' in page.text
    again = client.post("/", data={"text": "Paris.", "context": ""})
    assert (422, True) == (again.status_code, "nothing to check against" in again.text)
    assert ">Paris.</textarea>" in again.text


def test_files_and_several_sources(client: httpx.Client) -> None:
    """Files of any format that the command line reads are checked, against several sources at once."""
    page = "<!doctype html><title>x</title><p>Pierre Curie was born in Paris.</p>"
    files = [
        ("text_file", ("notes.html", page, "text/html")),
        ("context_file", ("a.txt", CONTEXT, "text/plain")),
        ("context_file", ("b.md", "Pierre Curie was born in Paris.", "text/markdown")),
    ]
    shown = client.post("/", files=files, follow_redirects=True)
    assert "notes.html" in shown.text
    assert 'class="claim SUPPORTED"' in shown.text
    broken = client.post("/", files={"text_file": ("notes.pdf", b"%PDF-1.7 broken", "application/pdf")})
    assert (422, True) == (broken.status_code, "notes.pdf" in broken.text)
    two = client.post("/api/check", json={"text": WRONG, "context": [CONTEXT, "Pierre Curie was born in Paris."]})
    assert "REFUTED" == two.json()["claims"][0]["verdict"]["outcome"]


def test_the_page_of_a_claim(client: httpx.Client) -> None:
    """It shows the reason, the evidence in its source, the picture and the history, and takes a ruling."""
    given = {"text": "Marie Curie was born in London.", "context": CONTEXT}
    claim = client.post("/api/check", json=given).json()["claims"][0]["id"]
    page = client.get(f"/claims/{claim}").text
    assert "<mark>Marie Curie was born in Warsaw" in page
    assert "<svg" in page
    ruled = client.post(f"/claims/{claim}/ruling", data={"outcome": "NOT_ENOUGH_INFO", "note": "<b>unsure</b>"})
    assert 303 == ruled.status_code
    page = client.get(f"/claims/{claim}").text
    assert "&lt;b&gt;unsure&lt;/b&gt;" in page
    assert "human" in page


def test_a_correction_is_shown_as_changes(client: httpx.Client) -> None:
    """The page of a document offers to correct it by its context, and shows what was changed and why."""
    text = "Marie Curie was born in Paris in 1867."
    checked = client.post("/api/check", json={"text": text, "context": CONTEXT}).json()["document"]["id"]
    page = client.get(f"/documents/{checked}").text
    context = re.search(r'<option value="(d1:[0-9a-f]+)"', page)
    assert context
    page = client.post(f"/documents/{checked}/correction", data={"context": context[1]}).text
    assert "<del>Paris</del>" in page
    assert "<ins>Warsaw</ins>" in page


def test_verdicts_and_console_pages(client: httpx.Client) -> None:
    """Verdicts are filtered; a named question runs and its triples are drawn; a refused query says why."""
    assert "Marie Curie was born in Paris" in client.get("/verdicts", params={"entity": "Marie Curie"}).text
    drawn = next(one for one in NAMED_QUERIES if "drawn" in one.question)
    page = client.post("/cypher", data={"query": drawn.query}).text
    assert "<svg" in page
    assert '<td data-label="object">Paris' in page
    refused = client.post("/cypher", data={"query": "CREATE (n) RETURN n"})
    assert (422, True) == (refused.status_code, 'role="alert"' in refused.text)


@pytest.mark.parametrize("named", NAMED_QUERIES, ids=lambda named: named.question)
def test_named_queries_run(client: httpx.Client, named: Any) -> None:
    """Each named question is a query that the guard lets through."""
    answer = client.post("/api/cypher", json={"query": named.query})
    assert 200 == answer.status_code
    assert answer.json()["columns"]


def test_runs_over_http(client: httpx.Client) -> None:
    """Runs are listed and shown with verdicts and what is parked, followed, paused and cancelled; an unknown one is a
    404, and what would need workers a 422 with one line."""
    [run] = client.get("/api/runs").json()
    assert ("parked", 1, 1) == (run["status"], run["total"], run["parked"])
    shown = client.get(f"/api/runs/{run['id'][:12]}").json()
    assert run | shown == shown | {"seconds": shown["seconds"]}
    assert [POISON] == [job["error"] for job in shown["errors"]]
    assert [] == client.get(f"/api/runs/{run['id']}/verdicts").json()
    events = client.get(f"/api/runs/{run['id']}/events")
    assert events.headers["content-type"].startswith("text/event-stream")
    assert '"status": "parked"' in events.text
    assert "paused by hand" == client.post(f"/api/runs/{run['id']}/pause").json()["reason"]
    assert "cancelled" == client.post(f"/api/runs/{run['id']}/cancel").json()["status"]
    missing = client.get("/api/runs/b1:none")
    assert (404, "no run 'b1:none' in the store") == (missing.status_code, missing.json()["detail"])
    for path, body in (("", {"documents": [{"text": "Ann.", "context": "Ann."}]}), (f"/{run['id']}/retry", {})):
        answer = client.post(f"/api/runs{path}", json=body)
        assert (422, True) == (answer.status_code, "no broker is set" in answer.json()["detail"])


def test_run_pages_show_text_as_data(client: httpx.Client) -> None:
    """The pages of runs and of one run show how far they are, and what is parked and why, with markup escaped."""
    [run] = client.get("/api/runs").json()
    page = client.get("/runs").text
    assert (True, True) == (f'href="/runs/{run["id"]}"' in page, "<progress" in page)
    page = client.get(f"/runs/{run['id']}").text
    assert (False, True) == (POISON in page, html.escape(POISON) in page)
    assert 404 == client.get("/runs/b1:none").status_code


def test_prometheus_is_told_how_the_work_stands(client: httpx.Client) -> None:
    """GET /metrics counts the store's jobs by task and status."""
    answer = client.get("/metrics")
    families = text_string_to_metric_families(answer.text)
    found = {(one.name, *sorted(one.labels.values())): one.value for family in families for one in family.samples}
    assert answer.headers["content-type"].startswith("text/plain")
    assert found["claimgraph_jobs", "check", "parked"] >= 1
