"""Write an answer without a language model: the best answers, and the fact or passage that states the first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from claimgraph.kgstore.model import Fact, Subgraph
from claimgraph.kgstore.naming import display_name
from claimgraph.retrieval.answers.answers import NodeAnswer
from claimgraph.retrieval.context import statement

NO_GRAPH = "There is nothing to answer from: without a language model an answer needs a graph."
NO_ENTITY = "Nothing in the graph is named like anything in the question."
NO_ANSWER = "The graph has no fact that answers."

LISTED = 5
"""Most equally good answers that are listed."""

_COUNT = re.compile(r"\bhow many\b", re.IGNORECASE)


def in_words(question: str, alike: Sequence[NodeAnswer], told: Mapping[str, str]) -> str:
    """Return equally good answers, those with a name first, and the fact that states the first, from `told` by id."""
    named = sorted(alike, key=lambda one: one.name == display_name(one.id))
    names = ", ".join(one.name for one in named[:LISTED])
    names += f" and {len(named) - LISTED} more" if len(named) > LISTED else ""
    if _COUNT.search(question) and not re.search(r"\d", named[0].name):
        names = f"{len(named)}: {names}"
    return f"{names} ({told[named[0].id]})."


def fact_in_words(facts: Subgraph, fact: Fact) -> str:
    """Return subject, relation and object with dates and qualifiers."""
    return f"{facts.nodes[fact.subject].name}: {statement(facts, fact)}"
