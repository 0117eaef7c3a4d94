"""Debian's Chromium for tests of the pages, installed where it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from localservices.debian import program
from playwright.sync_api import Browser, sync_playwright


@contextmanager
def chromium(log: Path) -> Iterator[Browser]:
    """A browser; its own sandbox needs a user that is not root. `log` gets what the installation prints."""
    path = program("chromium", log)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()
