"""How answers and verdicts hold up as a graph gets worse: OKGQA-P's experiment over questions with gold answers.

Every graph is perturbed in memory, and the same questions are asked of it with the same links, since what is measured
is the graph and not the linking. Verdicts are of the questions' gold facts, checked against what the perturbed graph
says around them. Where a graph serves worse than no graph at all is told by the no-KG line: the same questions
answered from texts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np

from claimgraph.asking import SEEDS, Parts
from claimgraph.evaluation.qa import Gold, QaFigures, evaluate
from claimgraph.questions import Question, node_of
from detect.case import Case, Detector
from kgstore.arrays import GraphArrays, Numbers
from kgstore.errors import InputError
from kgstore.identity import claim_id
from kgstore.model import Claim, Entity, Fact, Link, Outcome, Span, Subgraph
from retrieval.perturb import MODES, perturb
from retrieval.prune import prune
from retrieval.surroundings import Surroundings, surroundings

LEVELS = (0, 10, 30, 50, 70, 100)
"""Percent of the facts that are perturbed."""

RETRIEVALS = ("triplet", "path", "subgraph")
MEASURES = ("answer_recall", "hits_at_1")
"""What is compared with the no-KG line."""

AROUND = 100
"""Facts that a gold fact is checked against: those between its ends, then those around them."""

Advance = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Level:
    """One perturbation at one level (percent), asked by one retrieval mode: the figures of evaluation.qa over `n`
    questions, and the share of `claims` gold facts whose outcome is no longer that of level 0."""

    perturbation: str
    level: float
    mode: str
    n: int
    answer_recall: float | None
    hits_at_1: float | None
    claims: int
    verdict_flips: float | None


@dataclass(frozen=True, slots=True)
class Fall:
    """The lowest level at which a measure is below the no-KG line; None where it never is."""

    perturbation: str
    mode: str
    measure: str
    level: float | None


@dataclass(frozen=True, slots=True)
class RobustnessReport:
    """All levels, the figures without a graph (answers from texts), and where each mode falls below them."""

    graph: str
    seed: int
    questions: int
    levels: tuple[Level, ...]
    no_kg: dict[str, float | None]
    falls: tuple[Fall, ...]


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is run: levels in percent, perturbations of retrieval.perturb, retrieval modes, and the seed."""

    levels: Sequence[float] = LEVELS
    perturbations: Sequence[str] = MODES
    modes: Sequence[str] = RETRIEVALS
    seed: int = 0


def percents(text: str) -> list[float]:
    """Levels written with commas. Raises InputError for what is no number from 0 to 100."""
    try:
        levels = [float(part) for part in text.split(",")]
    except ValueError:
        levels = [-1.0]
    if not all(0 <= level <= 100 for level in levels):
        raise InputError(f"levels are numbers from 0 to 100 with commas between them, not {text!r}")
    return levels


def robustness(
    questions: Sequence[Question],
    *,
    parts: Parts,
    detector: Detector,
    world: GraphArrays,
    graphs: Sequence[str],
    experiment: Experiment,
    advance: Advance | None = None,
) -> RobustnessReport:
    """Run the experiment; level 0 is measured once and stands for all perturbations.

    Raises InputError where the graph answers none of the questions, or for an unknown perturbation or retrieval mode.
    """
    _known("perturbation", experiment.perturbations, MODES)
    _known("retrieval mode", experiment.modes, RETRIEVALS)
    run = _Run(questions, replace(parts, link=cache(parts.link)), detector, world, graphs, experiment.seed)
    base = [run.level("", 0, mode) for mode in experiment.modes]
    steps = [level for level in sorted(set(experiment.levels)) if level]
    levels: list[Level] = []
    for kind in experiment.perturbations:
        levels += [replace(level, perturbation=kind) for level in base]
        for level in steps:
            levels += [run.level(kind, level, mode) for mode in experiment.modes]
            if advance:
                advance(len(levels), len(base) * (1 + len(steps)) * len(experiment.perturbations))
    bare = run.ask("text", run.parts)
    no_kg = {measure: getattr(bare, measure) for measure in MEASURES}
    falls = [
        _fall(levels, kind, mode, measure, no_kg[measure])
        for kind, mode, measure in product(experiment.perturbations, experiment.modes, MEASURES)
    ]
    return RobustnessReport(",".join(graphs), experiment.seed, len(questions), tuple(levels), no_kg, tuple(falls))


