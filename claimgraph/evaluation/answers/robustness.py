"""Measure how answers and verdicts degrade with a graph: OKGQA-P's experiment over questions with gold answers.

With several seeds a graph is perturbed so many times: a figure is the mean over the seeds, its interval that of a
bootstrap over the questions (or gold facts), each with its mean over the seeds.

Every graph is perturbed in memory, and the same questions are asked of it with the same links, since the graph is
measured and not the linking. Verdicts are of the questions' gold facts, checked against the perturbed graph around
them. The no-KG line shows where a graph is worse than no graph at all: the same questions answered from texts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from claimgraph.answering.flow import SEEDS, Parts
from claimgraph.answering.question_preset import QuestionPreset
from claimgraph.detect.check_input import Detector
from claimgraph.evaluation.answers.perturbed_facts import case_of, gold_facts, nouns_of
from claimgraph.evaluation.answers.qa import known_questions, scores
from claimgraph.evaluation.answers.robustness_judge import JUDGED, Quality
from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.questions import Question
from claimgraph.evaluation.statistics.metrics import interval, resample
from claimgraph.evaluation.statistics.shares import mean, rounded
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Outcome
from claimgraph.retrieval.perturbation.distances import SAMPLE, Distances, distances
from claimgraph.retrieval.perturbation.perturb import MODES, perturb
from claimgraph.retrieval.subgraph.prune import prune
from claimgraph.retrieval.subgraph.question_subgraph import QuestionSubgraph, surroundings

LEVELS = (0, 10, 30, 50, 70, 100)
"""Percent of the facts that are perturbed."""

NONE = "none"
"""The retrieval mode that asks nothing: only verdicts and distances are measured."""
RETRIEVALS = (NONE, "triplet", "path", "subgraph")
MEASURES = ("answer_recall", "hits_at_1")
"""Figures compared with the no-KG line."""
DISTANCES = ("ats", "sc2d", "sd2")

Judge = Callable[[str, Parts], Quality]
"""Returns the quality of answers by a retrieval mode and parts."""


@dataclass(frozen=True, slots=True)
class PerturbationFigures:
    """One perturbation at one level (percent), asked by one retrieval mode: the figures of answers.qa over `n`
    questions (unknown by mode `none`), the share of `claims` gold facts whose outcome differs from level 0, how far the
    graph is from the original (retrieval.perturbation.distances), and the quality of a language model's `judged`
    answers (Quality) from the first seed's graph. `ci95` has the interval of each of MEASURES and of `verdict_flips`.
    """

    perturbation: str
    level: float
    mode: str
    n: int
    answer_recall: float | None
    hits_at_1: float | None
    claims: int
    verdict_flips: float | None
    ats: float | None
    sc2d: float | None
    sd2: float | None
    judged: int = 0
    factscore: float | None = None
    context_relevance: float | None = None
    comprehensiveness: float | None = None
    correctness: float | None = None
    empowerment: float | None = None
    ci95: dict[str, tuple[float, float] | None] = field(default_factory=dict)


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
    seeds: tuple[int, ...]
    questions: int
    levels: tuple[PerturbationFigures, ...]
    no_kg: dict[str, float | None]
    falls: tuple[Fall, ...]


@dataclass(frozen=True, slots=True)
class Experiment:
    """The settings of the experiment: levels in percent, perturbations of claimgraph.retrieval.perturbation.perturb,
    retrieval modes, and the seeds.
    """

    levels: Sequence[float] = LEVELS
    perturbations: Sequence[str] = MODES
    modes: Sequence[str] = RETRIEVALS
    seeds: Sequence[int] = (0,)


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
    run = _Run(questions, replace(parts, link=cache(parts.link)), detector, world, graphs, experiment.seeds, judge)
    asking = set(experiment.modes) != {NONE}
    base, bare = [run.level("", 0, mode) for mode in experiment.modes], run.level("", 0, "text" if asking else NONE)
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
    return RobustnessReport(
        ",".join(graphs), tuple(experiment.seeds), len(questions), tuple(levels), no_kg, tuple(falls)
    )


def _known(what: str, given: Sequence[str], known: Sequence[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        raise InputError(f"no {what} {unknown[0]!r}: {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class _Seeded:
    """A perturbed graph, which of the gold facts' outcomes changed, and how far it is from the original."""

    graph: GraphArrays
    flips: Sequence[bool]
    far: Distances


