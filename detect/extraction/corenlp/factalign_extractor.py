"""FactAlign's own construction of a KG: resolve coreferences, recognise names, extract relations, filter by names.

The steps are the paper's; all three annotators are CoreNLP's, where the paper takes FastCoref and a multilingual BERT
for the first two: neither is carried by a package that runs without a model hub. The text is rewritten before
relations are extracted, as the paper says ("resolved each coreference to its reference"), and every claim's spans
are led back to the text as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimgraph.detect.extraction.corenlp.openie import ordered, reading
from claimgraph.detect.extraction.corenlp.server import CoreNLPServer, Json, pieces, token_spans, units
from claimgraph.detect.extraction.named_entity_filter import between_names
from claimgraph.kgstore.model import Claim, Document, Extraction, Span

_RESOLVE = "tokenize,ssplit,pos,lemma,ner,depparse,coref"
_RELATIONS = "tokenize,ssplit,pos,lemma,ner,depparse,natlog,openie"
_TYPES = frozenset({"PERSON", "ORGANIZATION", "LOCATION", "CITY", "COUNTRY", "STATE_OR_PROVINCE", "DATE"})
"""CoreNLP's names of Person, Organization, Location and Date."""


class FactAlignExtractor:
    """Claims as FactAlign makes them, from a CoreNLP server (two requests of at most 50,000 characters a piece).

    `filtered`: only claims whose subject and object hold a named entity, as in the paper. Errors and `timeout` as in
    CoreNLPExtractor.
    """

    def __init__(self, url: str, *, filtered: bool = True, timeout: float = 300.0) -> None:
        self.name = "factalign" if filtered else "factalign-unfiltered"
        self._filtered = filtered
        self._server = CoreNLPServer(url, timeout)

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order; equal triples with equal spans are one claim."""
        return [self._extraction(document) for document in documents]

    def _extraction(self, document: Document) -> Extraction:
        sentences: list[Span] = []
        found: dict[str, Claim] = {}
        for piece in pieces(document.text):
            text, places = self._resolved(document.text, piece)
            reply = self._server.ask(text, _RELATIONS)
            read = reading(document, reply, units(text, places), {})
            kept = between_names(read.claims, _named(reply)) if self._filtered else read.claims
            sentences.extend(read.sentences)
            found.update((claim.id, claim) for claim in kept)
        return Extraction(document, tuple(sentences), ordered(found.values()))

    def _resolved(self, whole: str, piece: Span) -> tuple[str, list[Span]]:
        """The piece with names in the place of what refers to them, and where each of its characters came from."""
        text = whole[piece.start : piece.end]
        here = units(text, [Span(i, i + 1) for i in range(piece.start, piece.end)])
        made, places, done = "", list[Span](), piece.start
        for span, name in _mentions(self._server.ask(text, _RESOLVE), here):
            if span.start < done:
                continue
            made += whole[done : span.start] + name
            places += [Span(i, i + 1) for i in range(done, span.start)] + [span] * len(name)
            done = span.end
        made += whole[done : piece.end]
        return made, places + [Span(i, i + 1) for i in range(done, piece.end)]


def _mentions(reply: Json, places: Sequence[Span]) -> Iterator[tuple[Span, str]]:
    """Pronouns and common nouns with the proper name of their chain, by place, the longer first."""
    sentences = reply["sentences"]
    spans = [token_spans(sentence, places) for sentence in sentences]
    found: list[tuple[Span, str]] = []
    for chain in reply.get("corefs", {}).values():
        best = next((m for m in chain if m["isRepresentativeMention"]), None)
        if best is None or best["type"] != "PROPER":
            continue
        for mention in chain:
            row, first, last = mention["sentNum"] - 1, mention["startIndex"] - 1, mention["endIndex"] - 2
            if mention["type"] in ("PRONOMINAL", "NOMINAL"):
                owner = sentences[row]["tokens"][last]["pos"] in ("PRP$", "POS")
                place = Span(spans[row][first].start, spans[row][last].end)
                found.append((place, best["text"] + "'s" * owner))
    yield from sorted(found, key=lambda pair: (pair[0].start, -pair[0].end))


def _named(reply: Json) -> Iterator[str]:
    """The named entities of the paper's types."""
    for sentence in reply["sentences"]:
        yield from (found["text"] for found in sentence.get("entitymentions", ()) if found["ner"] in _TYPES)
