"""Claims by Stanford CoreNLP's OpenIE (Angeli et al. 2015), FactAlign's own choice, over its server's HTTP interface.

The server is Java and is started apart (docs/quality.md says how). Its Python clients were rejected: each starts
servers itself or carries a machine learning framework, for what is one POST request.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from detect.carb import Tuple
from detect.parse import split
from kgstore import identity
from kgstore.errors import InputError, ServiceError
from kgstore.model import Claim, Document, Extraction, Span

_TRIPLES = "tokenize,ssplit,pos,lemma,depparse,natlog,openie"
_WITH_NAMES = "tokenize,ssplit,pos,lemma,ner,depparse,coref,natlog,openie"
_PIECE = 50_000
"""Characters a request: the server's own limit is 100,000."""

_Json = Mapping[str, Any]


class CoreNLPExtractor:
    """Claims from a CoreNLP server; pronouns are replaced by what its coreference annotator says they stand for.

    `timeout` in seconds is for one request of at most 50,000 characters. Raises InputError for an address that is not
    http or https, ServiceError where no server answers or it fails. Holds no connection open.
    """

    name = "corenlp"

    def __init__(self, url: str, timeout: float = 300.0) -> None:
        if not url.startswith(("http://", "https://")):
            raise InputError(f"the CoreNLP server's address must begin with http:// or https://, not {url!r}")
        self._url = url.rstrip("/")
        self._timeout = timeout

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order; equal triples with equal spans are one claim."""
        return [self._extraction(document) for document in documents]

    def tuples(self, texts: Sequence[str]) -> list[list[Tuple]]:
        """The triples of each text as the server words them, pronouns left as they are."""
        return [
            [
                Tuple(t["relation"], (t["subject"], t["object"]))
                for sentence in reply["sentences"]
                for t in sentence["openie"]
            ]
            for reply in (self._ask(text, _TRIPLES) for text in texts)
        ]

    def _extraction(self, document: Document) -> Extraction:
        sentences: list[Span] = []
        found: dict[str, Claim] = {}
        for piece in _pieces(document.text):
            reply = self._ask(document.text[piece.start : piece.end], _WITH_NAMES)
            offsets = _offsets(document.text, piece)
            names = _names(reply)
            for sentence in reply["sentences"]:
                spans = [
                    Span(offsets[t["characterOffsetBegin"]], offsets[t["characterOffsetEnd"]])
                    for t in sentence["tokens"]
                ]
                sentences.append(Span(spans[0].start, spans[-1].end))
                found.update((claim.id, claim) for claim in _claims(document, sentence, spans, names))
        ordered = sorted(found.values(), key=lambda c: (c.span.start, c.span.end, c.subject, c.predicate, c.object))
        return Extraction(document, tuple(sentences), tuple(ordered))

    def _ask(self, text: str, annotators: str) -> _Json:
        properties = json.dumps({"annotators": annotators, "outputFormat": "json"})
        address = f"{self._url}/?{urllib.parse.urlencode({'properties': properties})}"
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        request = urllib.request.Request(address, text.encode("utf-8", "replace"), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                reply: _Json = json.load(answer)
                return reply
        except urllib.error.HTTPError as error:
            said = error.read(200).decode("utf-8", "replace").partition("\n")[0]
            raise ServiceError(f"the CoreNLP server at {self._url} failed with status {error.code}: {said}") from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise ServiceError(f"no CoreNLP server answers at {self._url}: {reason}") from error


def _pieces(text: str) -> Iterator[Span]:
    """Runs of paragraphs of at most 50,000 characters."""
    start = end = None
    for part in split(text):
        if start is not None and end is not None and part.end - start > _PIECE:
            yield Span(start, end)
            start = None
        start, end = part.start if start is None else start, part.end
    if start is not None and end is not None:
        yield Span(start, end)


def _offsets(text: str, piece: Span) -> list[int]:
    """Code point in the text for each UTF-16 unit of the piece: the server is Java and counts those."""
    widths = [2 if ord(character) > 0xFFFF else 1 for character in text[piece.start : piece.end]]
    places = [piece.start + i for i, width in enumerate(widths) for _ in range(width)]
    return [*places, piece.end]


def _names(reply: _Json) -> dict[tuple[int, int, int], str]:
    """What a pronoun stands for, by its sentence's number and its first and last-but-one token."""
    names: dict[tuple[int, int, int], str] = {}
    for chain in reply.get("corefs", {}).values():
        best = next((m["text"] for m in chain if m["isRepresentativeMention"]), None)
        for mention in chain:
            if best is not None and mention["type"] == "PRONOMINAL":
                names[mention["sentNum"] - 1, mention["startIndex"] - 1, mention["endIndex"] - 1] = best
    return names


def _claims(
    document: Document, sentence: _Json, spans: list[Span], names: Mapping[tuple[int, int, int], str]
) -> Iterator[Claim]:
    for triple in sentence["openie"]:
        subject, predicate, object = (
            _cover(spans, triple[f"{part}Span"]) for part in ("subject", "relation", "object")
        )
        said = {
            part: names.get((sentence["index"], *triple[f"{part}Span"]), triple[part]).strip()
            for part in ("subject", "object")
        }
        start = min(subject.start, predicate.start, object.start)
        end = max(subject.end, predicate.end, object.end)
        words = (said["subject"], triple["relation"], said["object"])
        identifier = identity.claim_id(document.id, start, end, *words)
        text = document.text[start:end]
        yield Claim(identifier, document.id, *words, text, Span(start, end), subject, predicate, object)


def _cover(spans: list[Span], tokens: Sequence[int]) -> Span:
    """The span of the tokens from the first to before the second number."""
    first, last = tokens[0], max(tokens[0], tokens[1] - 1)
    return Span(spans[first].start, spans[last].end)
