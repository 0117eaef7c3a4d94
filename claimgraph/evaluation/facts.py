"""Measure how well graph evidence alone judges labelled facts, for `claimgraph eval facts`.

A fact in a graph's own vocabulary (ids of both ends and of the predicate) is removed from the graph with all others
asked about, and judged by the rest. A fact of another vocabulary is found by names, and the graph's statement of it is
evidence as well.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from claimgraph.detect.methods.graph_evidence import foreign_facts
from claimgraph.detect.methods.graph_evidence.adjacency import Floats
from claimgraph.detect.methods.graph_evidence.judge import GraphEvidence
from claimgraph.evaluation.data.fact_ends import NamedNodes
from claimgraph.evaluation.data.labelled_facts import LabelledFact, identity, read_facts
from claimgraph.evaluation.data.rows import dataset_name
from claimgraph.evaluation.statistics import metrics
from claimgraph.evaluation.statistics.shares import rounded
from claimgraph.kgstore.arrays.export import export_arrays
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.model import Embedder
from claimgraph.kgstore.reads import load_entities
from claimgraph.kgstore.store import GraphStore


@dataclass(frozen=True, slots=True)
class FactFigures:
    """Some labelled facts: their number, the number that a graph could judge, and figures on those; None where
    undefined.

    `accuracy` is of "probability above 0.5". For a kind of corruption, all true facts of the file are its positives.
    """

    n: int
    covered: int
    true: int
    auc_roc: float | None
    accuracy: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsReport(FactFigures):
    """One file over some graphs; `n` to `accuracy` as FactFigures. `linked`: facts both of whose ends one graph knows
    (a fact is covered where a relation that says the same is known, too); `stated`: facts that a graph itself holds.

    `by_graph` counts the facts each graph covers, `by_kind` and `by_dataset` are empty where the file names none.
    `seconds` are without reading the graphs.
    """

    dataset: str
    graphs: tuple[str, ...]
    linked: int
    stated: int
    seconds: float
    by_graph: Mapping[str, int]
    by_kind: Mapping[str, FactFigures]
    by_dataset: Mapping[str, FactFigures]


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """A graph with the further names of its nodes, by id."""

    name: str
    graph: GraphArrays
    aliases: Mapping[str, Sequence[str]]


def load_world(store: GraphStore, graph: str, cache: Path | None) -> NamedGraph:
    """Return the graph of that name. Raises NotFound."""
    arrays = export_arrays(store, [graph], cache)
    entities = load_entities(store, arrays.nodes)
    return NamedGraph(graph, arrays, {key: entity.aliases for key, entity in entities.items()})


def evaluate(
    path: Path, worlds: Sequence[NamedGraph], embedder: Embedder, limit: int | None = None, seed: int = 0
) -> FactsReport:
    """Judge the first `limit` facts of a file by each graph; of several, the most decided one (highest |log-odds|).

    Raises InputError for a file that does not hold labelled facts.
    """
    facts = read_facts(path, limit)
    begun = time.perf_counter()
    judged = [judge(facts, world, embedder, seed) for world in worlds]
    odds = np.stack([part[0] for part in judged])
    decided = np.where(np.isnan(odds), -1, np.abs(odds)).argmax(axis=0)
    scores = odds[decided, np.arange(len(facts))]
    stated = np.stack([part[1] for part in judged])
    seconds = time.perf_counter() - begun
    whole = _figures(facts, scores, range(len(facts)))
    return FactsReport(
        dataset=dataset_name(path),
        graphs=tuple(world.name for world in worlds),
        n=whole.n,
        covered=whole.covered,
        true=whole.true,
        auc_roc=whole.auc_roc,
        accuracy=whole.accuracy,
        linked=int((~np.isnan(stated)).any(axis=0).sum()),
        stated=int((stated > 0).any(axis=0).sum()),
        seconds=round(seconds, 2),
        by_graph={w.name: int((~np.isnan(part)).sum()) for w, part in zip(worlds, odds, strict=True)},
        by_kind=_by_kind(facts, scores),
        by_dataset=_by_dataset(facts, scores),
    )


def judge(facts: Sequence[LabelledFact], world: NamedGraph, embedder: Embedder, seed: int = 0) -> tuple[Floats, Floats]:
    """Return log-odds that each fact is true by one graph, nan where it does not decide; and how far the graph states
    it, 0 to 1, nan where it does not know both ends.

    A fact in the graph's own vocabulary is never stated: it was removed.
    """
    odds, stated = np.full((2, len(facts)), np.nan)
    graph = world.graph
    own = [_numbers(fact, world) for fact in facts]
    rows = [i for i, numbers in enumerate(own) if numbers]
    if rows:
        asked = np.array([own[i] for i in rows])
        evidence = GraphEvidence(graph, asked, seed)
        stated[rows] = 0
        odds[rows] = evidence.log_odds(asked) + evidence.features.room(asked)
    ends = NamedNodes(graph, world.aliases)
    pairs = {i: ends.pair(facts[i].named.subject, facts[i].named.object) for i in range(len(facts)) if not own[i]}
    rows = [i for i, pair in pairs.items() if pair]
    if rows:
        words = [facts[i].named.predicate for i in rows]
        found = foreign_facts.log_odds(words, np.array([pairs[i] for i in rows]), graph, embedder, seed)
        odds[rows], stated[rows] = found
    return odds, stated


def _numbers(fact: LabelledFact, world: NamedGraph) -> tuple[int, int, int] | None:
    """Return subject, predicate and object by number, where the graph knows all three by id."""
    graph = world.graph
    subject, object = (graph.node(identity(world.name, key)) for key in (fact.key.subject, fact.key.object))
    wanted = identity(world.name, fact.key.predicate)
    at = bisect_left(graph.predicates, wanted)
    known = at < len(graph.predicates) and graph.predicates[at] == wanted
    return (subject, at, object) if subject is not None and object is not None and known else None


def _by_kind(facts: Sequence[LabelledFact], scores: Floats) -> dict[str, FactFigures]:
    kinds = sorted({kind for fact in facts for kind in fact.kinds})
    return {
        kind: _figures(facts, scores, [i for i, f in enumerate(facts) if f.label or kind in f.kinds]) for kind in kinds
    }


def _by_dataset(facts: Sequence[LabelledFact], scores: Floats) -> dict[str, FactFigures]:
    names = sorted({fact.dataset for fact in facts if fact.dataset})
    return {name: _figures(facts, scores, [i for i, f in enumerate(facts) if f.dataset == name]) for name in names}


def _figures(facts: Sequence[LabelledFact], scores: Floats, rows: Sequence[int]) -> FactFigures:
    labels, values = np.array([facts[i].label for i in rows]), scores[list(rows)]
    known = ~np.isnan(values)
    guesses = np.where(known, values > 0, np.nan)
    found = metrics.measure(labels, values, guesses)
    auc, accuracy = (float(found[name][0]) for name in ("auc_roc", "accuracy"))
    return FactFigures(
        n=len(rows),
        covered=int(known.sum()),
        true=int(labels[known].sum()),
        auc_roc=rounded(auc),
        accuracy=rounded(accuracy),
    )
