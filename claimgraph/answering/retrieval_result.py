"""Hold the result of retrieval for an answer by ids: small enough to pass between two workers.

The pruned graph is not kept; facts and entities are read again from the store where the answer is made. Keeping the
evidence itself was rejected: it would be a graph in a job's notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from claimgraph.kgstore.model import Span
from claimgraph.kgstore.reads import load_entities
from claimgraph.kgstore.store import GraphStore
from claimgraph.retrieval.answers.answers import NodeAnswer
from claimgraph.retrieval.linking.link import Candidate


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """Linked entities, best first; ids of facts in the order in which evidence cites them; answers, best first, whose
    `facts` are places in those; and the answers (places) that are as right as the first.
    """

    linked: tuple[Candidate, ...]
    facts: tuple[str, ...] = ()
    answers: tuple[NodeAnswer, ...] = ()
    alike: tuple[int, ...] = ()


def as_notes(chosen: RetrievalResult) -> dict[str, Any]:
    """Return the notes of a job: lists, texts and numbers only."""
    return {
        "linked": [
            {"entity": one.entity.id, "score": one.score, "span": [one.span.start, one.span.end] if one.span else None}
            for one in chosen.linked
        ],
        "facts": list(chosen.facts),
        "answers": [asdict(one) for one in chosen.answers],
        "alike": list(chosen.alike),
    }


def from_notes(notes: Mapping[str, Any], store: GraphStore) -> RetrievalResult:
    """Return the Chosen of notes; an entity that is no longer in the store is skipped."""
    entities = load_entities(store, [one["entity"] for one in notes["linked"]])
    return RetrievalResult(
        tuple(
            Candidate(entities[one["entity"]], one["score"], Span(*one["span"]) if one["span"] else None)
            for one in notes["linked"]
            if one["entity"] in entities
        ),
        tuple(notes["facts"]),
        tuple(NodeAnswer(one["id"], one["name"], one["score"], tuple(one["facts"])) for one in notes["answers"]),
        tuple(notes["alike"]),
    )
