"""Claims by Stanford CoreNLP's OpenIE (Angeli et al. 2015), as FactAlign does, over its server's HTTP interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from claimgraph.detect.extraction.carb import Tuple
from claimgraph.detect.extraction.corenlp.server import CoreNLPServer, Json, pieces, token_spans, units
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document, Extraction, Span

_TRIPLES = "tokenize,ssplit,pos,lemma,depparse,natlog,openie"
_WITH_NAMES = "tokenize,ssplit,pos,lemma,ner,depparse,coref,natlog,openie"


class CoreNLPExtractor:
    """Claims from a CoreNLP server; pronouns are replaced by what its coreference annotator says they stand for.

    `timeout` in seconds is for one request of at most 50,000 characters. Raises InputError for an address that is not
    http or https, ServiceError where no server answers or it fails. Holds no connection open.
    """

    name = "corenlp"

    def __init__(self, url: str, timeout: float = 300.0) -> None:
        self._server = CoreNLPServer(url, timeout)

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
            for reply in (self._server.ask(text, _TRIPLES) for text in texts)
        ]

    def _extraction(self, document: Document) -> Extraction:
        sentences: list[Span] = []
        found: dict[str, Claim] = {}
        for piece in pieces(document.text):
            text = document.text[piece.start : piece.end]
            reply = self._server.ask(text, _WITH_NAMES)
            here = units(text, [Span(i, i + 1) for i in range(piece.start, piece.end)])
            read = reading(document, reply, here, _names(reply))
            sentences.extend(read.sentences)
            found.update((claim.id, claim) for claim in read.claims)
        return Extraction(document, tuple(sentences), ordered(found.values()))


def ordered(found: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims by span, then triple."""
    return tuple(sorted(found, key=lambda c: (c.span.start, c.span.end, c.subject, c.predicate, c.object)))


def reading(
    document: Document, reply: Json, places: Sequence[Span], names: Mapping[tuple[int, int, int], str]
) -> Extraction:
    """What one answer says of a document: `places` as token_spans takes them, `names` what tokens stand for.

    Claims come in the order of the answer.
    """
    spans = [token_spans(sentence, places) for sentence in reply["sentences"]]
    claims = [
        c
        for sentence, at in zip(reply["sentences"], spans, strict=True)
        for c in _claims(document, sentence, at, names)
    ]
    return Extraction(document, tuple(Span(at[0].start, at[-1].end) for at in spans), tuple(claims))


def _names(reply: Json) -> dict[tuple[int, int, int], str]:
    """What a pronoun stands for, by its sentence's number and its first and last-but-one token."""
    names: dict[tuple[int, int, int], str] = {}
    for chain in reply.get("corefs", {}).values():
        best = next((m["text"] for m in chain if m["isRepresentativeMention"]), None)
        for mention in chain:
            if best is not None and mention["type"] == "PRONOMINAL":
                names[mention["sentNum"] - 1, mention["startIndex"] - 1, mention["endIndex"] - 1] = best
    return names


def _claims(
    document: Document, sentence: Json, spans: list[Span], names: Mapping[tuple[int, int, int], str]
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
