"""Say where a piece of text stands in its document, as a person looks it up: the line, and the page.

A page ends with a form feed, as in the texts that input_texts reads from PDF files; other texts have no pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claimgraph.kgstore.model import Document, Evidence, Report, Span

PAGE_BREAK = "\f"


@dataclass(frozen=True, slots=True)
class Place:
    """A line (from 1) and a column (from 1, in code points) of a document, and its page where it has pages."""

    line: int
    column: int
    page: int | None = None


def place_of(text: str, span: Span) -> Place:
    """Return where a span of a text begins, leading white space passed over."""
    start = span.start + len(text[span.start : span.end]) - len(text[span.start : span.end].lstrip())
    before = text[:start]
    page = before.count(PAGE_BREAK) + 1 if PAGE_BREAK in text else None
    return Place(before.count("\n") + 1, start - before.rfind("\n"), page)


def evidence_place(evidence: Evidence, sources: Mapping[str, Document]) -> Place | None:
    """Return where evidence stands in one of the sources, documents by id; None where it is of none."""
    source = sources.get(evidence.document or "")
    return place_of(source.text, evidence.span) if source and evidence.span else None


def cited(evidence: Evidence, sources: Mapping[str, Document]) -> str:
    """Return the source of evidence with its place, as `notes.txt:3` or `report.pdf, page 2`.

    A fact, and a text of one line, have no number.
    """
    place = evidence_place(evidence, sources)
    if place is None:
        return evidence.source
    if place.page is not None:
        return f"{evidence.source}, page {place.page}"
    many = "\n" in sources[evidence.document or ""].text.strip()
    return f"{evidence.source}:{place.line}" if many else evidence.source


def sources_of(report: Report) -> dict[str, Document]:
    """Return the contexts of a report by id."""
    return {one.id: one for one in report.contexts}
