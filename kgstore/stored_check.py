"""Store a check: in one write, or that of a long text in portions, none of which anybody takes for the whole.

A transaction is held in memory until it ends: in the embedded store 2 MB a KB of text, of which a seventh stays as
graph. So a long text's portions are written one by one: a node with facts of it, a claim with its verdict and what that
rests on. The records of the graphs, and that the verdicts hold, are the last one: until then no verdict is current, no
page shows a claim of the text, and the run is running. A stopped check is completed by the same check, or forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from claimgraph.kgstore import records
from claimgraph.kgstore.model import Document, Extraction, Link, Run, Subgraph, Verdict
from claimgraph.kgstore.store import GraphStore, Step

LONG = 2_000
"""Claims of a text whose check is one write at most."""
PORTION = 500
"""Facts, or claims with their verdicts, of one write of a longer text."""


@dataclass(frozen=True, slots=True)
class CheckParts:
    """What is stored of a check beside its verdicts: the text's claims and claim KG, contexts with their KGs, links of
    the claims, and the steps that store texts which verdicts may cite, by document id.
    """

    extraction: Extraction
    graph: Subgraph
    contexts: Sequence[tuple[Document, Subgraph]]
    links: Sequence[Link]
    sources: Mapping[str, Sequence[Step]]

    def steps(self) -> Iterator[Step]:
        """Yield the steps that store contexts, the text with its claims, and the links."""
        yield from context_steps(self.contexts)
        yield from records.extraction_steps(self.extraction, self.graph)
        yield from records.link_steps(self.links)


def context_steps(contexts: Sequence[tuple[Document, Subgraph]]) -> Iterator[Step]:
    """Yield the steps that store contexts with their KGs."""
    for context, graph in contexts:
        yield from records.context_steps(context, graph)


def judged_steps(run: Run, verdicts: Sequence[Verdict], sources: Mapping[str, Sequence[Step]]) -> Iterator[Step]:
    """Yield steps that store the verdicts on existing claims: texts cited, run and verdicts."""
    yield from _source_steps(verdicts, sources)
    yield from records.verdict_steps(run, verdicts)


def put(store: GraphStore, parts: CheckParts, run: Run, verdicts: Sequence[Verdict]) -> None:
    """Store a check whose verdicts are parallel to the claims."""
    if len(verdicts) <= LONG:
        store.write(*parts.steps(), *judged_steps(run, verdicts, parts.sources))
        return
    read, graphs = parts.extraction, [("claim", parts.extraction.document, parts.graph)]
    for context, graph in parts.contexts:
        graphs.append(("context", context, graph))
        for part in _portions(len(graph.facts)):
            store.write(*records.document_steps([context]), *records.member_steps(_cut(graph, part)))
    running = replace(run, status="running", finished_at=None)
    for part in _portions(len(verdicts)):
        claims = {claim.id for claim in read.claims[part]}
        store.write(
            *records.document_steps([read.document]),
            *records.member_steps(_cut(parts.graph, part)),
            *records.claim_steps(read.claims[part], parts.graph.facts[part]),
            *records.link_steps([link for link in parts.links if link.claim in claims]),
            *_source_steps(verdicts[part], parts.sources),
            *records.found_steps(running, verdicts[part]),
        )
    whole = [records.graph_step(*records.text_graph(*one)) for one in graphs]
    store.write(*whole, *records.holding_steps(run, verdicts))


def _source_steps(verdicts: Sequence[Verdict], sources: Mapping[str, Sequence[Step]]) -> Iterator[Step]:
    for document in dict.fromkeys(piece.evidence.document for verdict in verdicts for piece in verdict.citations):
        yield from sources.get(document or "", ())


def _portions(count: int) -> Iterator[slice]:
    for start in range(0, count, PORTION):
        yield slice(start, start + PORTION)


def _cut(graph: Subgraph, part: slice) -> Subgraph:
    """Return some of the facts with their nodes."""
    facts = graph.facts[part]
    return Subgraph({end: graph.nodes[end] for fact in facts for end in (fact.subject, fact.object)}, facts)
