"""Show a checked text in a terminal: statements underlined in the colours of their verdicts.

Where a text is too long to be shown whole, sentences in which nothing is wrong become an ellipsis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.text import Text

from claimgraph.cli.common.printing import COLOURS
from claimgraph.kgstore.model import Outcome, Span
from claimgraph.reports.statements import WORST, StatementVerdict


def coloured(text: str, found: Sequence[StatementVerdict], *, colours: bool = True) -> Text:
    """Return the text, each statement underlined in the colour of its verdict; the worse colour where two overlap.

    Without `colours` only problems are underlined, refuted ones in bold. White space around the text stays.
    """
    shown = Text(text.replace("\f", "\n"))
    for outcome in reversed(WORST):
        for one in found:
            if one.outcome is outcome and (colours or outcome is not Outcome.SUPPORTED):
                plain = "bold underline" if outcome is Outcome.REFUTED else "underline"
                style = f"underline {COLOURS[outcome.value]}" if colours else plain
                shown.stylize(style, one.span.start, one.span.end)
    return shown


def trimmed(shown: Text) -> Text:
    """Return the text without white space around it."""
    start = len(shown.plain) - len(shown.plain.lstrip())
    return shown[start : len(shown.plain.rstrip())]


def shortened(shown: Text, sentences: Sequence[Span], problems: Sequence[StatementVerdict]) -> Text:
    """Return the sentences that hold a problem, and an ellipsis for what stands between them."""
    kept = [one for one in sentences if any(one.start < p.span.end and p.span.start < one.end for p in problems)]
    pieces, end = list[Text](), 0
    for span in [*kept, Span(len(shown), len(shown))]:
        if shown.plain[end : span.start].strip():
            pieces.append(Text("[…]", style="dim"))
        if span.end > span.start:
            pieces.append(_one_line(shown[span.start : span.end]))
        end = span.end
    return Text(" ").join(pieces)


def _one_line(shown: Text) -> Text:
    words = [shown[at.start() : at.end()] for at in re.finditer(r"\S+", shown.plain)]
    return Text(" ").join(words)
