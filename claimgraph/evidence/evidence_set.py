"""The evidence that claims are checked against, and the ways to have it at hand: a context read, or what was retrieved.

A context's KG is extracted by the same extractor as the claims, so both sides speak alike (FactAlign, KEA Explain).
Stored graphs are asked claim by claim: see graphs.py.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.extraction.sentence_places import placed
from claimgraph.detect.text.markup import unmarked
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document, Evidence, Extraction, Link, Passage, Span, Subgraph
from claimgraph.kgstore.store import Step


@dataclass(frozen=True, slots=True)
class EvidenceSet:
    """Facts and passages that claims are checked against.

    `scope` names the evidence with its version: the same claim on the same scope is the same verdict. `closed` says
    that the evidence is complete (contexts), so a claim not found in it is extrinsic. `links` is None where nothing
    was linked. `read` are the contexts with their KGs, which are stored; `sources` the steps that store texts of which
    there are many, by document id: written where a verdict cites the text. `contexts` (ids of documents) and `graphs`
    (versions by name) say where the evidence is from, so that a run can be repeated. `incomplete` are the linked
    entities of which only a part of the facts was fetched.
    """

    facts: Subgraph
    passages: tuple[Passage, ...]
    scope: str
    closed: bool
    links: tuple[Link, ...] | None = None
    read: tuple[tuple[Document, Subgraph], ...] = ()
    contexts: tuple[str, ...] = ()
    graphs: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Sequence[Step]] = field(default_factory=dict)
    incomplete: frozenset[str] = frozenset()

    def joined(self, graphs: EvidenceSet) -> EvidenceSet:
        """Return this and another context, or this and what stored graphs know, as one; closed where both are."""
        return EvidenceSet(
            self.facts.joined(graphs.facts),
            self.passages + graphs.passages,
            f"{self.scope}+{graphs.scope}",
            self.closed and graphs.closed,
            graphs.links,
            self.read + graphs.read,
            self.contexts + graphs.contexts,
            graphs.graphs,
            graphs.sources,
            graphs.incomplete,
        )


def of_context(read: Extraction, extractor: str) -> EvidenceSet:
    """Return the facts and sentences of a context, as the extractor of that key read them; see extraction_cache."""
    context, facts = read.document, claim_kg(read, identity.context_graph(read.document.id))
    return EvidenceSet(
        facts,
        passages_of(context, read.sentences, context.name or "the context", read.claims),
        f"context:{context.id}:{extractor}",
        closed=True,
        read=((context, facts),),
        contexts=(context.id,),
    )


def retrieved(facts: Subgraph, evidence: Sequence[Evidence], version: str) -> EvidenceSet:
    """Return what was retrieved for a question: facts, and passages; never all there is."""
    passages = tuple(Passage(e.text, e.source, e.document, e.span) for e in evidence if e.triple is None)
    return EvidenceSet(facts, passages, f"retrieved:{version}", closed=False)


def passages_of(
    document: Document, sentences: Sequence[Span], source: str, claims: Sequence[Claim] = ()
) -> tuple[Passage, ...]:
    """Return the sentences of a text that evidence calls `source`, in order, with what its claims state there.

    Markdown's marks are spaces in them: a sentence may have only one end of an emphasis, "Clerk:** S. Varley".
    """
    plain = unmarked(document.text)
    spans = [span for span in sentences if span.end > span.start]
    starts = [span.start for span in spans]
    stated: dict[int, dict[str, None]] = defaultdict(dict)
    for claim in claims:
        stated[bisect_right(starts, claim.span.start) - 1][claim.sentence] = None
    return tuple(
        Passage(plain[span.start : span.end], source, document.id, span, tuple(stated.get(row, ())), said)
        for row, (span, said) in enumerate(zip(spans, placed(document.text, spans), strict=True))
    )
