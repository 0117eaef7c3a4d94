"""Say where a piece of text stands in its document, as a person looks it up: the line, and the page.

A page ends with a form feed, as in the texts that input_texts reads from PDF files; other texts have no pages.
"""

from __future__ import annotations

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


def evidence_place(report: Report, evidence: Evidence) -> Place | None:
    """Return where evidence stands in a context of the report; None where it is of none."""
    found = next((one for one in report.contexts if one.id == evidence.document), None)
    return place_of(found.text, evidence.span) if found and evidence.span else None


def named_place(source: str, place: Place | None, document: Document | None = None) -> str:
    """Return a source with its place, as `notes.txt:3` or `report.pdf, page 2`; a text of one line has no number."""
    if place is None:
        return source
    if place.page is not None:
        return f"{source}, page {place.page}"
    if document is not None and "\n" not in document.text.strip():
        return source
    return f"{source}:{place.line}"


def cited(report: Report, evidence: Evidence) -> str:
    """Return the source of evidence with its place in a context of the report."""
    document = next((one for one in report.contexts if one.id == evidence.document), None)
    return named_place(evidence.source, evidence_place(report, evidence), document)
