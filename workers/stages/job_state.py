"""Read the state of a job for its later stages: its texts, claims and evidence, by the ids in its notes.

Notes hold what the graph does not: the order of claims, the spans of sentences, the context's facts that were read by
this extractor, the rejected claims. To extract again in each stage was rejected: a language model would be asked again,
and its claims would differ from those stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

from claimgraph.detect.extraction.extraction_cache import key_of, rejections_json
from claimgraph.detect.text.language import language_of
from claimgraph.evidence.evidence_set import EvidenceSet, of_context
from claimgraph.kgstore import identity, reads
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import Document, Extraction, Link, Rejection, Span, Subgraph
from claimgraph.kgstore.runs.jobs import Job
from claimgraph.pipeline import CheckInput

if TYPE_CHECKING:
    from claimgraph.evidence.graphs import StoredGraphs
    from claimgraph.wiring.checker import Checker
    from claimgraph.workers.stages.worker_context import WorkerContext

Notes = dict[str, Any]


class JobState:
    """One job; each part is read once, on first use. Raises NotFound where the store lacks a text or claim."""

    def __init__(self, job: Job, tools: WorkerContext) -> None:
        self.job, self._tools = job, tools
        self.options: Mapping[str, Any] = json.loads(job.options)
        self.notes: Mapping[str, Any] = json.loads(job.notes)

    @property
    def checker(self) -> Checker:
        """The checker with the job's extractor."""
        return self._tools.checker(self.options.get("extractor"))

    @cached_property
    def known(self) -> StoredGraphs:
        """The job's graphs, in the versions they had when their facts were retrieved."""
        return self.checker.known(tuple(self.options["graphs"]), (self.notes.get("around") or {}).get("graphs"))

    @cached_property
    def _texts(self) -> dict[str, Document]:
        return reads.load_documents(self._tools.store, [key for key in (self.job.document, self.job.context) if key])

    @cached_property
    def document(self) -> Document:
        """The text to check, with its detected language."""
        found = self._text(self.job.document)
        return replace(found, language=language_of(found.text))

    @cached_property
    def context(self) -> Document | None:
        """The text to check against."""
        return self._text(self.job.context) if self.job.context else None

    @cached_property
    def extraction(self) -> Extraction:
        """The extraction of the document."""
        ids = self.notes["claims"]
        found = reads.claims_by_id(self._tools.store, ids)
        for missing in (key for key in ids if key not in found):
            raise NotFound("claim", missing)
        claims = tuple(found[key] for key in ids)
        return Extraction(self.document, _spans(self.notes["sentences"]), claims, _rejected(self.notes["rejected"]))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links of the claims."""
        rows, claims = self.notes["links"], {claim.id: claim for claim in self.extraction.claims}
        found = reads.load_entities(self._tools.store, sorted({entity for *_, entity in rows if entity}))
        return tuple(
            Link(claim, role, getattr(claims[claim], role), found.get(entity or ""), score, margin)
            for claim, role, score, margin, entity in rows
        )

    @cached_property
    def given(self) -> CheckInput:
        """The extraction of the document, its claim KG, and its evidence."""
        read, ids = self.extraction, self.notes["facts"]
        graph = self._found.graph(zip(ids, (claim.span for claim in read.claims), strict=True))
        if len(graph.facts) < len(ids):
            raise NotFound("claim graph", identity.claim_graph(read.document.id))
        return CheckInput(read, graph, self.evidence_set)

    @cached_property
    def evidence_set(self) -> EvidenceSet:
        """The evidence in the store now; facts that are gone are left out."""
        read, around = self.notes.get("context"), self.notes.get("around")
        parts: list[EvidenceSet] = []
        if read and self.context:
            facts = self._found.graph((key, Span(*span)) for key, span in read["facts"])
            sentences, extractor = _spans(read["sentences"]), key_of(self.checker.extractor)
            parts.append(replace(of_context(Extraction(self.context, sentences, ()), extractor), facts=facts, steps=()))
        if around:
            facts = self._found.graph((key, None) for key in around["facts"])
            known, texts = self.known, self.known.texts(self.links)
            found = EvidenceSet(facts.joined(texts.facts), texts.passages, known.scope, False, self.links)
            incomplete = frozenset(around["incomplete"])
            parts.append(replace(found, graphs=known.versions, sources=texts.sources, incomplete=incomplete))
        return reduce(EvidenceSet.joined, parts)

    @cached_property
    def _found(self) -> _Found:
        """All facts of the notes, read at once."""
        read, around = self.notes.get("context", {}), self.notes.get("around", {})
        theirs = [key for key, _ in read.get("facts", ())]
        return _Found(reads.load_facts(self._tools.store, {*self.notes["facts"], *theirs, *around.get("facts", ())}))

    def _text(self, key: str | None) -> Document:
        if key not in self._texts:
            raise NotFound("document", str(key))
        return self._texts[key]


def of_extraction(extraction: Extraction, graph: Subgraph) -> Notes:
    """Return the notes on a document for later stages; `graph` is its claim KG."""
    return {
        "claims": [claim.id for claim in extraction.claims],
        "facts": [fact.id for fact in graph.facts],
        "sentences": _ends(extraction.sentences),
        "rejected": rejections_json(extraction.rejected),
    }


def of_reading(extraction: Extraction, graph: Subgraph) -> Notes:
    """Return the notes on a context for later stages; `graph` is its KG."""
    places = _ends(claim.span for claim in extraction.claims)
    facts = [(fact.id, place) for fact, place in zip(graph.facts, places, strict=True)]
    return {"sentences": _ends(extraction.sentences), "facts": facts}


def of_links(links: Sequence[Link]) -> list[Any]:
    """Return the notes on links for later stages."""
    return [(one.claim, one.role, one.score, one.margin, one.entity.id if one.entity else None) for one in links]


class _Found:
    """Facts of the store by id. A text may state a fact twice and the store has one span: the notes have the span of
    this extraction.
    """

    def __init__(self, found: Subgraph) -> None:
        self._nodes, self._facts = found.nodes, {fact.id: fact for fact in found.facts}

    def graph(self, places: Iterable[tuple[str, Span | None]]) -> Subgraph:
        """Return the existing facts, in that order and with those spans; None is the store's own."""
        here = [(self._facts[key], span) for key, span in places if key in self._facts]
        facts = tuple(replace(fact, span=span) if span else fact for fact, span in here)
        return Subgraph({end: self._nodes[end] for fact in facts for end in (fact.subject, fact.object)}, facts)


def _rejected(rows: Iterable[Mapping[str, Any]]) -> tuple[Rejection, ...]:
    return tuple(Rejection(tuple(row["triple"]), row["reason"], Span(row["start"], row["end"])) for row in rows)


def _ends(spans: Iterable[Span]) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in spans]


def _spans(rows: Iterable[Sequence[int]]) -> tuple[Span, ...]:
    return tuple(Span(*row) for row in rows)
