"""Make frozen copies of the facts and sentences that findings cite, equal for all methods.

One that many claims cite is copied once: a long text's verdicts have five citations each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from claimgraph.detect.check_input import Linked
from claimgraph.detect.reasons import wording
from claimgraph.detect.text.span_index import SpanIndex
from claimgraph.kgstore.identity import evidence_id
from claimgraph.kgstore.model import Citation, Claim, Evidence, Fact, Outcome, Passage, Span, Status, Subgraph
from claimgraph.kgstore.naming import address

if TYPE_CHECKING:
    from claimgraph.detect.reasons.contrast import Contrast


class Sources:
    """The evidence of one document, as citable copies."""

    def __init__(self, facts: Subgraph, passages: Sequence[Passage]) -> None:
        self.facts, self._passages = facts, passages
        self._graphs = {fact.id: fact.graph for fact in reversed(facts.facts)}
        self._homes = SpanIndex((passage.document, passage.span) for passage in passages)
        self._copied: dict[Fact | int, Evidence] = {}
        self._several = len({fact.graph for fact in facts.facts if not fact.document}) > 1

    def fact(self, fact: Fact) -> Evidence:
        """Return the fact with its triple and its span, under the source of the sentence it was read from, else an
        address.

        Where several stored graphs are evidence the graph is named too: they may describe one entity.
        """
        return self._copied.get(fact) or self._copied.setdefault(fact, self._fact(fact))

    def _fact(self, fact: Fact) -> Evidence:
        span, triple = fact.span, self.facts.triple(fact)
        home = self._home(fact.document, span.start if span else -1)
        source = home.source if home else self._origin(fact)
        ranked = f"{fact.id} {fact.rank}" if fact.rank else fact.id
        key = evidence_id(fact.document or source, ranked, triple.text, *_ends(span))
        return Evidence(key, triple.text, source, fact.id, triple, fact.document, span, fact.rank)

    def _origin(self, fact: Fact) -> str:
        found = address(fact.subject) or fact.source or fact.graph
        return f"{fact.graph}: {found}" if self._several and found != fact.graph else found

    def passage(self, row: int) -> Evidence:
        """Return the passage of that number."""
        return self._copied.get(row) or self._copied.setdefault(row, self._passage(row))

    def _passage(self, row: int) -> Evidence:
        passage = self._passages[row]
        text = passage.placed or passage.text
        key = evidence_id(passage.document or passage.source, None, text, *_ends(passage.span))
        return Evidence(key, text, passage.source, document=passage.document, span=passage.span)

    def contrasted(self, pair: Contrast) -> Evidence:
        """Return the fact or passage that differs from a claim in one element."""
        return self.fact(pair.fact) if pair.fact else self.passage(pair.passage or 0)

    def speaker(self, evidence: Evidence) -> str:
        """Return the name a reason uses for the source: the graph of a stored fact, else the evidence's own source."""
        graph = self._graphs.get(evidence.fact_id or "")
        return evidence.source if evidence.document or graph is None else graph

    def quote(self, evidence: Evidence) -> str:
        """Return the sentence a fact was read from, or the evidence in words."""
        home = self._home(evidence.document, evidence.span.start if evidence.span else -1)
        return home.text if home and evidence.triple else evidence.text

    def told(self, claim: Claim, found: Linked, outcome: Outcome, citations: Sequence[Citation]) -> tuple[Status, str]:
        """Return status and reason for methods that know only the likeness to the first citation."""
        if outcome is Outcome.NOT_ENOUGH_INFO and found.subject_is_nil:
            return Status.UNLINKED, wording.unlinked(claim)
        best = citations[0].evidence if citations else None
        source, quote = (self.speaker(best), self.quote(best)) if best else ("", "")
        if outcome is Outcome.SUPPORTED:
            return Status.COMPLETE, wording.alike(source, quote)
        return Status.COMPLETE, wording.stands(claim, outcome, source, quote)

    def _home(self, document: str | None, start: int) -> Passage | None:
        rows = self._homes.around(document, start) if document is not None else []
        return self._passages[rows[0]] if rows else None


def together(cited: Sequence[Citation]) -> tuple[Citation, ...]:
    """Return the citations as one path, where there are several: they decide only together."""
    return tuple(replace(one, path=0) for one in cited) if len(cited) > 1 else tuple(cited)


def _ends(span: Span | None) -> tuple[int | None, int | None]:
    return (span.start, span.end) if span else (None, None)
