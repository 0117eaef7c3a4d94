"""Measure how answers and verdicts degrade with a graph: OKGQA-P's experiment over questions with gold answers.

Every graph is perturbed in memory, and the same questions are asked of it with the same links, since the graph is
measured and not the linking. Verdicts are of the questions' gold facts, checked against the perturbed graph around
them. The no-KG line shows where a graph is worse than no graph at all: the same questions answered from texts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import product

import numpy as np

from claimgraph.answering.flow import SEEDS, Parts
from claimgraph.answering.question_preset import QuestionPreset
from claimgraph.detect.check_input import Detector
from claimgraph.evaluation.answers.perturbed_facts import case_of, gold_facts, nouns_of
from claimgraph.evaluation.answers.qa import QaFigures, evaluate
from claimgraph.evaluation.answers.robustness_judge import JUDGED, Quality
from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.questions import Question
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Outcome
from claimgraph.retrieval.perturbation.perturb import MODES, perturb
from claimgraph.retrieval.subgraph.prune import prune
from claimgraph.retrieval.subgraph.question_subgraph import QuestionSubgraph, surroundings

LEVELS = (0, 10, 30, 50, 70, 100)
"""Percent of the facts that are perturbed."""

RETRIEVALS = ("triplet", "path", "subgraph")
MEASURES = ("answer_recall", "hits_at_1")
"""Figures compared with the no-KG line."""

Judge = Callable[[str, Parts], Quality]
"""Returns the quality of answers by a retrieval mode and parts."""


@dataclass(frozen=True, slots=True)
class PerturbationFigures:
    """One perturbation at one level (percent), asked by one retrieval mode: the figures of answers.qa over `n`
    questions, the share of `claims` gold facts whose outcome differs from level 0, and the quality of a language
    model's `judged` answers (Quality).
    """

    perturbation: str
    level: float
    mode: str
    n: int
    answer_recall: float | None
    hits_at_1: float | None
    claims: int
    verdict_flips: float | None
    judged: int = 0
    factscore: float | None = None
    context_relevance: float | None = None
    comprehensiveness: float | None = None
    correctness: float | None = None
    empowerment: float | None = None


@dataclass(frozen=True, slots=True)
class Fall:
    """The lowest level at which a measure is below the no-KG line; None where it never is."""

    perturbation: str
    mode: str
    measure: str
    level: float | None


@dataclass(frozen=True, slots=True)
class RobustnessReport:
    """All levels, the figures without a graph (answers from texts), and the level where each mode falls below them."""

    graph: str
    seed: int
    questions: int
    levels: tuple[PerturbationFigures, ...]
    no_kg: dict[str, float | None]
    falls: tuple[Fall, ...]


@dataclass(frozen=True, slots=True)
class Experiment:
    """The settings of the experiment: levels in percent, perturbations of claimgraph.retrieval.perturbation.perturb,
    retrieval modes, and the seed.
    """

    levels: Sequence[float] = LEVELS
    perturbations: Sequence[str] = MODES
    modes: Sequence[str] = RETRIEVALS
    seed: int = 0


def percents(text: str) -> list[float]:
    """Return levels written with commas. Raises InputError for a word that is no number from 0 to 100."""
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
    judge: Judge | None = None,
    advance: Advance = silent,
) -> RobustnessReport:
    """Run the experiment; level 0 is measured once and used for all perturbations.

    `judge` rates answers in a language model's words; without one their quality is unknown. Raises InputError where the
    graph answers none of the questions, or for an unknown perturbation or retrieval mode, and BudgetSpent.
    """
    _known("perturbation", experiment.perturbations, MODES)
    _known("retrieval mode", experiment.modes, RETRIEVALS)
    run = _Run(questions, replace(parts, link=cache(parts.link)), detector, world, graphs, experiment.seed, judge)
    base, bare = [run.level("", 0, mode) for mode in experiment.modes], run.level("", 0, "text")
    no_kg = {measure: getattr(bare, measure) for measure in (*MEASURES, *JUDGED)}
    steps = [level for level in sorted(set(experiment.levels)) if level]
    levels: list[PerturbationFigures] = []
    for kind in experiment.perturbations:
        levels += [replace(level, perturbation=kind) for level in base]
        for level in steps:
            levels += [run.level(kind, level, mode) for mode in experiment.modes]
            advance(len(levels), len(base) * (1 + len(steps)) * len(experiment.perturbations))
    falls = [
        _fall(levels, kind, mode, measure, no_kg[measure])
        for kind, mode, measure in product(experiment.perturbations, experiment.modes, no_kg if judge else MEASURES)
    ]
    return RobustnessReport(",".join(graphs), experiment.seed, len(questions), tuple(levels), no_kg, tuple(falls))


def _known(what: str, given: Sequence[str], known: Sequence[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        raise InputError(f"no {what} {unknown[0]!r}: {', '.join(known)}")


class _Run:
    """The questions and gold facts, with the last perturbed graph."""

    def __init__(
        self,
        questions: Sequence[Question],
        parts: Parts,
        detector: Detector,
        world: GraphArrays,
        graphs: Sequence[str],
        seed: int,
        judge: Judge | None,
    ) -> None:
        self._parts, self._judge = parts, judge
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

    def level(self, kind: str, level: float, mode: str) -> PerturbationFigures:
        """Return the figures of one perturbation, level and retrieval mode."""
        graph, flips = self._at(kind, level)
        facts = cache(lambda: {key: at for at, key in enumerate(graph.facts)})
        parts = replace(
            self._parts,
            around=lambda entities: _around(graph, entities, self._parts.preset),
            subgraph=lambda keys: nouns_of(graph, np.array([facts()[key] for key in keys], np.int32)),
        )
        found = self._ask(mode, parts)
        quality = self._judge(mode, parts) if self._judge else Quality()
        row = (found.n, found.answer_recall, found.hits_at_1, len(self._gold), flips)
        return PerturbationFigures(kind, level, mode, *row, **asdict(quality))

    def _ask(self, mode: str, parts: Parts) -> QaFigures:
        """Ask all questions by those parts. Gold answers are the unperturbed graph's."""
        return evaluate(self._questions, mode=mode, parts=parts, world=self._world, graphs=self._graphs, timed=0)

    def _at(self, kind: str, level: float) -> tuple[GraphArrays, float | None]:
        if (kind, level) != self._perturbed[:2]:
            graph = perturb(self._world, kind, level / 100, self._seed, self._relations).graph
            pairs = list(zip(self._outcomes, self._check(graph), strict=True))
            flips = round(sum(a is not b for a, b in pairs) / len(pairs), 4) if pairs else None
            self._perturbed = (kind, level, graph, flips)
        return self._perturbed[2:]

    def _check(self, graph: GraphArrays) -> list[Outcome]:
        cases = [case_of(self._world, graph, fact) for fact in self._gold]
        return [found[0].outcome for found in self._detector.detect(cases)]


def _around(graph: GraphArrays, entities: Sequence[str], preset: QuestionPreset) -> QuestionSubgraph:
    pruned = prune(graph, entities[:SEEDS], preset.pruning)
    return QuestionSubgraph(pruned, None) if preset.published else surroundings(graph, pruned, entities)


def _fall(levels: Sequence[PerturbationFigures], kind: str, mode: str, measure: str, line: float | None) -> Fall:
    values = [(one.level, getattr(one, measure)) for one in levels if (one.perturbation, one.mode) == (kind, mode)]
    below = [level for level, value in values if line is not None and value is not None and value < line]
    return Fall(kind, mode, measure, min(below, default=None))
