"""How well questions that people wrote are answered from graphs as they are, nothing added.

    python benchmarks/natural_questions.py DATA/kgqa/simplequestions_wd.jsonl.gz --graph codexm [--show] [--limit 100]

The store of the settings must hold the graph: CoDEx-M, or another one of Wikidata, or FB15k-237. Asked are the
questions whose entity the graph knows by name. They fall into three sets: the graph states the listed answer; it states
others by the same relation of the entity; it has no such relation, and no answer is right. Right is every named node
that the relation joins to the entity ("name an actor" has hundreds). Printed are the figures of each set, and of misses
their causes.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from claimgraph.answering.answer_choice import AnswerChoice, chosen_answers
from claimgraph.evaluation.data.questions import Question, node_of, read_questions
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.naming import is_key
from claimgraph.retrieval.linking.link import Candidate
from claimgraph.settings import load_settings
from claimgraph.wiring.asker import Asker

FREEBASE = {
    "P17": "second_level_divisions$", "P19": "place_of_birth$", "P20": "place_of_death$", "P27": "nationality$",
    "P57": "director/film$", "P58": "written_by$", "P86": "film/music$", "P106": "person/profession$",
    "P112": "organizations_founded$", "P131": "administrative_parent$", "P136": "genre", "P140": "person/religion$",
    "P162": "produced_by$", "P172": "ethnicity/people$", "P264": "record_label/artist$",
    "P272": "production_companies$", "P344": "cinematography$", "P364": "film/language$", "P495": "film/country$",
    "P509": "cause_of_death/people$", "P641": "/sport$", "P1303": "instrumentalists$",
}  # fmt: skip
"""Freebase's relations (patterns) by Wikidata's, for those that questions and FB15k-237 share."""
SETS = ("listed", "others", "none")


@dataclass(frozen=True, slots=True)
class Case:
    """A question with the entity it names, and the right answers by node, of which `listed` is its file's."""

    question: Question
    entity: str
    right: frozenset[str]
    listed: str | None

    @property
    def set(self) -> str:
        """The name of the set it falls into."""
        return "listed" if self.listed in self.right else "others" if self.right else "none"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one question: the first node, the rank of the entity, what was retrieved, and whether it was
    answered.
    """

    case: Case
    linked: Sequence[Candidate]
    first: str | None
    name: str
    found: frozenset[str]
    choice: AnswerChoice

    @property
    def answered(self) -> bool:
        """Whether the question was answered, rightly or not."""
        return self.choice.lacks is None

    @property
    def cause(self) -> str:
        """Why the first node is not right."""
        if self.first in self.case.right:
            return "right"
        if self.case.entity not in {one.entity.id for one in self.linked}:
            return "entity not linked"
        if self.case.entity != self.linked[0].entity.id:
            return "another entity first"
        return "another relation or node"


def main() -> None:
    """Print the figures of each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--limit", type=int, help="questions of each set, the first ones")
    parser.add_argument("--show", action="store_true", help="print every question that is not answered rightly")
    asked = parser.parse_args()
    with Asker(load_settings(), (asked.graph,), read_only=True) as asker:
        cases = list(known_cases(read_questions(asked.path), asker.arrays, asked.graph))
        for name in SETS:
            some = [case for case in cases if case.set == name][: asked.limit]
            outcomes = [outcome(case, asker) for case in some]
            print("\n".join(figures(name, outcomes)), flush=True)
            if asked.show:
                print("\n".join(f"- {line}" for one in outcomes for line in shown(one, asker.arrays)))


def known_cases(questions: Sequence[Question], world: GraphArrays, graph: str) -> Iterator[Case]:
    """Yield the questions whose entity is in the graph and whose relation can be told there."""
    for question in questions:
        node = node_of(question.entities[0], world, (graph,)) if question.relation else None
        key = str(question.relation)[1:]
        native = f"P{key}" in {one.rpartition(":")[2] for one in world.predicates}
        pattern = rf":P{key}$" if native else FREEBASE.get(f"P{key}")
        if node is None or pattern is None or is_key(world.names[node]):
            continue
        listed = node_of(question.answers[0], world, (graph,))
        turned = str(question.relation).startswith("R")
        nodes = [at for at in _joined(world, node, pattern, turned if native else None) if not is_key(world.names[at])]
        right = frozenset(world.nodes[at] for at in nodes)
        yield Case(question, world.nodes[node], right, None if listed is None else world.nodes[listed])


def _joined(world: GraphArrays, node: int, pattern: str, turned: bool | None) -> Iterator[int]:
    """Yield the nodes that relations of the pattern join to a node; `turned`: to it, not from it, None: either."""
    own = slice(world.adjacency.start[node], world.adjacency.start[node + 1])
    for fact, other in zip(world.adjacency.fact[own], world.adjacency.neighbour[own], strict=True):
        ends = (world.object if turned else world.subject)[fact]
        if re.search(pattern, world.predicates[world.predicate[fact]]) and (turned is None or ends == node):
            yield int(other)


def outcome(case: Case, asker: Asker) -> Outcome:
    """Ask one question as `claimgraph ask` does."""
    parts = asker.parts
    chosen = asker.choose(case.question.text, "subgraph")
    facts = parts.subgraph(chosen.facts)
    choice = chosen_answers(case.question.text, chosen, facts)
    first = next(iter(choice.answers or choice.nearest), None)
    found = frozenset(end for fact in facts.facts for end in (fact.subject, fact.object))
    return Outcome(case, chosen.linked, first.id if first else None, first.name if first else "", found, choice)


def figures(name: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the figures of a set as lines."""
    answered = [one for one in outcomes if one.answered]
    yield f"{name}: n {len(outcomes)}, answered {len(answered)}"
    if not outcomes or name == "none":
        return
    yield f"  right among the first {_share([one.first in one.case.right for one in outcomes])}"
    yield f"  right of the answered {_share([one.first in one.case.right for one in answered])}"
    yield f"  a right one retrieved {_share([bool(one.found & one.case.right) for one in outcomes])}"
    if name == "listed":
        yield f"  the listed one first {_share([one.first == one.case.listed for one in outcomes])}"
        yield f"  the listed one retrieved {_share([one.case.listed in one.found for one in outcomes])}"
        drawn = fmean(1 / len(one.case.right) for one in outcomes)
        yield f"  the listed one first, were every first right and drawn at random {drawn:.3f}"
    for cause, count in Counter(one.cause for one in outcomes).most_common():
        yield f"  {cause}: {count}"


def _share(told: Sequence[bool]) -> str:
    return f"{fmean(told):.3f}" if told else "-"


def shown(one: Outcome, world: GraphArrays) -> Iterator[str]:
    """Yield a line on a question that was answered wrongly, or not."""
    wrong = one.first not in one.case.right
    if (wrong and one.case.right) or one.answered == (not one.case.right) or (one.case.right and not one.answered):
        linked = ", ".join(f"{each.entity.name} {each.score:.2f}" for each in one.linked[:3])
        names = [world.names[at] for key in sorted(one.case.right)[:3] if (at := world.node(key)) is not None]
        entity = world.names[world.node(one.case.entity) or 0]
        relation = one.case.question.relation
        yield (
            f"{one.case.question.text} [{entity} {relation}: {names} of {len(one.case.right)}] -> {one.name}; "
            f"{one.cause}, {one.choice.confidence:.2f} {one.choice.lacks or 'answered'}; linked {linked}"
        )


if __name__ == "__main__":
    main()
