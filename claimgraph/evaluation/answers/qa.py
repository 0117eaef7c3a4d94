"""Measure answers to questions with gold answers: how often they are retrieved, ranked first, and supported by the
right fact.

The figures are over the questions whose entity and answer the graph holds. They say how many these are, and of how many
the graph knows the entity by name: others cannot be answered. A question such as "name an actor" has thousands of right
answers, of which its file lists one; the convention of SimpleQuestions (Bordes et al. 2015), entity and relation right,
is reported beside the strict figures.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from claimgraph.answering.flow import Parts, RetrievedAnswers, find, find_texts
from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.questions import Question, node_of
from claimgraph.evaluation.statistics.shares import mean
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.naming import display_name
from claimgraph.retrieval.answers.answers import NodeAnswer

TIMED = 50
"""Number of questions asked once more for their time, with every vector cached."""


@dataclass(frozen=True, slots=True)
class QaFigures:
    """One mode over the questions of a file. All but counts and milliseconds in [0, 1], None where undefined.

    `questions` in the file; `n` of them have an entity and an answer in the graph and are scored; of `named` the entity
    has a name there. `answer_recall`: gold answers that retrieved facts touch, as a mean share; `hits_at_1` and `mrr`:
    rank of the first gold answer; `hits_at_1_by_fact`: the first answer has the gold fact's relation to the question's
    entity; `evidence_recall`: gold facts retrieved. `median_ms` of a question, warm; `facts` retrieved on
    average. Tokens, means too: of the text of all facts within two hops (None where those are not read), of the pruned
    ones, and of those retrieved.
    """

    graph: str
    mode: str
    questions: int
    n: int
    named: int
    answer_recall: float | None
    hits_at_1: float | None
    hits_at_1_by_fact: float | None
    mrr: float | None
    evidence_recall: float | None
    median_ms: float | None
    facts: float | None
    tokens_before: float | None
    tokens_after: float | None
    tokens: float | None


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with the ids of its entities and answers in the graph."""

    question: Question
    entities: frozenset[str]
    answers: frozenset[str]

    def holds(self, subject: str, predicate: str, object: str) -> bool:
        """Return whether a fact has the gold relation to the question's entity, with any answer.

        A relation R58 is the inverse of P58; a graph made of the unchanged file calls it R58.
        """
        relation, key = self.question.relation or "", predicate.rpartition(":")[2]
        backwards = relation.startswith("R") and key == f"P{relation[1:]}"
        return (object if backwards else subject) in self.entities and (backwards or key == relation)


FactNames = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Looked:
    answers: Sequence[NodeAnswer]
    first: Sequence[FactNames]
    nodes: frozenset[str]
    facts: Sequence[FactNames]
    tokens: tuple[int | None, int, int] | None = None


def evaluate(
    questions: Sequence[Question],
    *,
    mode: str,
    parts: Parts,
    world: GraphArrays,
    graphs: Sequence[str],
    advance: Advance = silent,
    timed: int = TIMED,
) -> QaFigures:
    """Ask every question that the graph can answer, `timed` of them again. Raises InputError where there is none."""
    known = known_questions(questions, world, graphs)
    looked = []
    for at, gold in enumerate(known, 1):
        looked.append(_look(gold.question.text, mode, parts))
        advance(at, len(known))
    pairs = list(zip(known, looked, strict=True))
    ranks = [_rank(gold, seen) for gold, seen in pairs]
    facts = [(gold, seen) for gold, seen in pairs if gold.question.relation]
    return QaFigures(
        graph=",".join(graphs),
        mode=mode,
        questions=len(questions),
        n=len(known),
        named=sum(_named(gold, world) for gold in known),
        answer_recall=mean([_recall(gold, seen) for gold, seen in pairs]),
        hits_at_1=mean([rank == 1 for rank in ranks]),
        hits_at_1_by_fact=mean([any(gold.holds(*fact) for fact in seen.first) for gold, seen in facts]),
        mrr=mean([1 / rank if rank else 0.0 for rank in ranks]),
        evidence_recall=mean([_retrieved(gold, seen) for gold, seen in facts]),
        median_ms=_milliseconds([gold.question.text for gold in known], mode, parts, timed),
        facts=mean([len(seen.facts) for seen in looked]),
        tokens_before=_mean_tokens(looked, 0),
        tokens_after=_mean_tokens(looked, 1),
        tokens=_mean_tokens(looked, 2),
    )


