"""Hold the result of retrieval for an answer by ids.

The pruned graph is not kept; facts and entities are read again from the store where the answer is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from claimgraph.retrieval.answers.answers import NodeAnswer
from claimgraph.retrieval.linking.link import Candidate


@dataclass(frozen=True, slots=True)
class Step:
    """The second of two questions: of which entity it was asked, and the confidence of the first one's answer, which
    is the first fact of every answer.
    """

    question: str
    confidence: float
    entity: str = ""


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """Linked entities, best first; ids of facts in the order in which evidence cites them; answers, best first, whose
    `facts` are places in those; notes for the reader.

    `counts`: how many answers the graph has by the entity, the relation and whether it leads away from the entity.
    `step`: the last of two questions that were asked; `unanswered`: the first one had no answer.
    """

    linked: tuple[Candidate, ...]
    facts: tuple[str, ...] = ()
    answers: tuple[NodeAnswer, ...] = ()
    notes: tuple[str, ...] = ()
    counts: Mapping[tuple[str, str, bool], int] = field(default_factory=dict)
    step: Step | None = None
    unanswered: bool = False