def _known(what: str, given: Sequence[str], known: Sequence[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        raise InputError(f"no {what} {unknown[0]!r}: {', '.join(known)}")


class _Run:
    """The questions and gold facts, with the perturbed graph that was asked last."""

    def __init__(
        self,
        questions: Sequence[Question],
        parts: Parts,
        detector: Detector,
        world: GraphArrays,
        graphs: Sequence[str],
        seed: int,
    ) -> None:
        self.parts = parts
        self._questions, self._detector, self._world, self._graphs, self._seed = (
            questions,
            detector,
            world,
            graphs,
            seed,
        )
        self._relations = parts.embedder.embed(world.relations)
        self._gold = gold_facts(questions, world, graphs)
        self._perturbed: tuple[str, float, GraphArrays, float | None] = ("", 0, world, 0.0 if len(self._gold) else None)
        self._outcomes = self._check(world)

    def level(self, kind: str, level: float, mode: str) -> Level:
        """Figures of one perturbation, level and retrieval mode."""
        graph, flips = self._at(kind, level)
        parts = replace(self.parts, around=lambda entities: _around(graph, entities))
        found = self.ask(mode, parts)
        return Level(kind, level, mode, found.n, found.answer_recall, found.hits_at_1, len(self._gold), flips)

    def ask(self, mode: str, parts: Parts) -> QaFigures:
        """All questions by those parts. Gold answers are the unperturbed graph's."""
        return evaluate(self._questions, mode=mode, parts=parts, world=self._world, graphs=self._graphs, timed=0)

    def _at(self, kind: str, level: float) -> tuple[GraphArrays, float | None]:
        if (kind, level) != self._perturbed[:2]:
            graph = perturb(self._world, kind, level / 100, self._seed, self._relations).graph
            pairs = list(zip(self._outcomes, self._check(graph), strict=True))
            flips = round(sum(a is not b for a, b in pairs) / len(pairs), 4) if pairs else None
            self._perturbed = (kind, level, graph, flips)
        return self._perturbed[2:]

    def _check(self, graph: GraphArrays) -> list[Outcome]:
        cases = [_case(self._world, graph, fact) for fact in self._gold]
        return [found[0].outcome for found in self._detector.detect(cases)]


def gold_facts(questions: Sequence[Question], world: GraphArrays, graphs: Sequence[str]) -> list[int]:
    """Facts of the world that answer the questions, by number: from its entity to an answer in the gold relation."""
    found: set[int] = set()
    for question in questions:
        entities, answers = (
            frozenset(world.nodes[node] for key in keys if (node := node_of(key, world, graphs)) is not None)
            for keys in (question.entities, question.answers)
        )
        gold = Gold(question, entities, answers)
        for fact in (fact for key in entities for fact in _touching(world, world.node(key))):
            subject, object = world.nodes[world.subject[fact]], world.nodes[world.object[fact]]
            if answers & {subject, object} and gold.holds(subject, world.predicates[world.predicate[fact]], object):
                found.add(int(fact))
    return sorted(found)


def _around(graph: GraphArrays, entities: Sequence[str]) -> Surroundings:
    return surroundings(graph, prune(graph, entities[:SEEDS]), entities)


def _fall(levels: Sequence[Level], kind: str, mode: str, measure: str, line: float | None) -> Fall:
    values = [(one.level, getattr(one, measure)) for one in levels if (one.perturbation, one.mode) == (kind, mode)]
    below = [level for level, value in values if line is not None and value is not None and value < line]
    return Fall(kind, mode, measure, min(below, default=None))


def _case(world: GraphArrays, graph: GraphArrays, fact: int) -> Case:
    """The fact of the world as a claim, beside what the other graph (of the same nodes) says around its ends."""
    ends = {"subject": int(world.subject[fact]), "object": int(world.object[fact])}
    subject, object = (world.names[end] for end in ends.values())
    text, relation = world.text(fact), world.relations[world.predicate[fact]]
    key = claim_id("", 0, len(text), subject, relation, object)
    claim = Claim(key, "", subject, relation, object, text, Span(0, len(text)))
    links = tuple(Link(key, role, world.names[end], _entity(world, end), 1.0, 1.0) for role, end in ends.items())
    near = np.unique(np.concatenate([_touching(graph, end) for end in ends.values()]))
    both = np.isin(graph.subject[near], [*ends.values()]) & np.isin(graph.object[near], [*ends.values()])
    return Case((claim,), _nouns(graph, near[np.argsort(~both, kind="stable")][:AROUND]), (), closed=False, links=links)


def _touching(graph: GraphArrays, node: int | None) -> Numbers:
    if node is None:
        return np.zeros(0, np.int32)
    return graph.adjacency.fact[graph.adjacency.start[node] : graph.adjacency.start[node + 1]]


def _nouns(graph: GraphArrays, facts: Numbers) -> Subgraph:
    """The facts as nouns, without asking the store, which does not hold them."""
    found = tuple(
        Fact(
            graph.facts[at],
            "",
            graph.nodes[graph.subject[at]],
            graph.predicates[graph.predicate[at]],
            graph.relations[graph.predicate[at]],
            graph.nodes[graph.object[at]],
        )
        for at in facts.tolist()
    )
    ends = np.unique(np.concatenate([graph.subject[facts], graph.object[facts]]))
    return Subgraph({graph.nodes[end]: _entity(graph, end) for end in ends.tolist()}, found)


def _entity(graph: GraphArrays, node: int) -> Entity:
    return Entity(graph.nodes[node], graph.names[node])
