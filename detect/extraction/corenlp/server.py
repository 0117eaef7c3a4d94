"""One request to a Stanford CoreNLP server over HTTP, and the places in a text that its answer speaks of.

The server is Java and is started apart (docs/quality/extraction.md says how). Its Python clients were rejected: each
starts servers itself or carries a machine learning framework, for what is one POST request.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from claimgraph.detect.text.markup import split
from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.model import Span

_PIECE = 50_000
"""Characters a request: the server's own limit is 100,000."""

Json = Mapping[str, Any]


class CoreNLPServer:
    """A server's address. `timeout` in seconds is for one request. Holds no connection open.

    Raises InputError for an address that is not http or https.
    """

    def __init__(self, url: str, timeout: float = 300.0) -> None:
        if not url.startswith(("http://", "https://")):
            raise InputError(f"the CoreNLP server's address must begin with http:// or https://, not {url!r}")
        self._url = url.rstrip("/")
        self._timeout = timeout

    def ask(self, text: str, annotators: str) -> Json:
        """What these annotators say of a text. Raises ServiceError where no server answers or it fails."""
        properties = json.dumps({"annotators": annotators, "outputFormat": "json"})
        address = f"{self._url}/?{urllib.parse.urlencode({'properties': properties})}"
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        request = urllib.request.Request(address, text.encode("utf-8", "replace"), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                reply: Json = json.load(answer)
                return reply
        except urllib.error.HTTPError as error:
            said = error.read(200).decode("utf-8", "replace").partition("\n")[0]
            raise ServiceError(f"the CoreNLP server at {self._url} failed with status {error.code}: {said}") from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise ServiceError(f"no CoreNLP server answers at {self._url}: {reason}") from error


def pieces(text: str) -> Iterator[Span]:
    """Runs of paragraphs of at most 50,000 characters."""
    start = end = None
    for part in split(text):
        if start is not None and end is not None and part.end - start > _PIECE:
            yield Span(start, end)
            start = None
        start, end = part.start if start is None else start, part.end
    if start is not None and end is not None:
        yield Span(start, end)


def units(text: str, places: Sequence[Span]) -> list[Span]:
    """The place of each UTF-16 unit, given that of each code point: the server is Java and counts those units."""
    return [place for character, place in zip(text, places, strict=True) for _ in range(1 + (ord(character) > 0xFFFF))]


def token_spans(sentence: Json, places: Sequence[Span]) -> list[Span]:
    """The spans of a sentence's tokens, given the place of each UTF-16 unit."""
    return [
        Span(places[t["characterOffsetBegin"]].start, places[t["characterOffsetEnd"] - 1].end)
        for t in sentence["tokens"]
    ]