def known_questions(questions: Sequence[Question], world: GraphArrays, graphs: Sequence[str]) -> list[GoldQuestion]:
    """Return the questions whose entity and an answer the graph has. Raises InputError where there is none."""
    known = [gold for question in questions if (gold := _gold(question, world, graphs))]
    if not known:
        raise InputError(f"none of {len(questions)} questions has its entity and an answer in the graph")
    return known


def scores(known: Sequence[GoldQuestion], mode: str, parts: Parts) -> NDArray[np.float64]:
    """Return answer recall and hit at 1 of each question, shape (n, 2), in [0, 1]."""
    looked = [(gold, _look(gold.question.text, mode, parts)) for gold in known]
    return np.array([(_recall(gold, seen), _rank(gold, seen) == 1) for gold, seen in looked], np.float64)


def _gold(question: Question, world: GraphArrays, graphs: Sequence[str]) -> GoldQuestion | None:
    """Return the question in the graph's ids; None where the graph has none of its entities or of its answers."""
    ids = [
        frozenset(world.nodes[node] for key in keys if (node := node_of(key, world, graphs)) is not None)
        for keys in (question.entities, question.answers)
    ]
    return GoldQuestion(question, ids[0], ids[1]) if ids[1] and (ids[0] or not question.entities) else None


def _named(gold: GoldQuestion, world: GraphArrays) -> bool:
    """Return whether an entity of the question has a name in the graph: an id cannot be asked about."""
    ids = [key for key in gold.entities if key.startswith("wd:")]
    names = [world.names[node] for key in ids if (node := world.node(key)) is not None]
    return (
        len(ids) < len(gold.entities)
        or not ids
        or any(name != display_name(key) for key, name in zip(ids, names, strict=True))
    )


def _look(question: str, mode: str, parts: Parts) -> _Looked:
    if mode == "none":
        return _Looked((), (), frozenset(), ())
    if mode == "text":
        near, _ = find_texts(question, parts.link(question), parts)
        found = tuple(NodeAnswer(text.entity, text.name, text.score, ()) for text in near)
        return _Looked(found, (), frozenset(one.id for one in found), ())
    seen = find(question, mode, parts)
    graph = seen.graph

    def triple(fact: int) -> FactNames:
        return (
            graph.nodes[graph.subject[fact]],
            graph.predicates[graph.predicate[fact]],
            graph.nodes[graph.object[fact]],
        )

    facts = [triple(fact) for fact in seen.facts]
    first = [triple(fact) for fact in seen.answers[0].facts] if seen.answers else []
    return _Looked(seen.answers, first, frozenset(end for s, _, o in facts for end in (s, o)), facts, _tokens(seen))


def _tokens(seen: RetrievedAnswers) -> tuple[int | None, int, int]:
    return seen.pruned.tokens_before, seen.pruned.tokens_after, seen.tokens


def _mean_tokens(looked: Sequence[_Looked], at: int) -> float | None:
    """Return the mean of one of the counts of _tokens over the questions that have it."""
    return mean([count for seen in looked if seen.tokens and (count := seen.tokens[at]) is not None])


def _recall(gold: GoldQuestion, seen: _Looked) -> float:
    return len(gold.answers & seen.nodes) / len(gold.answers)


def _rank(gold: GoldQuestion, seen: _Looked) -> int | None:
    return next((rank for rank, one in enumerate(seen.answers, 1) if one.id in gold.answers), None)


def _retrieved(gold: GoldQuestion, seen: _Looked) -> bool:
    return any(gold.holds(*fact) and gold.answers & {fact[0], fact[2]} for fact in seen.facts)


def _milliseconds(questions: Sequence[str], mode: str, parts: Parts, timed: int) -> float | None:
    times = []
    for question in random.Random(parts.seed).sample(list(questions), min(timed, len(questions))):
        start = time.perf_counter()
        _look(question, mode, parts)
        times.append(1000 * (time.perf_counter() - start))
    return round(median(times), 1) if times else None
