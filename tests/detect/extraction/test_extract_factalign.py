"""FactAlign's extraction: coreferences resolved before relations are read, and the filter by named entities."""

from __future__ import annotations

import json
import re
import urllib.parse
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from claimgraph.detect.extraction.corenlp.factalign_extractor import FactAlignExtractor
from claimgraph.detect.extraction.named_entity_filter import NamedRuleExtractor, between_names
from claimgraph.kgstore.identity import claim_id, document_id
from claimgraph.kgstore.model import Claim, Document, Span

TEXT = "😀 Marie Curie was born in Warsaw. She won her prize in Paris. Cats sleep."
RESOLVED = "😀 Marie Curie was born in Warsaw. Marie Curie won Marie Curie's prize in Paris. Cats sleep."
RELATIONS = [
    (0, (1, 3), (3, 6), (6, 7)),  # Marie Curie | was born in | Warsaw
    (1, (0, 2), (2, 3), (3, 7)),  # Marie Curie | won | Marie Curie's prize
    (1, (0, 2), (2, 3), (6, 7)),  # Marie Curie | won | prize
]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _sentences(text: str) -> list[dict]:
    found = []
    for number, sentence in enumerate(re.finditer(r"\S.*?\.(?=\s|$)", text)):
        tokens = []
        for word in re.finditer(r"'s|[^\s.']+|\.", sentence[0]):
            start, end = sentence.start() + word.start(), sentence.start() + word.end()
            tag = {"her": "PRP$", "'s": "POS"}.get(word[0], "NN")
            places = {"characterOffsetBegin": _units(text[:start]), "characterOffsetEnd": _units(text[:end])}
            tokens.append({"word": word[0], "pos": tag, **places})
        found.append({"index": number, "tokens": tokens, "openie": [], "entitymentions": []})
    return found


def _mention(text: str, kind: str, sentence: int, first: int, last: int) -> dict:
    place = {"sentNum": sentence, "startIndex": first, "endIndex": last}
    return {"text": text, "type": kind, "isRepresentativeMention": kind == "PROPER", **place}


def _answer(text: str, annotators: str) -> dict:
    """What a server says of TEXT and of RESOLVED; other texts are a failure of the test."""
    sentences = _sentences(text)
    if "coref" in annotators:
        assert TEXT == text
        chain = [_mention("Marie Curie", "PROPER", 1, 2, 4)]
        chain += [_mention("She", "PRONOMINAL", 2, 1, 2), _mention("her", "PRONOMINAL", 2, 3, 4)]
        return {"sentences": sentences, "corefs": {"1": chain}}
    assert RESOLVED == text
    for row, *spans in RELATIONS:
        words = [token["word"] for token in sentences[row]["tokens"]]
        named = dict(zip(("subject", "relation", "object"), spans, strict=True))
        said = {part: " ".join(words[a:b]).replace(" 's", "'s") for part, (a, b) in named.items()}
        sentences[row]["openie"].append(said | {f"{part}Span": list(span) for part, span in named.items()})
    sentences[0]["entitymentions"] = [
        {"text": "Marie Curie", "ner": "PERSON"},
        {"text": "Warsaw", "ner": "CITY"},
        {"text": "prize", "ner": "TITLE"},
    ]
    return {"sentences": sentences}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        [properties] = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)["properties"]
        text = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
        body = json.dumps(_answer(text, json.loads(properties)["annotators"])).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a local server that answers as CoreNLP does."""
    with HTTPServer(("127.0.0.1", 0), _Handler) as served:
        thread = Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


def test_resolved_before_relations(server):
    """Relations are read from the text with names in the pronouns' places; spans are those of the text as written."""
    [found] = FactAlignExtractor(server, filtered=False).extract([Document(document_id(TEXT), TEXT)])
    spans = [found.claims[i].subject_span for i in range(3)] + [found.claims[2].object_span]
    assert ["Marie Curie", "She", "She"] == [TEXT[s.start : s.end] for s in spans[:3]]
    assert {"Marie Curie"} == {claim.subject for claim in found.claims}
    assert "Marie Curie's prize" in {claim.object for claim in found.claims}
    assert "She won her prize" == found.claims[2].text
    assert ["She won her prize in Paris.", "Cats sleep."] == [TEXT[s.start : s.end] for s in found.sentences[1:]]


def test_filter(server):
    """Only claims whose two ends hold a person, organization, location or date are kept; a title is none of them."""
    [found] = FactAlignExtractor(server).extract([Document(document_id(TEXT), TEXT)])
    assert [("Marie Curie", "Warsaw"), ("Marie Curie", "Marie Curie's prize")] == [
        (claim.subject, claim.object) for claim in found.claims
    ]
    assert "factalign" == FactAlignExtractor(server).name
    assert "factalign-unfiltered" == FactAlignExtractor(server, filtered=False).name


@pytest.mark.parametrize(
    ("object", "kept"), [("the city of Oslo", True), ("oslo", True), ("Oslofjord", False), ("a city", False)]
)
def test_between_names(object, kept):
    """A name counts as whole words anywhere in an element, whatever its case."""
    words = ("Anna Lie", "saw", object)
    claim = Claim(claim_id("d", 0, 1, *words), "d", *words, "", Span(0, 1))
    assert kept == bool(between_names([claim], ["Anna Lie", "Oslo"]))
    assert () == between_names([claim], [])


def test_rules_named():
    """The rules' claims between names are kept, the others are not."""
    text = "Marie Curie was born in Warsaw. Marie Curie liked bread."
    [found] = NamedRuleExtractor().extract([Document(document_id(text), text)])
    assert [("Marie Curie", "Warsaw")] == [(claim.subject, claim.object) for claim in found.claims]
    assert 2 == len(found.sentences)
