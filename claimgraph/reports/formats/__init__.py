"""Write a checked text in the formats of other tools: rows, a page, Markdown, annotations, SARIF, JUnit.

Begin with FORMATS, which names them. Each is a function from a report to the text of a file.
"""

from __future__ import annotations

from collections.abc import Callable

from claimgraph.kgstore.model import Report
from claimgraph.reports.formats.annotations import github, junit, sarif
from claimgraph.reports.formats.pages import html, markdown
from claimgraph.reports.formats.rows import csv, jsonl

FORMATS: dict[str, Callable[[Report], str]] = {
    "jsonl": jsonl,
    "csv": csv,
    "html": html,
    "markdown": markdown,
    "github": github,
    "sarif": sarif,
    "junit": junit,
}

__all__ = ["FORMATS"]
