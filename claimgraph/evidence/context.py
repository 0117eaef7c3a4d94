"""What claims are checked against: a context (closed domain), or that and stored graphs (open_grounds.py) together.

Each function returns a `gather` for pipeline.check. A context's KG is extracted by the same extractor as the claims,
so both sides speak alike (FactAlign, KEA Explain).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.extraction.extraction_cache import key_of
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.model import Document, Evidence, Extraction, Extractor, Passage, Span, Subgraph
from claimgraph.pipeline import EvidenceSet

EvidenceSource = Callable[[Extraction], EvidenceSet]


def from_context(context: Document, extractor: Extractor) -> EvidenceSource:
    """Evidence that is the facts and sentences of one context; a claim found in neither is extrinsic."""
    evidence_set = read_context(extractor.extract([context])[0], key_of(extractor))
    return lambda _: evidence_set


def read_context(extraction: Extraction, extractor: str) -> EvidenceSet:
    """The evidence that is one context, as the extractor of that key read it; see extraction_cache."""
    facts = claim_kg(extraction, identity.context_graph(extraction.document.id))
    steps = tuple(records.context_steps(extraction.document, facts))
    return replace(of_context(extraction.document, extraction.sentences, facts, extractor), steps=steps)


def of_context(context: Document, sentences: Sequence[Span], facts: Subgraph, extractor: str) -> EvidenceSet:
    """The evidence that is a context's sentences and facts, as the extractor of that key read them."""
    passages = passages_of(context, sentences, context.name or "the context")
    return EvidenceSet(facts, passages, f"context:{context.id}:{extractor}", closed=True, context=context.id)


def passages_of(document: Document, sentences: Sequence[Span], source: str) -> tuple[Passage, ...]:
    """The sentences of a text that evidence calls `source`, in order."""
    spans = (span for span in sentences if span.end > span.start)
    return tuple(Passage(document.text[s.start : s.end], source, document.id, s) for s in spans)


def together(first: EvidenceSource, second: EvidenceSource) -> EvidenceSource:
    """Evidence of a context and of stored graphs as one."""
    return lambda extraction: joined(first(extraction), second(extraction))


def joined(a: EvidenceSet, b: EvidenceSet) -> EvidenceSet:
    """A context and stored graphs as one; a claim in neither is not extrinsic, since graphs are open."""
    steps = a.steps + b.steps
    scope, passages = f"{a.scope}+{b.scope}", a.passages + b.passages
    facts = a.facts.joined(b.facts)
    return EvidenceSet(facts, passages, scope, False, b.links, steps, a.context, b.graphs, b.sources, b.incomplete)


def from_evidence(facts: Subgraph, evidence: Sequence[Evidence], version: str) -> EvidenceSource:
    """Evidence that is what was retrieved for a question: facts, and passages; never all there is."""
    passages = tuple(Passage(e.text, e.source, e.document, e.span) for e in evidence if e.triple is None)
    return lambda _: EvidenceSet(facts, passages, f"retrieved:{version}", closed=False)
