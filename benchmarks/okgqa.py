"""Retrieval for a question beside OKGQA's published procedure: `python benchmarks/okgqa.py [--store FOLDER]`.

The world is CoDEx-M, the questions are those of SimpleQuestions-Wikidata whose subject stands in it, linked by their
gold subject. Both are read from ../shared/data beside the repository. --store names an embedded store that holds the
graph, --neo4j takes the store of NEO4J_URI instead and asks it as the walk goes on; a store without the graph is
filled first, a temporary one where none is named. Vectors are computed where the cache folder lacks them: a quarter of
an hour for all of CoDEx-M.

The published procedure: the networkx graph of everything within two hops, its PageRank (alpha 0.85, tolerance 1e-6, 100
iterations), nodes scored 1e-5 or more, one embedding call an item, a sorted list of cosines, prizes, pcst_fast. Its
graph is directed: a walk from an entity that is only ever an object ends where it began, and nothing is found, so it
is asked questions whose gold fact leads away from their subject. --undirected lets it walk as ours does. --items bounds
how many of a question's items it embeds; the rest count as much as the mean of those, and are ranked by our vectors.
The figures of one machine and moment mean little; the ratio of one run means more.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TypeVar

import networkx as nx
import numpy as np

from claimgraph import wiring
from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.kgstore.arrays.export import export_arrays
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.model import Embedder
from claimgraph.kgstore.store import GraphStore
from claimgraph.retrieval.graph_source import NEAR, ArrayWorld, FactSource, StoreWorld
from claimgraph.retrieval.subgraph.elements import ElementCosines, EmbeddedElements
from claimgraph.retrieval.subgraph.pcst import subgraph
from claimgraph.retrieval.subgraph.prizes import PRESETS, Prizes, prizes
from claimgraph.retrieval.subgraph.prune import LOCAL
from claimgraph.retrieval.subgraph.prune import OKGQA as OKGQA_PRUNING
from claimgraph.retrieval.subgraph.prune import PRESETS as PRUNING
from claimgraph.retrieval.subgraph.retrieve import retrieve
from claimgraph.settings import Settings, load_settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
OKGQA = PRESETS["okgqa"]
Result = TypeVar("Result")
Question = tuple[str, str]
"""A question and the id of its subject."""


class Clock:
    """Milliseconds of named stages, by the clock and by this process's processor time."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self.worked: dict[str, float] = {}

    def __call__(self, stage: str, work: Callable[[], Result]) -> Result:
        start, begun = time.perf_counter(), time.process_time()
        done = work()
        self.spent[stage] = 1000 * (time.perf_counter() - start)
        self.worked[stage] = 1000 * (time.process_time() - begun)
        return done

    @property
    def total(self) -> float:
        return sum(self.spent.values())

    @property
    def work(self) -> float:
        return sum(self.worked.values())


def main() -> None:
    """Measure and print."""
    given = _arguments()
    settings = load_settings()
    settings = replace(settings, cache=given.cache or settings.cache)
    with _store(given, settings) as store:
        embedder = wiring.embedder(settings)
        arrays = export_arrays(store, [given.graph], settings.cache_folder)
        questions = _questions(arrays, given.questions)
        kept = wiring.element_vectors(settings, [given.graph], arrays, embedder)
        print(f"{len(arrays.facts):,} facts, {len(questions)} questions; load {os.getloadavg()[0]:.1f}", flush=True)
        usual = [NEAR] if given.neo4j else [LOCAL, OKGQA_PRUNING]
        for preset in [PRUNING[name] for name in given.presets] or usual:
            world: FactSource = (
                StoreWorld(store, [given.graph], preset) if given.neo4j else ArrayWorld(store, arrays, preset)
            )
            _report(preset.name, ours(world, embedder, EmbeddedElements(embedder) if given.neo4j else kept, questions))
        if given.published:
            asked = _questions(arrays, given.published, relations="P")
            kind = nx.Graph if given.undirected else nx.DiGraph
            _compare(ArrayWorld(store, arrays), arrays, embedder, kept, asked, given.items, kind)
    print(f"load at the end {os.getloadavg()[0]:.1f}")


