"""Three people meet the product: an editor at the page, an engineer at the command line, a researcher in a notebook.

Each story begins in an empty folder and does what its person came for, through the real interfaces.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import command
import httpx
import nbformat
import pytest
from chromium import chromium
from command import Cli
from nbclient import NotebookClient
from playwright.sync_api import Page, expect
from web_server import serving
from worker_processes import broker_url, workers
from written_files import pdf

from claimgraph.settings import Settings, load_settings

ROOT = Path(__file__).parents[2]
DRAFT = "The Halden Bridge was opened in 1931. It is 214 metres long. Its architect was Ida Lund."
SOURCE = "The Halden Bridge was opened in 1934. The bridge is 214 metres long. Its architect was Ole Berg."
MANY = int(os.environ.get("CLAIMGRAPH_TEST_DOCUMENTS", "12"))
"""Files of the engineer's story: 200 and more in `make soak`."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """An embedded store in the test's folder."""
    made = load_settings({}, Path("/nonexistent"))
    return replace(made, store=tmp_path / "store", cache=tmp_path / "cache", keys=tmp_path / "keys.json")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """A page that waits long enough for a check."""
    with chromium(tmp_path / "apt.log") as browser:
        opened = browser.new_page()
        opened.set_default_timeout(120_000)
        yield opened


def test_the_editor(page: Page, settings: Settings, tmp_path: Path) -> None:
    """A PDF and a source are given to the page; what is wrong is seen with its reason, one claim is ruled on, the
    text is corrected, and the corrected text and the verdicts are taken away as files.
    """
    draft, source = pdf(tmp_path / "draft.pdf", DRAFT), tmp_path / "source.txt"
    source.write_text(SOURCE)
    expect.set_options(timeout=120_000)
    with serving(settings) as http:
        page.goto(str(http.base_url))
        page.locator("input[name=text_file]").set_input_files(draft)
        page.locator("input[name=context_file]").set_input_files(source)
        page.get_by_role("button", name="Check").click()
        page.wait_for_url("**/documents/*")
        opening = page.locator("details.REFUTED").filter(has_text="1931")
        expect(opening).to_have_count(1)
        architect = page.locator("details.statement").filter(has_text="Ida Lund").first
        architect.evaluate("block => block.open = true")
        architect.get_by_label("Your ruling, because").fill("she drew the second bridge, of 1934")
        architect.get_by_role("button", name="Mark as right").click()
        expect(page.locator("details.SUPPORTED").filter(has_text="Ida Lund")).to_have_count(1)
        with page.expect_download() as verdicts:
            page.get_by_role("link", name="ClaimReview").click()
        page.get_by_role("button", name="Correct").click()
        expect(page.locator("article ins")).to_contain_text("1934")
        with page.expect_download() as corrected:
            page.get_by_role("link", name="Download the corrected text").click()
    assert DRAFT.replace("1931", "1934") == corrected.value.path().read_text().strip()
    reviews = json.loads(verdicts.value.path().read_text())
    assert "1934" in json.dumps(reviews)


def test_the_engineer(cli: Cli, settings: Settings, tmp_path: Path) -> None:
    """Many files are one run, of which the same again is no work; its dashboard names the worst, a question in Cypher
    and a CSV say what is refuted, and the exit code stops a pipeline.
    """
    _many(tmp_path)
    arguments = ("submit", "texts", "--context", "source.txt", "--context", "more.txt", "--method", "rules", "--json")
    done = cli(*arguments, "--fail-on", "refuted")
    run, wrong = json.loads(done.stdout)["run"], len(range(0, MANY, 4))
    assert (1, MANY) == (done.returncode, json.loads(done.stdout)["total"])
    assert "0 of them new" in cli(*arguments[:-1]).stdout
    listed = json.loads(cli("runs", run[:12], "--json", "--limit", str(MANY)).stdout)["documents"]
    assert [True] * wrong + [False] * (MANY - wrong) == [row["refuted"] > 0 for row in listed]
    with serving(settings) as http:
        _dashboard(http, run, wrong)
    rows = list(csv.DictReader(io.StringIO(cli("export", "--format", "csv", "--run", run).stdout)))
    assert wrong == len({row["document"] for row in rows if row["outcome"] == "REFUTED"})


@pytest.mark.usefixtures("neo4j_store")
def test_the_engineer_with_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The services of the Compose file without Docker: files are queued to workers on Neo4j, followed to the end, seen
    on the dashboard and in the console, and taken away as CSV.
    """
    broker = broker_url()
    monkeypatch.chdir(tmp_path)
    texts = _many(tmp_path)
    env = {"CLAIMGRAPH_CACHE": str(tmp_path / "cache"), "CELERY_BROKER_URL": broker}
    arguments = (
        "submit",
        str(texts),
        "--context",
        "source.txt",
        "--context",
        "more.txt",
        "--method",
        "rules",
        "--json",
    )
    queued = command.run(*arguments, env=env)
    run, wrong = json.loads(queued.stdout)["run"], len(range(0, MANY, 4))
    assert (0, True) == (queued.returncode, f"claimgraph watch {run[:11]} follows it" in queued.stderr)
    with workers(tmp_path, [], [], CELERY_BROKER_URL=broker):
        watched = command.run("watch", run[:11], "--fail-on", "refuted", env=env)
    assert (1, True) == (watched.returncode, f"run {run[:11]} is complete: {MANY} of {MANY} done" in watched.stdout)
    assert {MANY} == {row["total"] for row in json.loads(command.run("runs", "--json", env=env).stdout)}
    settings = replace(load_settings(), cache=tmp_path / "cache", keys=tmp_path / "keys.json")
    with serving(settings) as http:
        _dashboard(http, run, wrong)
    rows = csv.DictReader(io.StringIO(command.run("export", "--format", "csv", "--run", run, env=env).stdout))
    assert wrong == len({row["document"] for row in rows if row["outcome"] == "REFUTED"})


