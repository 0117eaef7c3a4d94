"""Turn labelled texts into the cases that detectors take: claims and evidence extracted, or made from given triples.

Each distinct context is read once, however many texts share it. The times of claims and evidence are measured
separately, since a method on whole texts needs no claims.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimgraph.detect.check_input import Case
from claimgraph.detect.extraction.extraction_cache import key_of
from claimgraph.detect.extraction.llm.outline import outlines
from claimgraph.evaluation.data.labelled import LabelledCase, Unit
from claimgraph.evaluation.data.labelled_spans import joined
from claimgraph.evidence.evidence_set import EvidenceSet, of_context
from claimgraph.evidence.graphs import StoredGraphs
from claimgraph.kgstore.identity import claim_id, document_id
from claimgraph.kgstore.model import Claim, Document, Extraction, Extractor, Span, Subgraph, Triple
from claimgraph.pipeline import retrieve

_KEPT = 512
"""Contexts held in memory: rows with the same context are close together."""

_NOTHING = EvidenceSet(Subgraph({}, ()), (), "nothing", closed=False)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A labelled text with its case; seconds spent on its evidence and on its claims."""

    labelled: LabelledCase
    case: Case
    ground_seconds: float
    claim_seconds: float


class SentencesOnly:
    """Reads no claims in a text, its sentences alone: all that GraphEval needs of a context. Implements Extractor."""

    name, config = "sentences", "{}"

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """Return one Extraction a document, in order. Raises ModelError."""
        found = outlines([document.text for document in documents])
        return [Extraction(document, tuple(one.sentences), ()) for document, one in zip(documents, found, strict=True)]


class Preparer:
    """Turns labelled texts into cases. `graphs` are what texts without a context are checked against, if any;
    `contexts` reads contexts, None: as the texts are read.
    """

    def __init__(
        self, extractor: Extractor, graphs: StoredGraphs | None = None, contexts: Extractor | None = None
    ) -> None:
        self._extractor, self._contexts = extractor, contexts or extractor
        self._graphs = graphs
        self._read: dict[str, EvidenceSet] = {}

    def prepare(self, batch: Sequence[LabelledCase]) -> list[Prepared]:
        """Return one case a text, in order."""
        begun = time.perf_counter()
        self._read_contexts(batch)
        read = time.perf_counter()
        claims = self._claims(batch)
        extracted = time.perf_counter()
        evidence = [self._evidence(case, found) for case, found in zip(batch, claims, strict=True)]
        costs = ((read - begun + time.perf_counter() - extracted) / len(batch), (extracted - read) / len(batch))
        return [
            Prepared(case, _case(case, found, given), *costs)
            for case, found, given in zip(batch, claims, evidence, strict=True)
        ]

    def _read_contexts(self, batch: Sequence[LabelledCase]) -> None:
        documents = {document_id(case.context): case.context for case in batch if case.context is not None}
        new = [Document(key, text) for key, text in documents.items() if key not in self._read]
        for extraction in self._contexts.extract(new) if new else ():
            self._read[extraction.document.id] = of_context(extraction, key_of(self._contexts))
        for key in [key for key in self._read if key not in documents][: len(self._read) - _KEPT]:
            del self._read[key]

    def _claims(self, batch: Sequence[LabelledCase]) -> list[Extraction]:
        texts = [Document(document_id(case.text), case.text) for case in batch if case.claims is None]
        extracted = iter(self._extractor.extract(texts) if texts else ())
        return [next(extracted) if case.claims is None else _given(case) for case in batch]

    def _evidence(self, case: LabelledCase, extraction: Extraction) -> EvidenceSet:
        if case.context is not None:
            return self._read[document_id(case.context)]
        if case.evidence is not None:
            return of_context(_said(case.evidence), "triples")
        return retrieve(extraction.claims, self._graphs) if self._graphs else _NOTHING


def whole(prepared: Prepared, unit: Unit) -> list[Case]:
    """Return a case per unit whose only claim is its whole text: the input of a method on whole texts (GraphEval's
    comparison).

    The claim's span is the unit's in the labelled text; its text is in the subject, the other elements are empty.
    """
    case, labelled = prepared.case, prepared.labelled
    spans = [s.span for s in labelled.sentences or ()] if unit is Unit.SENTENCE else [Span(0, len(case.text))]
    return [_whole(case, span) for span in spans if case.text[span.start : span.end].strip()]


def _whole(case: Case, span: Span) -> Case:
    text = case.text[span.start : span.end]
    document = document_id(case.text)
    claim = Claim(claim_id(document, span.start, span.end, text, "", ""), document, text, "", "", text, span)
    return replace(case, claims=(claim,), text=text, sentences=(Span(0, len(text)),))


def _case(labelled: LabelledCase, extraction: Extraction, evidence_set: EvidenceSet) -> Case:
    return Case(
        extraction.claims,
        evidence_set.facts,
        evidence_set.passages,
        evidence_set.closed,
        extraction.document.text,
        extraction.sentences,
        evidence_set.links,
        evidence_set.incomplete,
        given=labelled.claims is not None and labelled.evidence is not None,
    )


def _given(case: LabelledCase) -> Extraction:
    document = Document(document_id(case.text), case.text)
    claims = tuple(_claim(item.triple, item.span, document) for item in case.claims or ())
    sentences = tuple(dict.fromkeys(claim.span for claim in claims)) or (Span(0, len(case.text)),)
    return Extraction(document, sentences, claims)


def _said(triples: Sequence[Triple]) -> Extraction:
    """Return evidence triples as a text of one sentence each, so that sentence methods can read them."""
    text, spans = joined([f"{triple.text}." for triple in triples])
    document = Document(document_id(text), text, name="the evidence")
    claims = tuple(_claim(triple, span, document) for triple, span in zip(triples, spans, strict=True))
    return Extraction(document, tuple(spans), claims)


def _claim(triple: Triple, span: Span, document: Document) -> Claim:
    s, p, o = triple.subject, triple.predicate, triple.object
    key = claim_id(document.id, span.start, span.end, s, p, o)
    return Claim(key, document.id, s, p, o, document.text[span.start : span.end], span)
