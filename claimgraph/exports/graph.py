"""Give documents, claims, verdicts and evidence as a networkx graph, and write it as GraphML."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO

from claimgraph.exports.judged import JudgedDocument
from claimgraph.kgstore.extras import require
from claimgraph.kgstore.model import Claim, Document, Verdict

if TYPE_CHECKING:
    from networkx import MultiDiGraph


def to_networkx(found: Iterable[JudgedDocument]) -> MultiDiGraph[str]:
    """Return a graph whose nodes are ids with `label`, `name` and properties, and whose edges have a `type`.

    What is unknown is left out. Raises MissingExtra without networkx.
    """
    require("export", "networkx")
    from networkx import MultiDiGraph

    made: MultiDiGraph[str] = MultiDiGraph()
    for one in found:
        for document in (one.stored.document, *one.stored.sources.values()):
            _add_document(made, document)
        for claim, verdict in one.pairs:
            _add_claim(made, claim)
            _add_verdict(made, verdict)
    return made


def write_graphml(found: Iterable[JudgedDocument], file: BinaryIO) -> int:
    """Write the graph as GraphML. Returns the number of verdicts."""
    made = to_networkx(found)
    from networkx import write_graphml as write

    write(made, file)
    return sum(label == "Verdict" for _, label in made.nodes(data="label"))


def _add_document(made: MultiDiGraph[str], document: Document) -> None:
    _add(made, document.id, "Document", document.name or document.id[:11], text=document.text, source=document.source)


def _add_claim(made: MultiDiGraph[str], claim: Claim) -> None:
    triple = {"subject": claim.subject, "predicate": claim.predicate, "object": claim.object}
    _add(made, claim.id, "Claim", claim.sentence, start=claim.span.start, end=claim.span.end, **triple)
    made.add_edge(claim.id, claim.document, type="IN")


def _add_verdict(made: MultiDiGraph[str], verdict: Verdict) -> None:
    _add(
        made,
        verdict.id,
        "Verdict",
        verdict.outcome.value,
        outcome=verdict.outcome.value,
        status=verdict.status.value,
        method=verdict.method,
        reason=verdict.reason,
        confidence=verdict.confidence,
        createdAt=verdict.created_at and verdict.created_at.isoformat(),
    )
    made.add_edge(verdict.claim, verdict.id, type="CURRENT")
    for cited in verdict.citations:
        evidence = cited.evidence
        _add(made, evidence.id, "Evidence", evidence.text, source=evidence.source)
        made.add_edge(verdict.id, evidence.id, type="CITES", stance=cited.stance.value, score=cited.score)
        if evidence.document:
            made.add_edge(evidence.id, evidence.document, type="FROM")


def _add(made: MultiDiGraph[str], key: str, label: str, name: str, **properties: Any) -> None:
    known = {name: value for name, value in properties.items() if value is not None}
    made.add_node(key, label=label, name=name, **known)
