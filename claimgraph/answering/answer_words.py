"""Write an answer without a language model: the best answers, and the fact or passage that states the first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from claimgraph.answering.answer_choice import AnswerChoice, Kind, Lack
from claimgraph.kgstore.model import Fact, Subgraph
from claimgraph.retrieval.answers.answers import NodeAnswer
from claimgraph.retrieval.context import statement

NO_GRAPH = "There is nothing to answer from: without a language model an answer needs a graph."
NO_ENTITY = "Nothing in the graph is named like anything in the question."
NO_ANSWER = "The graph has no fact that answers."

STEPS = "Not answered: this compares several facts, and the graph does not have both, or they do not tell."

LISTED = 5
"""Most equally good answers that are listed."""
_NEAREST = 3
"""Facts named beside what is not answered."""

_COUNT = re.compile(r"\bhow many\b", re.IGNORECASE)


def in_words(question: str, alike: Sequence[NodeAnswer], told: Mapping[str, str]) -> str:
    """Return equally good answers and the fact that states the first, from `told` by id; their number where asked."""
    names = ", ".join(one.name for one in alike[:LISTED])
    names += f" and {len(alike) - LISTED} more" if len(alike) > LISTED else ""
    if _COUNT.search(question) and not re.search(r"\d", alike[0].name):
        names = f"{len(alike)}: {names}"
    return f"{names} ({told[alike[0].id]})."


def not_answered(choice: AnswerChoice, entity: str, nearest: Sequence[str]) -> str:
    """Return what the graph lacks for a question about an entity, and the nearest facts, marked as such."""
    if choice.lacks is Lack.ENTITY:
        return NO_ENTITY
    if choice.lacks is Lack.STEPS:
        return STEPS
    if not nearest:
        return NO_ANSWER
    kind = f" that is {choice.kind.value}" if choice.kind not in (None, Kind.THING) else ""
    lack = f"no value{kind}" if choice.lacks is Lack.VALUE else "no relation that is asked for"
    found = "; ".join(dict.fromkeys(nearest[:_NEAREST]))
    return f"Not answered: of {entity} the graph has {lack}. Nearest, but no answer: {found}."


def fact_in_words(facts: Subgraph, fact: Fact) -> str:
    """Return subject, relation and object with dates and qualifiers."""
    return f"{facts.nodes[fact.subject].name}: {statement(facts, fact)}"
