"""Write an answer without a language model: the best answers, and the fact or passage that states the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimgraph.answering.answer_choice import AnswerChoice, Kind, Lack
from claimgraph.kgstore.model import Fact, Subgraph
from claimgraph.retrieval.context import statement

NO_GRAPH = "There is nothing to answer from: without a language model an answer needs a graph."
NO_ENTITY = "Nothing in the graph is named like anything in the question."
NO_ANSWER = "The graph has no fact that answers."

STEPS = "Not answered: this asks for several facts, and the graph does not have all of them, or they do not tell."

STATEMENT = "Not answered: this asks whether something is so; claimgraph check says that of a sentence."

LISTED = 5
"""Most equally good answers that are listed."""
_NEAREST = 3
"""Facts named beside what is not answered."""


def in_words(choice: AnswerChoice, told: Mapping[str, str]) -> str:
    """Return equally good answers and the fact that states the first, from `told` by id; their number where asked."""
    alike = choice.alike
    names = ", ".join(one.name for one in alike[:LISTED])
    more = (choice.count or len(alike)) - len(alike[:LISTED])
    names += f" and {more} more" if more > 0 else ""
    if choice.counted:
        names = f"{choice.count}: {names}" if choice.count is not None else f"At least {len(alike)}: {names}"
    return f"{names} ({told[alike[0].id]})."


def not_answered(choice: AnswerChoice, entity: str, nearest: Sequence[str]) -> str:
    """Return what the graph lacks for a question about an entity, and the nearest facts, marked as such."""
    if choice.lacks is Lack.ENTITY:
        return NO_ENTITY
    if choice.lacks is Lack.STEPS:
        return STEPS
    if choice.lacks is Lack.STATEMENT:
        return STATEMENT
    if not nearest:
        return NO_ANSWER
    kind = f" that is {choice.kind.value}" if choice.kind not in (None, Kind.THING) else ""
    lack = f"no value{kind}" if choice.lacks is Lack.VALUE else "no relation that is asked for"
    found = "; ".join(dict.fromkeys(nearest[:_NEAREST]))
    return f"Not answered: of {entity} the graph has {lack}. Nearest, but no answer: {found}."


def fact_in_words(facts: Subgraph, fact: Fact) -> str:
    """Return subject, relation and object with dates and qualifiers."""
    return f"{facts.nodes[fact.subject].name}: {statement(facts, fact)}"
