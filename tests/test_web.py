"""The web page and API on a real server."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import uvicorn

from claimgraph.settings import load_settings
from claimgraph.starter import load_sample
from claimgraph.web.app import make_app
from claimgraph.wiring import open_store

CONTEXT = "Marie Curie was born in Warsaw."


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server on a free loopback port, on an embedded store of its own."""
    folder = tmp_path_factory.mktemp("web")
    settings = replace(load_settings({}, Path("/nonexistent")), store=folder / "store", cache=folder / "cache")
    with open_store(settings) as store:
        load_sample(store, "wikidata")
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


def test_runs_pages_and_api(client: httpx.Client) -> None:
    """Runs are listed and shown with their stages; an unknown one is a 404; the pages say where runs come from."""
    assert [] == client.get("/api/runs").json()
    assert "claimgraph submit" in client.get("/runs").text
    answer = client.get("/api/runs/b1:none")
    assert (404, {"error": "no run 'b1:none' in the store"}) == (answer.status_code, answer.json())
