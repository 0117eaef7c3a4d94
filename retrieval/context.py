"""Write a subgraph as text within a token budget, for a language model or an entailment model.

Facts are chosen best first and grouped by subject, since a list that names its subject once reads better and is half as
long. JSON and bare triples were rejected: models read sentences, and dates and qualifiers have no place in a triple.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claimgraph.kgstore.model import Fact, Subgraph
from claimgraph.kgstore.naming import tokens


@dataclass(frozen=True, slots=True)
class Context:
    """A text, the ids of the `facts` it states (in text order), the number `left_out`, and its length in `tokens`.

    Tokens are approximate (kgstore/naming.py).
    """

    text: str
    facts: tuple[str, ...]
    left_out: int
    tokens: int


def context(graph: Subgraph, best_first: Sequence[str], budget: int) -> Context:
    """Return as many of the facts of those ids as `budget` tokens hold, best first, as lines grouped by subject.

    Subjects are ordered by their best fact, and so are the facts of a subject. The last line gives the number of facts
    left out, if any; it does not count against the budget. Ids that the graph does not hold are skipped.
    """
    known = {fact.id: fact for fact in graph.facts}
    wanted = [known[key] for key in dict.fromkeys(best_first) if key in known]
    chosen, spent = _within(graph, wanted, budget)
    groups = _by_subject(chosen)
    lines = [_line(graph, facts) for facts in groups]
    left_out = len(wanted) - len(chosen)
    if left_out:
        lines.append(f"({left_out} more {'fact was' if left_out == 1 else 'facts were'} left out.)")
    return Context("\n".join(lines), tuple(fact.id for facts in groups for fact in facts), left_out, spent)


def statement(graph: Subgraph, fact: Fact) -> str:
    """Return relation, object, dates and qualifiers of a fact: "spouse Pierre Curie (from 1895 to 1906, place:
    Sceaux)".
    """
    told = ", ".join(filter(None, (_dates(fact), *_qualifiers(fact))))
    return f"{fact.name} {graph.nodes[fact.object].name}" + (f" ({told})" if told else "")


def _within(graph: Subgraph, facts: Iterable[Fact], budget: int) -> tuple[list[Fact], int]:
    """Return the longest prefix of the facts that fits; each subject is counted once."""
    chosen, spent, subjects = list[Fact](), 0, set[str]()
    for fact in facts:
        new = fact.subject not in subjects
        price = tokens(f"{statement(graph, fact)};") + (tokens(f"{graph.nodes[fact.subject].name}:") if new else 0)
        if spent + price > budget:
            break
        chosen.append(fact)
        subjects.add(fact.subject)
        spent += price
    return chosen, spent


def _by_subject(facts: Iterable[Fact]) -> list[list[Fact]]:
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.subject, []).append(fact)
    return list(groups.values())


def _line(graph: Subgraph, facts: Sequence[Fact]) -> str:
    said = "; ".join(statement(graph, fact) for fact in facts)
    return f"{graph.nodes[facts[0].subject].name}: {said}."


def _dates(fact: Fact) -> str:
    start, end = fact.valid_from, fact.valid_to
    if start and start == end:
        return f"in {start}"
    return " ".join(filter(None, (start and f"from {start}", end and f"to {end}")))


def _qualifiers(fact: Fact) -> list[str]:
    """Return names and values of the fact's qualifiers, lists joined; a string that is no JSON object is kept
    unchanged.
    """
    if not fact.qualifiers:
        return []
    try:
        found = json.loads(fact.qualifiers)
    except ValueError:
        return [fact.qualifiers]
    if not isinstance(found, dict):
        return [fact.qualifiers]
    return [f"{name}: {_value(value)}" for name, value in found.items()]


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
