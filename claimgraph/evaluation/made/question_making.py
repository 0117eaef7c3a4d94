"""Make a benchmark of open-ended questions from a graph, after OKGQA (ACL 2025, section 3): templates over pairs.

A pair of entities is joined by a fact, by two facts over a third entity, or, to be compared, by having the same value
of the same relation. Templates are filled with names and descriptions, so every question has an answer in the graph,
whose facts come with it. A language model may put a question into natural words and score it; people's scores go into a
column of their own, and both are unknown until given. Questions freely invented by a model were rejected: the graph may
say nothing about them.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import islice
from string import Formatter

from claimgraph.detect.compare.relations import sentence
from claimgraph.detect.prompting.prompts import load
from claimgraph.detect.prompting.replies import after
from claimgraph.detect.prompting.structured import Failed, answered
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import ChatModel, Entity, Triple
from claimgraph.kgstore.reads import load_entities
from claimgraph.kgstore.store import GraphStore, Row

TYPES = ("descriptive", "explanatory", "predictive", "comparative", "critical")
HUB = 200
"""Most facts of a third entity that joins two: one linked to everything joins nothing."""
_CHUNK = 500
"""Number of facts drawn at a time, so that entities are read from the store in few queries."""
_KEY = re.compile(r"[QPLM]\d+|/[mg]/\w+|\W*")
"""Keys of Wikidata and Freebase, which are no names to ask by."""
_TRIES = 20
"""Number of other facts of a node considered for a pair."""


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """A question in OKGQA's schema. `entities` are ids by placeholder, `facts` ids of the facts that join them.

    `difficulty` is easy for a pair joined by one fact, medium by two. `s_auto` in 1 to 5 is the language model's score,
    None without one; `naturalness`, `answers` and `s_human` are always None: for people to fill in.
    """

    id: str
    question: str
    type: str
    difficulty: str
    placeholders: dict[str, str]
    entities: dict[str, str]
    facts: tuple[str, ...]
    s_auto: float | None = None
    naturalness: str | None = None
    answers: None = None
    s_human: float | None = None

    def as_json(self) -> Row:
        """Return the row of a file."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two nodes and the facts that join them, as numbers, over the node `via` where there are two.

    `shared`: `via` is the object of one relation in both facts.
    """

    a: int
    b: int
    facts: tuple[int, ...]
    via: int | None = None
    shared: bool = False


def make_questions(
    graph: GraphArrays, store: GraphStore, types: Sequence[str], n: int, seed: int, chat: ChatModel | None = None
) -> list[MadeQuestion]:
    """Return at most n questions of the types in turn, no two alike and no pair twice in a type; fewer if the graph has
    none.

    The same for the same graph, types and seed (except a language model's words). Raises InputError for an unknown type
    and for a graph that joins no entities, BudgetSpent.
    """
    for kind in types:
        if kind not in TYPES:
            raise InputError(f"no type {kind!r}; there are {', '.join(TYPES)}")
    draw = random.Random(seed)
    found = {kind: _of_type(kind, graph, store, random.Random(draw.random())) for kind in dict.fromkeys(types)}
    share = -(-n // len(found))
    columns = [list(islice(questions, share)) for questions in found.values()]
    made = [question for row in range(share) for column in columns for question in column[row : row + 1]][:n]
    if not made:
        raise InputError("the graph joins no two entities with names, so there is nothing to ask")
    numbered = [replace(question, id=f"made-{seed}-{number}") for number, question in enumerate(made, 1)]
    return _improved(numbered, graph, chat) if chat else numbered


def _of_type(kind: str, graph: GraphArrays, store: GraphStore, draw: random.Random) -> Iterator[MadeQuestion]:
    """Yield questions of a type until the graph has no more."""
    order = draw.sample(range(len(graph.facts)), len(graph.facts))
    asked: set[str] = set()
    paired: set[frozenset[int]] = set()
    for start in range(0, len(order), _CHUNK):
        pairs = [pair for fact in order[start : start + _CHUNK] for pair in [_pair(kind, graph, fact, draw)] if pair]
        ids = {graph.nodes[end] for pair in pairs for end in (pair.a, pair.b, pair.via) if end is not None}
        entities = load_entities(store, sorted(ids))
        for pair in pairs:
            made = _filled(kind, pair, graph, entities, draw)
            if made and made.question not in asked and frozenset((pair.a, pair.b)) not in paired:
                asked.add(made.question)
                paired.add(frozenset((pair.a, pair.b)))
                yield made


def _pair(kind: str, graph: GraphArrays, fact: int, draw: random.Random) -> _Pair | None:
    """Return a pair joined by this fact, or by it and another; to be compared always by two."""
    subject, object = int(graph.subject[fact]), int(graph.object[fact])
    if kind != "comparative" and draw.random() < 0.5:
        return _Pair(subject, object, (fact,)) if subject != object else None
    at = graph.adjacency
    rows = range(int(at.start[object]), int(at.start[object + 1]))
    if kind != "comparative" and len(rows) > HUB:
        return None
    for row in draw.sample(rows, min(_TRIES, len(rows))):
        other, end = int(at.fact[row]), int(at.neighbour[row])
        same = graph.predicate[other] == graph.predicate[fact] and graph.object[other] == object
        if end not in (subject, object) and (same or kind != "comparative"):
            return _Pair(subject, end, (fact, other), object, bool(same))
    return None


def _filled(
    kind: str, pair: _Pair, graph: GraphArrays, entities: dict[str, Entity], draw: random.Random
) -> MadeQuestion | None:
    """Return one of the type's templates that can be filled, None where an end is no entity with a name of its own."""
    a, b = (_named(end, graph, entities) for end in (pair.a, pair.b))
    via = _named(pair.via, graph, entities) if pair.via is not None else None
    if a is None or b is None or a.name == b.name or (pair.via is not None and via is None):
        return None
    values = _values(pair, graph, a, b, via)
    over = via is not None and kind != "comparative"
    usable = [text for text in _templates()[kind] if _fits(_places(text), values.keys(), over)]
    if not usable:
        return None
    return MadeQuestion(
        id="",
        question=draw.choice(usable).format(**values),
        type=kind,
        difficulty="easy" if len(pair.facts) == 1 else "medium",
        placeholders={"entity A": a.name, "entity B": b.name},
        entities={"entity A": a.id, "entity B": b.id},
        facts=tuple(graph.facts[fact] for fact in pair.facts),
    )


def _fits(places: Set[str], filled: Set[str], over: bool) -> bool:
    """Return whether a template can be filled, and names the third entity where there is one."""
    return places <= filled and ("via" in places or not over)


def _values(pair: _Pair, graph: GraphArrays, a: Entity, b: Entity, via: Entity | None) -> dict[str, str]:
    values = {"a": a.name, "b": b.name, "a_is": a.description, "b_is": b.description}
    if via is None:
        values["link"] = sentence(_triple(graph, pair.facts[0]))
    else:
        values["via"] = via.name
    if pair.shared:
        values["relation"] = graph.relations[graph.predicate[pair.facts[0]]]
    return {name: value for name, value in values.items() if value}


def _triple(graph: GraphArrays, fact: int) -> Triple:
    names = graph.names
    return Triple(names[graph.subject[fact]], graph.relations[graph.predicate[fact]], names[graph.object[fact]])


def _named(node: int, graph: GraphArrays, entities: Mapping[str, Entity]) -> Entity | None:
    """Return the entity of that number, None for a literal and for one known by its key alone."""
    found = entities.get(graph.nodes[node])
    return None if found is None or _KEY.fullmatch(found.name) else found


def _improved(questions: Sequence[MadeQuestion], graph: GraphArrays, chat: ChatModel) -> list[MadeQuestion]:
    """Return the questions in the model's words where these contain both names, with the model's scores.

    All are asked about at once; a question that the model does not answer is unchanged, without a score.
    """
    rewrite, score = load("question_rewrite"), load("question_score")
    items = []
    for one in questions:
        facts = "\n".join(graph.text(graph.facts.index(fact)) for fact in one.facts)
        values = {"type": one.type, "question": one.question, "facts": facts}
        items.append((one.id, rewrite.request(values, likely=f"Question: {one.question}")))
    said = answered(chat, items, lambda answer: after(answer, "question") or "")
    better = [replace(one, question=_kept(one, text)) for one, text in zip(questions, said, strict=True)]
    items = [(q.id, score.request({"type": q.type, "question": q.question}, likely="Score: 3")) for q in better]
    scores = answered(chat, items, lambda answer: _score(after(answer, "score")))
    return [
        replace(one, s_auto=None if isinstance(given, Failed) else given)
        for one, given in zip(better, scores, strict=True)
    ]


def _kept(question: MadeQuestion, said: str | Failed) -> str:
    """Return the model's wording of the question, if the entities are still named, else the question."""
    named = isinstance(said, str) and all(name in said for name in question.placeholders.values())
    return said if isinstance(said, str) and named else question.question


def _score(said: str | None) -> float | None:
    return float(said[0]) if said and said[0] in "12345" else None


def _places(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@cache
def _templates() -> dict[str, list[str]]:
    path = files("claimgraph") / "data" / "question_templates.toml"
    found: dict[str, list[str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found