def ours(world: FactSource, embedder: Embedder, elements: ElementCosines, questions: Sequence[Question]) -> list[Clock]:
    """One clock a question, of its second run: the first embeds what the cache lacks."""
    for question, subject in questions:
        retrieve(question, world.pruned([subject]), embedder, "subgraph", OKGQA, elements=elements)
    return [_timed(world, elements, question, subject) for question, subject in questions]


def _timed(world: FactSource, elements: ElementCosines, question: str, subject: str) -> Clock:
    """The stages of `retrieve` one by one."""
    clock = Clock()
    pruned = clock("ppr", lambda: world.pruned([subject]))
    nodes, facts = clock("vectors", lambda: elements.cosines(question, pruned.graph))
    earned = clock("prizes", lambda: Prizes(prizes(nodes, OKGQA.k), prizes(facts, OKGQA.k), OKGQA.cost))
    _, found = clock("pcst", lambda: subgraph(pruned.graph, earned))
    clock("facts read", lambda: world.subgraph([pruned.graph.facts[fact] for fact in found]))
    return clock


def published(
    graph: GraphArrays, question: str, subject: str, near: ElementCosines, items: int, kind: type[nx.Graph]
) -> tuple[Clock, int, int]:
    """OKGQA's procedure: its clock, how many items it embeds, and how many of them were embedded here."""
    clock, model = Clock(), MiniLMEmbedder()
    model.load()
    seed = graph.node(subject)
    assert seed is not None
    around = clock("two hops", lambda: _two_hops(graph, seed, kind))
    scores = clock("ppr", lambda: nx.pagerank(around, 0.85, {seed: 1}, max_iter=100, tol=1e-6))
    kept = clock("prune", lambda: around.subgraph([node for node in around if scores[node] >= 1e-5]).copy())
    facts = [fact for _, _, fact in kept.edges(data="fact")]
    texts = [graph.names[node] for node in kept] + [graph.relations[graph.predicate[fact]] for fact in facts]
    embedded = texts[:: max(1, len(texts) // items)] if items else texts
    vectors = clock("vectors", lambda: [model.embed([text])[0] for text in [question, *embedded]])
    for times in (clock.spent, clock.worked):
        times["vectors"] *= (1 + len(texts)) / (1 + len(embedded))
    clock("prizes", lambda: sorted(range(len(vectors) - 1), key=lambda i: float(-(vectors[i + 1] @ vectors[0]))))
    part = graph.part(np.array(sorted(facts), dtype=np.int64))
    nodes, edges = near.cosines(question, part)
    earned = Prizes(prizes(nodes, OKGQA.k), prizes(edges, OKGQA.k), OKGQA.cost)
    clock("pcst", lambda: subgraph(part, earned))
    return clock, len(texts), len(embedded)


def _two_hops(graph: GraphArrays, seed: int, kind: type[nx.Graph]) -> nx.Graph:
    """A graph with one edge a pair, as published."""
    found, edge, near = kind(), {seed}, graph.adjacency
    reached = set[int]()
    for _ in range(2):
        reached |= edge
        fresh = set[int]()
        for node in edge:
            for place in range(near.start[node], near.start[node + 1]):
                fact = int(near.fact[place])
                found.add_edge(int(graph.subject[fact]), int(graph.object[fact]), fact=fact)
                fresh.add(int(near.neighbour[place]))
        edge = fresh - reached
    return found


def _compare(
    world: FactSource,
    graph: GraphArrays,
    embedder: Embedder,
    elements: ElementCosines,
    questions: Sequence[Question],
    items: int,
    kind: type[nx.Graph],
) -> None:
    ratios, worked, free = list[float](), list[float](), list[float]()
    fast = ours(world, embedder, elements, questions)
    for (question, subject), own in zip(questions, fast, strict=True):
        clock, count, embedded = published(graph, question, subject, elements, items, kind)
        ratios.append(clock.total / own.total)
        worked.append(clock.work / own.work)
        free.append((clock.total - clock.spent["vectors"]) / own.total)
        print(f"{question!r}: published {clock.total / 1000:.1f} s ({count} items, {embedded} embedded), ", end="")
        print(f"ours {own.total:.1f} ms, ratio {ratios[-1]:,.0f}", flush=True)
        print("    " + _stages([clock]), flush=True)
    print(
        f"published to ours, median of {len(questions)}: {median(ratios):,.0f} to 1, least {min(ratios):,.0f}; ", end=""
    )
    print(f"by processor time {median(worked):,.0f}, least {min(worked):,.0f}; ", end="")
    print(f"were its embeddings free {median(free):,.0f}")


def _report(name: str, clocks: Sequence[Clock]) -> None:
    totals = sorted(clock.total for clock in clocks)
    work = median(clock.work for clock in clocks)
    print(f"{name}: median {median(totals):.1f} ms (processor time {work:.1f}), slowest {totals[-1]:.1f}; ", end="")
    print(_stages(clocks), flush=True)


def _stages(clocks: Sequence[Clock]) -> str:
    """Medians by the clock, with processor time in brackets."""
    times = [
        (stage, median(clock.spent[stage] for clock in clocks), median(clock.worked[stage] for clock in clocks))
        for stage in clocks[0].spent
    ]
    return ", ".join(f"{stage} {spent:.1f} ({worked:.1f})" for stage, spent, worked in times)


def _questions(graph: GraphArrays, count: int, relations: str = "PR") -> list[Question]:
    """Spread over the file. A gold relation "R57" leads to the subject, "P57" away from it."""
    with gzip.open(_data("kgqa/simplequestions_wd.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [(row["question"], row["triple_qids"]) for row in map(json.loads, file)]
    asked = [(question, f"wd:{triple[0]}") for question, triple in rows if triple[1][0] in relations]
    known = [row for row in asked if graph.node(row[1]) is not None]
    return known[:: max(1, len(known) // count)][:count]


@contextmanager
def _store(given: argparse.Namespace, settings: Settings) -> Iterator[GraphStore]:
    with tempfile.TemporaryDirectory() as folder:
        embedded = replace(settings, neo4j_uri=None, store=given.store or Path(folder))
        chosen = settings if given.neo4j else embedded
        if given.store or given.neo4j:
            with wiring.open_store(chosen, read_only=True) as store:
                if store.read("graph_size", graph=given.graph)[0]["facts"]:
                    yield store
                    return
        with wiring.open_store(chosen) as store:
            migrate(store)
            files = [
                _data(f"kg/codex/{name}") for name in ("codex_m_triples.tsv.gz", "entities.jsonl.gz", "relations.jsonl")
            ]
            ingest(
                store, files[0], given.graph, entities=files[1], relations=files[2], rejected=Path(folder) / "rejected"
            )
            yield store


def _data(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        raise SystemExit(f"the data is not here: {path} (see docs/quality/speed.md)")
    return path


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Retrieval beside OKGQA's published procedure.")
    parser.add_argument("--store", type=Path, help="an embedded store that holds the graph")
    parser.add_argument("--neo4j", action="store_true", help="the store of NEO4J_URI, asked as the walk goes on")
    parser.add_argument("--graph", default="codexm")
    parser.add_argument("--cache", type=Path)
    parser.add_argument(
        "--presets", nargs="+", choices=sorted(PRUNING), default=[], help="default: each of the kind of store"
    )
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--published", type=int, default=5, help="questions for the published procedure")
    parser.add_argument("--undirected", action="store_true", help="let it walk facts both ways")
    parser.add_argument("--items", type=int, default=0, help="items it embeds a question; 0: all")
    return parser.parse_args()


if __name__ == "__main__":
    main()
