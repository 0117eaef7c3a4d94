"""What each preset of prizes finds: `python benchmarks/prizes.py QUESTIONS --store FOLDER --graph G [--limit N]`.

Questions with gold facts (SimpleQuestions), linked by their gold subject, so that only pruning and prizes are judged;
benchmarks/simplequestions.py says how their world is made. Printed for each preset and mode: the share of questions
whose gold fact is retrieved, and how many facts a question gets; and first how many gold facts pruning leaves.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from claimgraph import wiring
from claimgraph.evaluation.data.questions import Question, node_of, read_questions
from claimgraph.kgstore.arrays.export import export_arrays
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.retrieval.subgraph.prizes import PRESETS
from claimgraph.retrieval.subgraph.prune import Pruned, prune
from claimgraph.retrieval.subgraph.retrieve import retrieve
from claimgraph.settings import load_settings

MODES = ("triplet", "path", "subgraph")


def main() -> None:
    """Measure and print."""
    given = _arguments()
    settings = replace(load_settings(), store=given.store, neo4j_uri=None)
    settings = replace(settings, cache=given.cache or settings.cache)
    with wiring.open_store(settings, read_only=True) as store:
        graph = export_arrays(store, [given.graph], settings.cache_folder)
    cases = _cases(graph, given.graph, read_questions(given.questions, given.limit))
    left = sum(fact in set(pruned.graph.facts) for _, pruned, fact in cases)
    print(f"{len(cases)} questions; the pruned graph holds the gold fact of {left / len(cases):.3f}", flush=True)
    embedder = wiring.embedder(settings)
    elements = wiring.element_vectors(settings, [given.graph], graph, embedder)
    for name, preset in PRESETS.items():
        for mode in MODES:
            hits = facts = 0
            for question, pruned, gold in cases:
                found = retrieve(question, pruned, embedder, mode, preset, elements=elements).facts
                hits += gold in {pruned.graph.facts[fact] for fact in found}
                facts += len(found)
            print(f"{name:6} {mode:9} {hits / len(cases):.3f} with {facts / len(cases):.1f} facts", flush=True)


def _cases(graph: GraphArrays, name: str, questions: list[Question]) -> list[tuple[str, Pruned, str]]:
    """Question, pruned graph and id of the gold fact, where the world holds that."""
    columns = (graph.subject.tolist(), graph.predicate.tolist(), graph.object.tolist())
    numbers = {said: fact for fact, said in enumerate(zip(*columns, strict=True))}
    cases = []
    for question in questions:
        fact = numbers.get(_gold(graph, name, question))
        if fact is not None:
            subject = node_of(question.entities[0], graph, [name])
            assert subject is not None
            cases.append((question.text, prune(graph, [graph.nodes[subject]]), graph.facts[fact]))
    return cases


def _gold(graph: GraphArrays, name: str, question: Question) -> tuple[int, int, int]:
    """Numbers of the gold fact's subject, predicate and object, -1 for what the world does not hold."""
    ends = [node_of(key, graph, [name]) for key in (*question.entities[:1], *question.answers[:1])]
    relation = f"wd:P{question.relation[1:]}" if question.relation else ""
    if len(ends) < 2 or None in ends or relation not in graph.predicates:
        return -1, -1, -1
    first, second = (end for end in ends if end is not None)
    turned = question.relation is not None and question.relation.startswith("R")
    kind = list(graph.predicates).index(relation)
    return (second, kind, first) if turned else (first, kind, second)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What each preset of prizes finds.")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--limit", type=int)
    return parser.parse_args()


if __name__ == "__main__":
    main()
