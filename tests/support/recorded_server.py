"""Serves HTTP answers from files, head and body byte for byte, in place of DBpedia's endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from loopback import on_loopback

FOLDER = Path(__file__).parent.parent / "recorded" / "dbpedia"
_KINDS = {
    "wikiPageRedirects> ?text": "moved",
    "?page dbo:wikiPageRedirects ?item": "texts",
    "wikiPageDisambiguates": "names",
    "owl:FunctionalProperty }": "properties",
    "?itemName": "as_object",
    "?item ?property ?value ?name": "as_subject",
}
"""What a query asks for, by what it has."""


@dataclass(slots=True)
class Recorded:
    """Its address, and what it was asked for; `files` are the names of files that answer a kind of question in turn,
    the last one again and again, where that of its own name shall not.
    """

    url: str = ""
    files: dict[str, list[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def answer(self, query: str) -> bytes:
        """The bytes for a query."""
        kind = next(kind for words, kind in _KINDS.items() if words in query)
        self.asked.append(kind)
        names = self.files.get(kind, [kind])
        name = names.pop(0) if len(names) > 1 else names[0]
        return (FOLDER / f"{name}.http").read_bytes()


@contextmanager
def replaying() -> Iterator[Recorded]:
    """A server of these files until the block is left."""
    recorded = Recorded()
    handler = type("Handler", (_Handler,), {"recorded": recorded})
    with on_loopback(handler) as address:
        recorded.url = f"{address}/sparql"
        yield recorded


class _Handler(BaseHTTPRequestHandler):
    recorded: Recorded

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.wfile.write(self.recorded.answer(form["query"][0]))
        self.close_connection = True

    def do_GET(self) -> None:
        """A question that lost its query gets the form for queries, as there."""
        self.wfile.write((FOLDER / "page_200.http").read_bytes())
        self.close_connection = True

    def log_message(self, *_: Any) -> None: ...
