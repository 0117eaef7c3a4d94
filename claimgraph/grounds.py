"""What claims are checked against: a context (closed domain), or that and stored graphs (open_grounds.py) together.

Each function returns a `ground` for pipeline.check. A context's KG is extracted by the same extractor as the claims,
so both sides speak alike (FactAlign, KEA Explain).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from claimgraph.pipeline import Grounds
from detect.claimkg import claim_kg
from detect.extractions import key_of
from kgstore import identity, records
from kgstore.model import Document, Evidence, Extraction, Extractor, Passage, Subgraph

Ground = Callable[[Extraction], Grounds]


def from_context(context: Document, extractor: Extractor) -> Ground:
    """Grounds that are the facts and sentences of one context; a claim found in neither is extrinsic."""
    grounds = read_context(extractor.extract([context])[0], key_of(extractor))
    return lambda _: grounds


def read_context(extraction: Extraction, extractor: str) -> Grounds:
    """The grounds that are one context, as the extractor of that key (detect/extractions.py) read it."""
    context = extraction.document
    facts = claim_kg(extraction, identity.context_graph(context.id))
    source = context.name or "the context"
    passages = passages_of(extraction, source)
    steps = tuple(records.context_steps(context, facts))
    scope = f"context:{context.id}:{extractor}"
    return Grounds(facts, passages, scope, closed=True, steps=steps, context=context.id)


def passages_of(extraction: Extraction, source: str) -> tuple[Passage, ...]:
    """The sentences of a text that evidence calls `source`, in order."""
    document = extraction.document
    spans = (span for span in extraction.sentences if span.end > span.start)
    return tuple(Passage(document.text[s.start : s.end], source, document.id, s) for s in spans)


def together(first: Ground, second: Ground) -> Ground:
    """Grounds of a context and of stored graphs as one; a claim in neither is not extrinsic, since graphs are open."""

    def ground(extraction: Extraction) -> Grounds:
        a, b = first(extraction), second(extraction)
        steps = a.steps + b.steps
        scope, passages = f"{a.scope}+{b.scope}", a.passages + b.passages
        facts = a.facts.joined(b.facts)
        return Grounds(facts, passages, scope, False, b.links, steps, a.context, b.graphs, b.sources, b.incomplete)

    return ground


def from_evidence(facts: Subgraph, evidence: Sequence[Evidence], version: str) -> Ground:
    """Grounds that are what was retrieved for a question: facts, and passages; never all there is."""
    passages = tuple(Passage(e.text, e.source, e.document, e.span) for e in evidence if e.triple is None)
    return lambda _: Grounds(facts, passages, f"retrieved:{version}", closed=False)
