"""The web page and API on a real server."""

from __future__ import annotations

import html
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import uvicorn
from batches import park, queued
from prometheus_client.parser import text_string_to_metric_families

from claimgraph.settings import load_settings
from claimgraph.web.app import make_app
from claimgraph.wiring import open_store
from claimgraph.wiring.starter_graph import load_sample

POISON = "a model met <script>alert(2)</script>"
CONTEXT = "Marie Curie was born in Warsaw."


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server on a free loopback port, on an embedded store of its own."""
    folder = tmp_path_factory.mktemp("web")
    settings = replace(load_settings({}, Path("/nonexistent")), store=folder / "store", cache=folder / "cache")
    with open_store(settings) as store:
        load_sample(store, "wikidata")
        park(store, queued(settings, store, "Ann was born in Rome."), POISON)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(make_app(settings), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.02)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
            yield http
        server.should_exit = True
        thread.join()


def test_api_checks_and_lists(client: httpx.Client) -> None:
    """POST /api/check answers with the documented object, and GET /api/verdicts lists what it stored."""
    answer = client.post("/api/check", json={"text": "Marie Curie was born in Paris.", "context": CONTEXT}).json()
    assert ["REFUTED"] == [claim["verdict"]["outcome"] for claim in answer["claims"]]
    rows = client.get("/api/verdicts", params={"outcome": "REFUTED"}).json()
    assert answer["claims"][0]["id"] in [row["claim"] for row in rows]


def test_api_takes_a_method(client: httpx.Client) -> None:
    """POST /api/check checks by the method asked for and names it with its preset; another is a 422 with one line."""
    body = {"text": "Marie Curie was born in Paris.", "context": CONTEXT, "method": "kea"}
    answer = client.post("/api/check", json=body).json()
    assert ("kea", "directed") == (answer["method"], answer["preset"])
    answer = client.post("/api/check", json=body | {"method": "magic"})
    assert (422, True) == (answer.status_code, "no method 'magic'" in answer.json()["error"])


def test_api_retrofits(client: httpx.Client) -> None:
    """POST /api/retrofit answers with the object of the command and keeps the store open; bad input is a 422."""
    answer = client.post("/api/retrofit", json={"text": "Marie Curie was born in Paris."}).json()
    assert ("Marie Curie was born in Warsaw.", "no claim refuted") == (answer["text"], answer["stopped"])
    body = {"text": "Marie Curie was born in Paris.", "graphs": ["nowhere"]}
    answer = client.post("/api/retrofit", json=body)
    assert (422, {"error": "no graph 'nowhere' in the store"}) == (answer.status_code, answer.json())
    assert 200 == client.get("/healthz").status_code


def test_page_shows_text_as_data(client: httpx.Client) -> None:
    """The form checks a text, shows its verdict and keeps the text; markup in it is escaped."""
    text = "Marie Curie was born in <script>alert(1)</script> Paris."
    page = client.post("/", data={"text": text, "context": CONTEXT})
    assert 200 == page.status_code
    assert "<script>alert" not in page.text
    assert '<table id="result">' in page.text
    assert "Marie Curie was born in &lt;script&gt;alert(1)&lt;/script&gt; Paris.</textarea>" in page.text


def test_mistakes_are_answered(client: httpx.Client) -> None:
    """A check against nothing, an unknown graph or an empty text is a 422 with one line."""
    for body in ({"text": "Paris."}, {"text": "Paris.", "graphs": ["nowhere"]}, {"text": " ", "context": CONTEXT}):
        answer = client.post("/api/check", json=body)
        assert 422 == answer.status_code
        assert answer.json()["error"]


def test_health(client: httpx.Client) -> None:
    """GET /healthz answers 200 and names the engine while the store answers."""
    answer = client.get("/healthz")
    assert (200, True) == (answer.status_code, answer.json()["store"].startswith("embedded"))


def test_runs_over_http(client: httpx.Client) -> None:
    """Runs are listed and shown with stages, verdicts and what is parked, paused and cancelled; an unknown one is a
    404, and what would need workers a 422 with one line."""
    [run] = client.get("/api/runs").json()
    assert ("parked", 1, 1) == (run["status"], run["total"], run["parked"])
    shown = client.get(f"/api/runs/{run['id'][:12]}").json()
    assert run | shown == shown | {"seconds": shown["seconds"]}
    assert [POISON] == [job["error"] for job in shown["errors"]]
    assert [] == client.get(f"/api/runs/{run['id']}/verdicts").json()
    assert "paused by hand" == client.post(f"/api/runs/{run['id']}/pause").json()["reason"]
    assert "cancelled" == client.post(f"/api/runs/{run['id']}/cancel").json()["status"]
    missing = client.get("/api/runs/b1:none")
    assert (404, {"error": "no run 'b1:none' in the store"}) == (missing.status_code, missing.json())
    for path, body in (("", {"documents": [{"text": "Ann.", "context": "Ann."}]}), (f"/{run['id']}/retry", {})):
        answer = client.post(f"/api/runs{path}", json=body)
        assert (422, True) == (answer.status_code, "no broker is set" in answer.json()["error"])


def test_run_pages_show_text_as_data(client: httpx.Client) -> None:
    """The pages of runs and of one run show how far they are, and what is parked and why, with markup escaped."""
    [run] = client.get("/api/runs").json()
    page = client.get("/runs").text
    assert (True, True) == (f'href="/runs/{run["id"]}"' in page, "<progress" in page)
    page = client.get(f"/runs/{run['id']}").text
    assert (False, True) == (POISON in page, html.escape(POISON) in page)
    assert 'href="?outcome=REFUTED"' in page
    assert 404 == client.get("/runs/b1:none").status_code


def test_prometheus_is_told_how_the_work_stands(client: httpx.Client) -> None:
    """GET /metrics counts the store's jobs and the tasks that are not over."""
    answer = client.get("/metrics")
    families = text_string_to_metric_families(answer.text)
    found = {(one.name, *sorted(one.labels.values())): one.value for family in families for one in family.samples}
    assert answer.headers["content-type"].startswith("text/plain")
    assert found["claimgraph_jobs", "parked"] >= 1
    assert found["claimgraph_tasks_open", "extract", "parked"] >= 1