def _many(folder: Path) -> Path:
    """Write texts, of which every fourth is wrong, and two sources; return the folder of the texts."""
    (folder / "texts").mkdir()
    (folder / "source.txt").write_text("The Halden Bridge was opened in 1934.")
    (folder / "more.txt").write_text("The bridge is 214 metres long. Its architect was Ole Berg.")
    for number in range(MANY):
        year = 1931 if number % 4 == 0 else 1934
        (folder / f"texts/{number:03}.txt").write_text(f"The Halden Bridge was opened in {year}. Note {number}.")
    return folder / "texts"


def _dashboard(http: httpx.Client, run: str, wrong: int) -> None:
    """What the page of the run and the console show."""
    page = http.get(f"/runs/{run}").text
    assert all(words in page for words in ("complete", "Refuted", f"format=csv&amp;run={run[:2]}"))
    worst = [int(number) for number in re.findall(r">(\d{3})\.txt<", page)][: min(20, wrong)]
    assert ([0] * len(worst), min(20, wrong)) == ([number % 4 for number in worst], len(worst))
    query = "MATCH (d:Document)<-[:IN]-(:Claim)-[:CURRENT]->(:Refuted) RETURN DISTINCT d.name AS document"
    assert "000.txt" in http.post("/cypher", data={"query": query}).text
    table = list(csv.reader(io.StringIO(http.post("/cypher/csv", data={"query": query}).text)))
    assert (["document"], wrong) == (table[0], len(table) - 1)


def test_the_researcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The notebook of the examples runs from top to bottom: a check, a table, figures of methods, a plot."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    for name in ("NEO4J_URI", "CELERY_BROKER_URL"):
        monkeypatch.delenv(name, raising=False)
    notebook = nbformat.read(ROOT / "examples" / "methods.ipynb", as_version=4)
    NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [] == [output for output in shown if output.output_type == "error"]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"text/html", "image/png"} <= kinds
