"""Write docs/check.svg, the picture of README: the bundled text with each claim in the colour of its verdict.

`python scripts/picture.py [FILE]` checks claimgraph/data/demo/text.txt against context.txt beside it and draws what the
report says. The drawing is plain SVG, and `textLength` fixes the width of every line, so that words and colours meet
in any monospaced font.
"""

from __future__ import annotations

import sys
import tempfile
import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

import claimgraph

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "claimgraph" / "data" / "demo"
COLUMNS, CHAR, LINE, MARGIN = 80, 9, 25, 22
"""Characters a line; width of a character, height of a line and margin in pixels."""
COLOURS = {"SUPPORTED": "#b7ebc6", "REFUTED": "#ffb3b3", "NOT_ENOUGH_INFO": "#ffe08a"}
"""By outcome, from the weakest to the strongest where claims overlap: a refuted claim inside a supported one shows."""
ORDER = ("", "SUPPORTED", "NOT_ENOUGH_INFO", "REFUTED")


def picture(report: claimgraph.Report) -> str:
    """The SVG of a report: its text, then each claim that is not supported with the reason of its verdict."""
    lines = [*_text(report), [], *_reasons(report), [], _legend()]
    height, width = 2 * MARGIN + LINE * len(lines), 2 * MARGIN + CHAR * COLUMNS
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">',
            "<style>text{font:15px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1a1a1a}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#fff" stroke="#d0d7de"/>',
            *(piece for row, line in enumerate(lines) for piece in _line(line, MARGIN + LINE * row)),
            "</svg>\n",
        ]
    )


Run = tuple[str, str]
"""A piece of a line, and the outcome in whose colour it stands, or ""."""


def _text(report: claimgraph.Report) -> Iterator[list[Run]]:
    text = report.document.text.rstrip()
    worst = [0] * len(text)
    for claim, verdict in zip(report.claims, report.verdicts, strict=True):
        rank = ORDER.index(verdict.outcome.value)
        for at in range(claim.span.start, min(claim.span.end, len(text))):
            worst[at] = max(worst[at], rank)
    start = 0
    for line in textwrap.wrap(text, COLUMNS):
        start = text.index(line, start)
        places = range(start, start + len(line))
        yield [
            ("".join(text[at] for at in part), ORDER[rank]) for rank, part in groupby(places, key=lambda at: worst[at])
        ]


def _reasons(report: claimgraph.Report) -> Iterator[list[Run]]:
    for claim, verdict in zip(report.claims, report.verdicts, strict=True):
        if (outcome := verdict.outcome.value) != "SUPPORTED":
            yield [(f" {outcome} ", outcome), (f" {claim.sentence}", "")]
            yield from ([(f"   {line}", "")] for line in textwrap.wrap(verdict.reason, COLUMNS - 3))


def _legend() -> list[Run]:
    return [piece for outcome in COLOURS for piece in ((f" {outcome} ", outcome), ("  ", ""))][:-1]


def _line(runs: list[Run], top: int) -> Iterator[str]:
    """Rectangles under the coloured pieces, then the words over them."""
    left = MARGIN
    for words, outcome in runs:
        width = CHAR * len(words)
        if outcome:
            yield f'<rect x="{left}" y="{top}" width="{width}" height="20" rx="3" fill="{COLOURS[outcome]}"/>'
        if said := words.strip():
            indent = CHAR * (len(words) - len(words.lstrip()))
            yield (
                f'<text x="{left + indent}" y="{top + 15}" textLength="{CHAR * len(said)}" '
                f'lengthAdjust="spacingAndGlyphs">{escape(said)}</text>'
            )
        left += width


def main(path: Path) -> None:
    """Check the bundled text in a store of its own and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        settings = claimgraph.Settings(store=Path(folder) / "store")
        texts = [(DEMO / name).read_text(encoding="utf-8") for name in ("text.txt", "context.txt")]
        report = claimgraph.check(texts[0], context=texts[1], settings=settings)
    path.write_text(picture(report), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "check.svg")
