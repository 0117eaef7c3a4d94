"""Explain stored verdicts as KEA Explain does: contradictory pairs, and the edits that lead to the evidence's KG.

Everything is computed from what the store holds: the claims, the facts read from the cited contexts, and the cited
facts of stored graphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from claimgraph.detect.check_input import Case
from claimgraph.detect.explanation.document_script import evidence_of, operations_of
from claimgraph.detect.explanation.edit_script import EditOperation, edit_script, likeness
from claimgraph.detect.explanation.llm import explain_llm
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.prompting.structured import Failed
from claimgraph.detect.reasons.contrast import Contrast, contrasts
from claimgraph.kgstore import identity, reads
from claimgraph.kgstore.model import ChatModel, Embedder, Subgraph
from claimgraph.kgstore.store import GraphStore
from claimgraph.reports.stored_document import StoredDocument


@dataclass(frozen=True, slots=True)
class Explanation:
    """`pairs` has for each claim where it contradicts a fact, None where nowhere. `script` is the minimal one between
    claims and their evidence, `before` and `after` the kernel similarity with the evidence without and with it: 1.0
    after, if it is right. `operations` are those of KEA's Algorithm 1. Without facts there is nothing to compare with:
    scripts are empty, and the similarities None.
    """

    pairs: tuple[Contrast | None, ...]
    script: tuple[EditOperation, ...] = ()
    operations: tuple[EditOperation, ...] = ()
    before: float | None = None
    after: float | None = None


def explanation(store: GraphStore, found: StoredDocument, embedder: Embedder) -> Explanation:
    """Return the explanation of the claims against the facts that their verdicts rest on."""
    case = Case(found.claims, _evidence(store, found), (), closed=True)
    if not case.facts.facts:
        return Explanation(tuple(None for _ in found.claims))
    space = Space(embedder)
    pairs = contrasts(case, space)
    claims, evidence = [claim.triple for claim in case.claims], evidence_of(case, pairs, space)
    script = edit_script(claims, evidence, space)
    operations = operations_of(case, pairs, space)
    return Explanation(tuple(pairs), tuple(script), tuple(operations), *likeness(script, claims, evidence, space))


def in_words(found: StoredDocument, explained: Explanation, chat: ChatModel) -> str | Failed:
    """Return the language model's explanation of the document by KEA's prompt, from the operations of Algorithm 1.

    Raises BudgetSpent.
    """
    context = "\n\n".join(document.text for document in found.sources.values())
    [said] = explain_llm([(context, found.document.text, explained.operations)], chat)
    return said


@dataclass(frozen=True, slots=True)
class Told:
    """An explanation, and what a language model `said` of it; None where none was asked."""

    explained: Explanation
    said: str | Failed | None = None

    def lines(self, found: StoredDocument, *, edits: bool) -> Iterator[str]:
        """Yield lines: with `edits` contradictory pairs, then the script with its proof; at last the language model."""
        yield from _lines(found, self.explained) if edits else ()
        if isinstance(self.said, Failed):
            yield f"The language model gave no explanation: {self.said.reason}"
        elif self.said:
            yield self.said

    def as_json(self) -> dict[str, Any]:
        """Return `{contradictions, script, operations, similarity, explanation, unexplained}`: a contradiction a claim
        or None, edits as objects, and the similarity with the evidence before and after the script.
        """
        pairs = self.explained.pairs
        reason = self.said.reason if isinstance(self.said, Failed) else None
        return {
            "contradictions": [one and {"element": one.element, "said": one.said, "known": one.known} for one in pairs],
            "script": [asdict(edit) for edit in self.explained.script],
            "operations": [asdict(edit) for edit in self.explained.operations],
            "similarity": {"before": self.explained.before, "after": self.explained.after},
            "explanation": None if isinstance(self.said, Failed) else self.said,
            "unexplained": reason,
        }


def _lines(found: StoredDocument, explained: Explanation) -> Iterator[str]:
    for claim, pair in zip(found.claims, explained.pairs, strict=True):
        if pair:
            other = "the opposite" if pair.known is None else pair.known
            yield f"Contradiction: {claim.triple.text}; {pair.element}: {pair.said}, known: {other}"
    yield from (f"Edit: {edit}" for edit in _texts(explained.script, found))
    if explained.before is not None and explained.after is not None:
        yield f"Similarity with the evidence: {explained.before:.3f}, after the edits {explained.after:.3f}"


def _texts(script: Sequence[EditOperation], found: StoredDocument) -> Iterator[str]:
    """Yield operations in words, a claim by its own instead of its number."""
    for edit in script:
        if edit.element and edit.claim is not None:
            of = found.claims[edit.claim].triple.text
            yield f'{edit.operation} {edit.element} of "{of}": {edit.before} → {edit.after}'
        elif edit.triple:
            yield f'{edit.operation} "{edit.triple.text}"'


def _evidence(store: GraphStore, found: StoredDocument) -> Subgraph:
    """Return the facts of the cited contexts, and the cited facts of stored graphs, each once."""
    cited = [citation.evidence for verdict in found.verdicts for citation in verdict.citations]
    facts = reads.load_facts(store, sorted({one.fact_id for one in cited if one.fact_id}))
    for document in found.sources:
        facts = facts.joined(reads.load_graph(store, identity.context_graph(document)))
    return Subgraph(facts.nodes, tuple({fact.id: fact for fact in facts.facts}.values()))