class _Run:
    """The questions and gold facts, with the last perturbed graphs, one a seed."""

    def __init__(
        self,
        questions: Sequence[Question],
        parts: Parts,
        detector: Detector,
        world: GraphArrays,
        graphs: Sequence[str],
        seeds: Sequence[int],
        judge: Judge | None,
    ) -> None:
        self._parts, self._detector, self._world, self._seeds, self._judge = parts, detector, world, seeds, judge
        self._known = known_questions(questions, world, graphs)
        self._relations = parts.embedder.embed(world.relations)
        self._gold = gold_facts(questions, world, graphs)
        self._outcomes = self._check(world)
        same = _Seeded(world, [False] * len(self._gold), Distances(1.0, 1.0, 1.0))
        self._last: tuple[str, float, list[_Seeded]] = ("", 0, [same])

    def level(self, kind: str, level: float, mode: str) -> PerturbationFigures:
        """Return the figures of one perturbation, level and retrieval mode. Gold answers are the unperturbed
        graph's.
        """
        seeded = self._at(kind, level)
        parts = [self._parts_of(one.graph) for one in seeded]
        asking = mode != NONE
        quality = self._judge(mode, parts[0]) if self._judge and asking else Quality()
        asked = np.mean([scores(self._known, mode, one) for one in parts], axis=0) if asking else np.zeros((0, 2))
        flips = np.mean([one.flips for one in seeded], axis=0)
        ats, sc2d, sd2 = (mean([rounded(getattr(one.far, name)) for one in seeded]) for name in DISTANCES)
        return PerturbationFigures(
            perturbation=kind,
            level=level,
            mode=mode,
            n=len(self._known),
            answer_recall=mean(asked[:, 0].tolist()),
            hits_at_1=mean(asked[:, 1].tolist()),
            claims=len(self._gold),
            verdict_flips=mean(flips.tolist()),
            ats=ats,
            sc2d=sc2d,
            sd2=sd2,
            **asdict(quality),
            ci95={
                "answer_recall": self._interval(asked[:, 0]),
                "hits_at_1": self._interval(asked[:, 1]),
                "verdict_flips": self._interval(flips),
            },
        )

    def _interval(self, values: NDArray[np.float64]) -> tuple[float, float] | None:
        if not len(values):
            return None
        weights = resample([str(at) for at in range(len(values))], self._seeds[0])
        return interval((weights @ values / len(values)).round(4))

    def _parts_of(self, graph: GraphArrays) -> Parts:
        facts = cache(lambda: {key: at for at, key in enumerate(graph.facts)})
        return replace(
            self._parts,
            around=lambda entities: _around(graph, entities, self._parts.preset),
            subgraph=lambda keys: nouns_of(graph, np.array([facts()[key] for key in keys], np.int32)),
        )

    def _at(self, kind: str, level: float) -> list[_Seeded]:
        if (kind, level) != self._last[:2]:
            self._last = (kind, level, [self._seeded(kind, level, seed) for seed in self._seeds])
        return self._last[2]

    def _seeded(self, kind: str, level: float, seed: int) -> _Seeded:
        found = perturb(self._world, kind, level / 100, seed, self._relations)
        flips = [was is not now for was, now in zip(self._outcomes, self._check(found.graph), strict=True)]
        sample = -(-SAMPLE // len(self._seeds))
        return _Seeded(found.graph, flips, distances(self._world, found, self._parts.embedder, seed, sample))

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
