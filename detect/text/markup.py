"""The layout of a text without a parser: its paragraphs, Markdown's marks, and what else is no word of it.

Paragraphs bound the memory of a parse, and no sentence runs over a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from claimgraph.detect.text.words import words
from claimgraph.kgstore.model import Span

_PARAGRAPH_MAX = 4_000
_BREAK = re.compile(
    r"\n[^\S\n]*\n\s*|\n(?=\s*(?:[-*•–]|\d+[.)])\s)|\n(?=[ \t]*(?:\*\*|#{1,6} |[A-Z][^:.\n]{1,40}:\s))"
    r"|(?<=^#)[^\n]*\n|(?<=[.!?:;\"”])[^\S\n]*\n",
    re.MULTILINE,
)
_FIRST_LINES = re.compile(
    r"(?:\A|\n[^\S\n]{0,40}\n|\n(?=\d{1,3}[.)] ))"
    r"\s{0,40}([^\n|]{0,300}[^\n|.!?:;,-])\n([A-Z\"“][^\n|]*)"
)
_TITLE_WORDS = 8
_HEAD_LINES = re.compile(
    r"(?:\A|\n[^\S\n]{0,40}\n)"
    r"((?:[A-Z0-9][^\n|]{2,79}[^\n|.!?:;,-]\n){1,5}[A-Z0-9][^\n|]{2,79}[^\n|.!?:;,-])\n(?=\s)"
)
_OPEN_ENDS = words("a an and as at by for from in into is of on or than that the to was were when which with")
_TABLE = re.compile(r"(?:^[ \t]*\|[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_CUT = re.compile(r"[.!?][\"'”’)\]]*\s+|\n|\s+")


def split(text: str) -> Iterator[Span]:
    """Yield paragraphs with a letter or digit: cut at blank lines, list marks, labels, lines that end a sentence or are
    a title, and around tables.

    One longer than 4,000 characters is cut at the last sentence end before that, else at white space, else there.
    """
    start = 0
    tables = [found.span() for found in _TABLE.finditer(text)]
    ends = {at for table in tables for at in table} | {len(text)}
    breaks = (found.end() for found in _BREAK.finditer(text))
    ends.update(at for at in breaks if not any(start < at < end for start, end in tables))
    ends.update(_titles(text))
    ends.update(_head_lines(text))
    for end in sorted(ends):
        while end - start > _PARAGRAPH_MAX:
            cut = _cut(text, start)
            yield Span(start, cut)
            start = cut
        if text[start:end].strip():
            yield Span(start, end)
        start = end


def _titles(text: str) -> Iterator[int]:
    """Yield where a block's first line ends that is a title: far shorter than a line of the text after it, which goes
    on with a capital. A line that was wrapped has no room for the next word."""
    for found in _FIRST_LINES.finditer(text):
        title, after = found[1], found[2]
        open_end = title.rstrip().rsplit(None, 1)[-1].lower() in _OPEN_ENDS
        if len(title.split()) <= _TITLE_WORDS and len(title) + 25 < len(after) and not open_end:
            yield found.start(2)


def _head_lines(text: str) -> Iterator[int]:
    """Yield where the lines of a block end that is no running text: two to six short lines that each begin with a
    capital, none with a sign that ends a sentence."""
    for block in _HEAD_LINES.finditer(text):
        yield from (block.start(1) + end for end, sign in enumerate(block[1], 1) if sign == "\n")


def _cut(text: str, start: int) -> int:
    stop = start + _PARAGRAPH_MAX
    ends = [(found.group()[0] in ".!?", found.end()) for found in _CUT.finditer(text, start, stop)]
    return max(ends, default=(False, stop))[1]


_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\n]{1,2000}\)")
_MARKS = re.compile(
    r"\*\*|__|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])"
    r"|`{3,}|(?<!`)`(?=[^\s`])|(?<=[^\s`])`(?!`)|^[ \t]*(?:#{1,6}|[-*+•–>]|\d{1,3}[.)])[ \t]+"
    r"|(?:\A|(?<=\n\n)|(?<=[.;:]\n))\d{1,2}(?:\.\d{1,2}){1,3}\.?[ \t]+(?=[A-Z][a-z]* ?[a-z])",
    re.MULTILINE,
)
_DATELINE = re.compile(
    r"^[A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ.'’ -]{2,30}(?:, [A-Z][\w.]{1,20})?"
    r"(?:,? \d{1,2} [A-Z][a-z]+(?: \d{4})?|,? [A-Z][a-z]+\.? \d{1,2}(?:, \d{4})?)?"
    r"(?: \([^()\n]{1,40}\))?(?: (?:--|[–—-]) |--|—)(?=[A-Z\"“])",
    re.MULTILINE,
)
"""Where and when a report was written: "OSLO, Norway, 3 October 2024 -- "."""

_LABEL = re.compile(r"(?:^[ \t]*[QA]|(?:^[ \t]*|(?<=[.?!] ))[A-Z]{4,}(?: [A-Z]{2,})*):[ \t]+(?=[A-Z0-9])", re.MULTILINE)


_CITED = re.compile(
    r"(?<=[\w.,;:!?\"”’)]) ?\[\d{1,3}(?:[,–-] ?\d{1,3})*\](?: ?[,–-]? ?\[\d{1,3}\])*(?!\()"
    r"|^[ \t]*\[\d{1,3}\](?=[ \t]+[A-Z])",
    re.MULTILINE,
)
"""Numbers of sources: "science[1]", "the end. [2] [3]"."""


def is_table(written: str) -> bool:
    """Whether a paragraph is a table in Markdown."""
    return _TABLE.match(written) is not None


def unmarked(text: str) -> str:
    """The text without emphasis, code marks, heading and list marks, datelines, link targets, numbers of sources, and
    labels of a structured abstract or an interview ("METHODS:", "A:"); of the same length.
    """
    if not any(mark in text for mark in "*_`#-–—+•>[:1234567890"):
        return text
    text = _LINK.sub(lambda found: _kept(found[0], found.start(1) - found.start(), len(found[1])), text)
    text = _CITED.sub(lambda found: blank(found[0]), text)
    text = _DATELINE.sub(lambda found: blank(found[0]), text)
    return _LABEL.sub(lambda found: blank(found[0]), _MARKS.sub(lambda found: blank(found[0]), text))


def _kept(link: str, start: int, size: int) -> str:
    return " " * start + link[start : start + size] + " " * (len(link) - start - size)


def blank(mark: str) -> str:
    return re.sub(r"\S", " ", mark)
