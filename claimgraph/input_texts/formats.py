"""Read the text of PDF, Word and HTML files: bytes in, text out.

A page of a PDF ends with a form feed, so that a place in the text tells its page. HTML is read by the standard library:
libraries that guess the main part of a page leave out tables and short paragraphs, in which evidence may stand.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from claimgraph.kgstore.extras import require

if TYPE_CHECKING:
    from pypdf import PdfReader


MOST = 100 * 1024 * 1024
"""Bytes that the parts of a Word file may be unpacked, and characters of a PDF file's text."""
SECONDS = 60.0
"""Time that the pages of a PDF file may take; no page begins after it."""


class Unreadable(Exception):
    """Bytes that are no text of their format; the message is one clause that says why."""


def pdf(data: bytes) -> str:
    """Return the text of a PDF file, pages parted by form feeds."""
    require("documents", "pypdf")
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("a PDF file that needs a password")
        return "\f".join(_pages(reader))
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise Unreadable(f"a PDF file that cannot be read ({_line(error)})") from error


def docx(data: bytes) -> str:
    """Return the text of a Word file: a paragraph a line, a row of a table a line, in the order of the document."""
    require("documents", "docx")
    from zipfile import BadZipFile, ZipFile

    from docx import Document
    from docx.table import Table

    try:
        with ZipFile(io.BytesIO(data)) as packed:
            size = sum(part.file_size for part in packed.infolist())  # no part is unpacked to more than it says
        if size > MOST:
            raise Unreadable(f"a Word file whose parts unpack to {size / 1024**2:,.0f} MiB")
        parts = list(Document(io.BytesIO(data)).iter_inner_content())
    except (BadZipFile, KeyError, ValueError, NotImplementedError, SyntaxError) as error:
        raise Unreadable(f"a Word file that cannot be read ({_line(error)})") from error
    lines = (line for part in parts for line in (_rows(part) if isinstance(part, Table) else [part.text]))
    return "\n".join(lines)


def html(data: bytes) -> str:
    """Return the text of a page: a block a line, without scripts, styles and navigation."""
    parser = _Blocks()
    parser.feed(_decoded(data))
    parser.close()
    return "\n".join(parser.lines())


FORMATS: dict[str, Callable[[bytes], str]] = {".html": html, ".htm": html, ".pdf": pdf, ".docx": docx}
"""Readers by the endings of files."""

_SILENT = {"script", "style", "nav", "footer", "noscript", "template", "svg", "select", "button", "head"}
_INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
}  # fmt: skip
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset=["']?([\w-]{1,40})""", re.IGNORECASE)


class _Blocks(HTMLParser):
    """Collects the text of a page by block; what stands in a silent element is passed over."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._text, self._silent = list[str](), list[str]()

    def handle_starttag(self, tag: str, _: object) -> None:
        if tag == "body":  # the end of the head need not be written
            self._silent.clear()
        if tag in _SILENT:
            self._silent.append(tag)
        self._text.append("" if tag in _INLINE else "\t" if tag in ("td", "th") else "\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        self._text.append("" if tag in _INLINE or tag in ("td", "th") else "\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._text.append(re.sub(r"\s+", " ", data))

    def lines(self) -> Iterator[str]:
        """Yield the lines that are not empty."""
        for line in "".join(self._text).split("\n"):
            if shown := " ".join(line.split()):
                yield shown


def _decoded(data: bytes) -> str:
    found = _CHARSET.search(data[:4096])
    try:
        return data.decode(found[1].decode("ascii") if found else "utf-8-sig")
    except (LookupError, UnicodeDecodeError):
        return data.decode("utf-8", "replace")


def _pages(reader: PdfReader) -> Iterator[str]:
    """Yield the text of each page. Raises Unreadable where all is too much, or takes too long."""
    end, left = time.monotonic() + SECONDS, MOST
    for page in reader.pages:
        text = page.extract_text().strip()
        left -= len(text)
        if left < 0 or time.monotonic() > end:
            raise Unreadable("a PDF file that unpacks to too much" if left < 0 else "a PDF file that takes too long")
        yield text


def _rows(table: object) -> Iterator[str]:
    for row in table.rows:  # type: ignore[attr-defined]
        yield " | ".join(dict.fromkeys(cell.text.strip().replace("\n", " ") for cell in row.cells))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
