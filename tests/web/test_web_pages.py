"""Every page in Chromium: on a desk and a phone, light and dark, by the rules of axe; and where there is nothing.

`CLAIMGRAPH_SCREENSHOTS=FOLDER` keeps pictures for the documents there, as `make docs` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from chromium import chromium
from playwright.sync_api import Browser, Page
from web_server import serving

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.runs.jobs import Budget
from claimgraph.repair.ruling import rule
from claimgraph.runs.submitted import asked_for
from claimgraph.settings import Settings, load_settings
from claimgraph.wiring import Checker, open_store
from claimgraph.workers.submission.dispatch import Dispatch
from claimgraph.workers.submission.submit import Item, submit

DRAFTS = {
    "bridge.txt": "The Halden Bridge was opened in 1931. It is 214 metres long. Its architect was Ida Lund.",
    "ferry.txt": "The ferry stopped running in 1934. It carried 40 cars.",
    "town.txt": "Kest has 14,000 inhabitants.",
}
SOURCE = (
    "The Halden Bridge was opened in 1934. The bridge is 214 metres long. Its architect was Ole Berg. "
    "The ferry stopped running in 1934. Kest has 14,000 inhabitants."
)
PAGES = ("/", "/documents", "document", "claim", "/verdicts", "/runs", "run", "/cypher", "/docs", "/signin", "/nowhere")
WAYS = {"desk": (1280, "light"), "phone": (390, "dark")}


def _settings(folder: Path) -> Settings:
    made = load_settings({}, Path("/nonexistent"))
    return replace(made, store=folder / "store", cache=folder / "cache", keys=folder / "keys.json")


def _fill(settings: Settings) -> dict[str, str]:
    """Check the drafts as one run by two methods, and rule on a claim; return addresses of these."""
    source = document_from_text(SOURCE, 1, "source.txt")
    items = [
        Item(replace(document_from_text(text, 1, name), name=name), replace(source, name="source.txt"))
        for name, text in DRAFTS.items()
    ]
    asked = asked_for("check", bulk=False, budget=Budget(), methods=["rules", "factalign"])
    with open_store(settings) as store:
        dispatch = Dispatch(settings)
        run = submit(settings, store, items, asked, dispatch).run
        dispatch.work(store, run, lambda *_: None)
    with Checker(settings) as checker:
        report = checker.check(items[0].document, context=source)
        rule(checker.store, report.claims[-1].id, Outcome.SUPPORTED, "she drew it, says the town's archive")
    return {
        "document": f"/documents/{report.document.id}",
        "claim": f"/claims/{report.claims[0].id}",
        "run": f"/runs/{run}",
    }


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests."""
    with chromium(tmp_path_factory.mktemp("chromium") / "apt.log") as opened:
        yield opened


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Addresses of all pages, on a store with checked texts."""
    settings = _settings(tmp_path_factory.mktemp("filled"))
    found = _fill(settings)
    with serving(settings) as client:
        base = str(client.base_url).rstrip("/")
        yield {name: base + found.get(name, name) for name in PAGES}


@pytest.fixture(params=WAYS)
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page on a desk in the light, and on a phone in the dark."""
    width, scheme = WAYS[request.param]
    opened = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_obeys_the_rules_of_accessibility(page: Page, filled: dict[str, str], name: str) -> None:
    """axe finds nothing (contrast, labels, order, landmarks), and nothing is wider than the screen.

    The API's documentation is another project's program: there only what is around it is ours.
    """
    page.goto(filled[name])
    if name == "/docs":
        page.locator(".opblock").first.wait_for()
        page.evaluate("document.getElementById('api').remove()")
    found = Axe().run(page)
    assert [] == [(one["id"], [node["target"] for node in one["nodes"]]) for one in found.response["violations"]]
    assert page.evaluate("innerWidth >= document.documentElement.scrollWidth")


def test_the_documentation_is_dark_where_pages_are(page: Page, filled: dict[str, str]) -> None:
    """The API's documentation follows the colour scheme, and the navigation leads back."""
    page.goto(filled["/docs"])
    page.locator(".opblock").first.wait_for()
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert dark == page.evaluate("document.documentElement.classList.contains('dark-mode')")
    assert page.get_by_role("link", name="Documents").first.is_visible()


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/documents", "No text was checked yet: check one."),
        ("/documents?words=owl", "No checked text has these words: all documents."),
        ("/verdicts", "No text was checked yet: check one."),
        ("/verdicts?outcome=REFUTED", "No verdict is so: all verdicts."),
        ("/runs", "None yet: claimgraph submit FOLDER makes one."),
        ("/documents/d1:0000", "No document 'd1:0000' in the store."),
        ("/nowhere", "There is no page /nowhere."),
    ],
)
def test_where_there_is_nothing_a_page_says_what_to_do(browser: Browser, empty: str, path: str, says: str) -> None:
    """An empty store and an unknown address are sentences with a way on, on a page like the others."""
    opened = browser.new_page()
    opened.goto(empty + path)
    assert says in opened.locator("main").inner_text()
    assert opened.get_by_role("link", name="Check", exact=True).is_visible()
    opened.close()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a server on an empty store."""
    with serving(_settings(tmp_path_factory.mktemp("empty"))) as client:
        yield str(client.base_url).rstrip("/")


def test_pictures_for_the_documents(browser: Browser, filled: dict[str, str], tmp_path: Path) -> None:
    """The pictures that the documents show are of these pages; none is blank."""
    folder = Path(os.environ.get("CLAIMGRAPH_SCREENSHOTS") or tmp_path)
    opened = browser.new_page(viewport={"width": 900, "height": 760})
    for name, file in (("claim", "claim.png"), ("run", "run.png")):
        opened.goto(filled[name])
        opened.screenshot(path=folder / file)
        assert 10_000 < (folder / file).stat().st_size
    opened.close()
