"""Hold the result of retrieval for an answer by ids.

The pruned graph is not kept; facts and entities are read again from the store where the answer is made.
"""

from __future__ import annotations

from dataclasses import dataclass

from claimgraph.retrieval.answers.answers import NodeAnswer
from claimgraph.retrieval.linking.link import Candidate


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """Linked entities, best first; ids of facts in the order in which evidence cites them; answers, best first, whose
    `facts` are places in those; notes for the reader.
    """

    linked: tuple[Candidate, ...]
    facts: tuple[str, ...] = ()
    answers: tuple[NodeAnswer, ...] = ()
    notes: tuple[str, ...] = ()
