"""What several tests share of rules."""

from __future__ import annotations

from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.kgstore.identity import claim_id, context_graph, document_id
from claimgraph.kgstore.model import (
    Claim,
    Document,
    Extraction,
    Passage,
    Span,
    Subgraph,
)

CONTEXT = {
    "Marie Curie was born in Warsaw on 7 November 1867.": [
        ("Marie Curie", "was born in", "Warsaw"),
        ("Marie Curie", "was born on", "7 November 1867"),
    ],
    "With her husband Pierre, she discovered polonium and radium in 1898.": [
        ("Marie Curie", "discovered", "polonium"),
        ("Marie Curie", "discovered", "radium"),
        ("Marie Curie", "discovered polonium in", "1898"),
    ],
    "Curie visited Rome but never saw Naples.": [
        ("Marie Curie", "visited", "Rome"),
        ("Marie Curie", "never saw", "Naples"),
    ],
    "The city has 2.1 million inhabitants.": [("Paris", "has", "2.1 million inhabitants")],
}


def claim_of(text: str, triple: tuple[str, str, str], start: int = 0, end: int = 0) -> Claim:
    document = document_id(text)
    return Claim(claim_id(document, start, end, *triple), document, *triple, " ".join(triple), Span(start, end))


def curie_context() -> tuple[Subgraph, list[Passage]]:
    text = " ".join(CONTEXT)
    document = Document(document_id(text), text)
    spans = [Span(text.index(sentence), text.index(sentence) + len(sentence)) for sentence in CONTEXT]
    claims = [
        claim_of(text, t, span.start, span.end) for span, ts in zip(spans, CONTEXT.values(), strict=True) for t in ts
    ]
    facts = claim_kg(Extraction(document, tuple(spans), tuple(claims)), context_graph(document.id))
    return facts, [Passage(text[s.start : s.end], "the context", document.id, s) for s in spans]
