"""Write a checked text for a reader: one HTML file that needs no other, or Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from claimgraph.kgstore.model import Report
from claimgraph.reports.marked_text import parts
from claimgraph.reports.places import cited, place_of, sources_of
from claimgraph.reports.statements import WORST, StatementVerdict, outcome_counts, problems, statements

_NAMES = {outcome: outcome.value.replace("_", " ").lower() for outcome in WORST}
_STYLE = """
:root { color-scheme: light dark; --refuted: #ffb3b3; --not-enough-info: #ffe08a; --supported: #b7ebc6; }
@media (prefers-color-scheme: dark) {
  :root { --refuted: #7c1d1d; --not-enough-info: #6b5200; --supported: #1d5b30; } }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
a { color: inherit; } mark { color: inherit; border-radius: 3px; padding: 0 2px; }
mark a { text-decoration: none; } p.text { white-space: pre-wrap; } blockquote { margin: .3rem 0 .3rem 1rem; }
.refuted { background: var(--refuted); } .not-enough-info { background: var(--not-enough-info); }
.supported { background: var(--supported); } :target { outline: 2px solid; }
"""


def html(report: Report) -> str:
    """Return a page with the text, its statements in the colours of their verdicts, and its problems, worst first."""
    found = statements(report)
    told = problems(found)
    title = escape(f"Check of {report.document.name or 'a text'}")
    items = "\n".join(_item(report, one, at) for at, one in enumerate(told))
    notes = "".join(f"<p>Note: {escape(note)}</p>" for note in report.notes)
    return f"""<!doctype html>
<html lang="{escape(report.document.language or "en")}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>{_STYLE}</style></head>
<body><h1>{title}</h1>
<p>{escape(_counts(found))}</p>
<p class="text">{"".join(_marked(report, found, told))}</p>
<h2>Problems</h2>
<ol>
{items}
</ol>
{notes}<p>By {escape(report.run.method)}. Document {escape(report.document.id)}</p></body></html>"""


def markdown(report: Report) -> str:
    """Return the counts and the problems, worst first, with the sentences that decide them."""
    found = statements(report)
    told = problems(found)
    lines = [f"# Check of {_plain(report.document.name or 'a text')}", "", _counts(found), ""]
    for one in told:
        at = place_of(report.document.text, one.span)
        where = f"page {at.page}" if at.page else f"line {at.line}"
        lines += [
            f"- **{_NAMES[one.outcome].capitalize()}** ({where}): {_plain(one.text)}  ",
            f"  {_plain(one.reason)}",
        ]
        if one.decided_by:
            piece = one.decided_by.evidence
            lines += ["", f"  > {_plain(piece.text)}", f"  > — {_plain(cited(piece, sources_of(report)))}", ""]
    return "\n".join(lines).rstrip()


def _counts(found: list[StatementVerdict]) -> str:
    counts = outcome_counts(found)
    said = (f"{count} {_NAMES[outcome]}" for outcome, count in counts.items())
    return f"{sum(counts.values())} statements: {', '.join(said)}."


def _marked(report: Report, found: list[StatementVerdict], told: list[StatementVerdict]) -> Iterator[str]:
    """Yield the pieces of the text; those of a problem lead to it in the list."""
    for part in parts(report.document.text, found):
        if part.statement is None:
            yield escape(part.text)
            continue
        one = found[part.statement]
        words = escape(part.text)
        if one in told:
            words = f'<a href="#problem-{told.index(one) + 1}">{words}</a>'
        yield f'<mark class="{_class(one)}" title="{_NAMES[one.outcome]}">{words}</mark>'


def _item(report: Report, one: StatementVerdict, at: int) -> str:
    quote = ""
    if one.decided_by:
        piece = one.decided_by.evidence
        quote = (
            f"<blockquote>{escape(piece.text)}<br><cite>{escape(cited(piece, sources_of(report)))}</cite></blockquote>"
        )
    name = f'<mark class="{_class(one)}">{_NAMES[one.outcome]}</mark>'
    return f'<li id="problem-{at + 1}">{name} {escape(one.text)}<br>{escape(one.reason)}{quote}</li>'


def _class(one: StatementVerdict) -> str:
    return one.outcome.value.lower().replace("_", "-")


def _plain(text: str) -> str:
    """Return a text in one line, as Markdown shows it unchanged."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", " ".join(text.split()))
