"""An answer in words without a language model: the best answers, and the fact or passage that says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgstore.model import Evidence, Subgraph
from kgstore.naming import display_name
from retrieval.answers import NodeAnswer
from retrieval.context import statement
from retrieval.link import Candidate

NO_GRAPH = "There is nothing to answer from: without a language model an answer needs a graph."
NO_ENTITY = "Nothing in the graph is named like anything in the question."
NO_ANSWER = "The graph has no fact that answers."

LISTED = 5
"""Equally good answers that are listed."""

_COUNT = re.compile(r"\bhow many\b", re.IGNORECASE)
_ALIKE = 0.02
"""Scores this near are of one relation of one entity: the answers are equally good."""


def in_words(
    question: str,
    mode: str,
    linked: Sequence[Candidate],
    answers: Sequence[NodeAnswer],
    evidence: Sequence[Evidence],
    facts: Subgraph,
) -> str:
    """One sentence, of equally good answers those with a name first; where there is no answer, why."""
    if mode == "none":
        return NO_GRAPH
    if mode == "text" and evidence:
        return evidence[0].text
    if not answers:
        return NO_ANSWER if linked else NO_ENTITY
    alike = [one for one in answers if answers[0].score - one.score < _ALIKE]
    alike.sort(key=lambda one: one.name == display_name(one.id))
    names = ", ".join(one.name for one in alike[:LISTED])
    names += f" and {len(alike) - LISTED} more" if len(alike) > LISTED else ""
    if _COUNT.search(question) and not re.search(r"\d", alike[0].name):
        names = f"{len(alike)}: {names}"
    return f"{names} ({_said(alike[0].id, facts)})."


def _said(answer: str, facts: Subgraph) -> str:
    """The fact that the answer stands in, in words."""
    fact = next(fact for fact in facts.facts if answer in (fact.subject, fact.object))
    return f"{facts.nodes[fact.subject].name}: {statement(facts, fact)}"
