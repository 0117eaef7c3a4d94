"""The pages as people use them: in Chromium, with a keyboard, on a phone's width, in the dark.

`CLAIMGRAPH_SCREENSHOTS=FOLDER` keeps a picture of the page of a checked text there, as `make docs` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from chromium import chromium
from playwright.sync_api import Browser, Page, expect
from web_server import serving

from claimgraph.settings import load_settings

TEXT = (
    "Marie Curie was born in Paris in 1867. With her husband she discovered polonium. "
    "In 1911 she received the Nobel Prize in Chemistry. She liked to ride a bicycle."
)
SOURCE = (
    "Marie Curie was born in Warsaw in 1867. She discovered polonium and radium "
    "together with her husband Pierre Curie. In 1911 she was awarded the Nobel Prize in Chemistry."
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a server on a store of its own."""
    folder = tmp_path_factory.mktemp("browser")
    made = load_settings({}, Path("/nonexistent"))
    settings = replace(made, store=folder / "store", cache=folder / "cache", keys=folder / "keys.json")
    with serving(settings) as client:
        yield str(client.base_url).rstrip("/")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests."""
    with chromium(tmp_path_factory.mktemp("chromium") / "apt.log") as opened:
        yield opened


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which nothing was refused by the content security policy, and no script failed."""
    opened, wrong = browser.new_page(), list[str]()
    opened.set_default_timeout(120_000)
    expect.set_options(timeout=60_000)
    opened.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    yield opened
    opened.close()
    assert [] == wrong


def _checked(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Text to check").fill(TEXT)
    page.get_by_label("Source to check it against").fill(SOURCE)
    page.get_by_role("button", name="Check").click()
    page.wait_for_url("**/documents/*", timeout=60_000)


def test_an_editor_checks_rules_and_corrects(page: Page, address: str) -> None:
    """From the form to the marked text, a claim's evidence at its place, a ruling, and a correction as changes."""
    _checked(page, address)
    wrong = page.locator("a.claim.REFUTED").first
    expect(wrong).to_contain_text("Paris")
    wrong.click()
    block = page.locator("details[open]").filter(has_text="Paris").first
    expect(block.locator("mark")).to_have_count(1)
    expect(block.locator("mark")).to_contain_text("Warsaw")
    page.locator("details.SUPPORTED summary").first.click()
    expect(page.locator("details.SUPPORTED[open] .evidence").first).to_be_visible()
    if folder := os.environ.get("CLAIMGRAPH_SCREENSHOTS"):
        page.set_viewport_size({"width": 900, "height": 800})
        page.locator("details.SUPPORTED summary").first.click()
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=Path(folder) / "page.png")
    page.get_by_role("button", name="Correct").click()
    expect(page.locator("article del").first).to_have_text("Paris")
    expect(page.locator("article ins").first).to_have_text("Warsaw")
    page.go_back()
    block.get_by_role("link").first.click()
    expect(page.locator("svg[role=img]").first).to_be_visible()
    page.get_by_label("Your ruling, because").fill("the parish register")
    page.get_by_role("button", name="Mark as right").click()
    expect(page.locator("tr.holds")).to_contain_text("the parish register")


def test_the_keyboard_is_enough(page: Page, address: str) -> None:
    """Tab reaches the skip link first, then form and claims; Enter on a claim opens its block and takes focus there."""
    _checked(page, address)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.locator("a.claim").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details[open] > summary:focus")).to_have_count(1)


@pytest.mark.parametrize("path", ["/", "/documents", "/verdicts", "/runs", "/cypher", "document", "claim"])
def test_a_phone_scrolls_one_way_only(page: Page, address: str, path: str) -> None:
    """At 390 pixels and in the dark no page is wider than the screen."""
    if not path.startswith("/"):
        _checked(page, address)
        if path == "claim":
            page.goto(address + (page.locator("ul.claims a").first.get_attribute("href") or ""))
    else:
        page.goto(address + path)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    assert 390 >= page.evaluate("document.documentElement.scrollWidth")
    assert "rgb(13, 17, 23)" == page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_a_file_a_query_and_the_documentation(page: Page, address: str, tmp_path: Path) -> None:
    """A file that is chosen is checked; a query of the console is run; the API's documentation opens offline."""
    (tmp_path / "text.txt").write_text(TEXT)
    page.goto(address)
    page.locator("input[name=text_file]").set_input_files(tmp_path / "text.txt")
    page.get_by_label("Source to check it against").fill(SOURCE)
    page.get_by_role("button", name="Check").click()
    expect(page.locator("a.claim.REFUTED").first).to_contain_text("Paris", timeout=60_000)
    page.goto(f"{address}/cypher")
    page.get_by_role("link", name="What is refuted, and by what?").click()
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#result tbody tr").first).to_contain_text("Paris")
    page.goto(f"{address}/docs")
    expect(page.locator(".opblock").first).to_be_visible()
