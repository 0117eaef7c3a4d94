"""When questions are answered and when not: of those that a graph can answer, and of those that it cannot.

    python benchmarks/abstention.py DATA/kgqa/qald9_train.jsonl.gz --graph dbpedia50 [--limit 200] [--show]

The store of the settings must hold the graphs. A question can be answered where its entity and an answer stand in them
(claimgraph.evaluation.answers.qa); right is a first answer that the file lists. Printed are the figures by the least
confidence of an answer; the product's own is marked.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimgraph.answering import answer_choice
from claimgraph.evaluation.answers.qa import known_questions
from claimgraph.evaluation.data.questions import Question, read_questions
from claimgraph.settings import load_settings
from claimgraph.wiring.asker import Asker

THRESHOLDS = (0.3, 0.5, 0.65, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Told:
    """The first answer to a question, with its confidence (0 where nothing can be one), and the right ones; None where
    the graph cannot answer.
    """

    question: str
    first: str
    confidence: float
    right: frozenset[str] | None
    name: str


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--graph", action="append", required=True)
    parser.add_argument("--limit", type=int, help="questions, a sample")
    parser.add_argument("--show", action="store_true", help="print the questions that are answered")
    asked = parser.parse_args()
    threshold, answer_choice.ANSWERED = answer_choice.ANSWERED, min(THRESHOLDS)
    with Asker(load_settings(), asked.graph, read_only=True) as asker:
        told = list(answers(read_questions(asked.path, limit=asked.limit), asker))
    print("\n".join(table(told, threshold)))
    if asked.show:
        for one in (one for one in told if one.confidence >= threshold):
            kind = "unknown" if one.right is None else "right" if one.first in one.right else "wrong"
            print(f"- {kind} {one.confidence:.2f}: {one.question} -> {one.name}")


def answers(questions: Sequence[Question], asker: Asker) -> Iterator[Told]:
    """Ask every question as `claimgraph ask` does, but with the least threshold of the table."""
    known = {gold.question.id: gold.answers for gold in known_questions(questions, asker.arrays, asker.graphs)}
    for question in questions:
        chosen = asker.choose(question.text, "subgraph")
        choice = answer_choice.chosen_answers(question.text, chosen, asker.parts.subgraph(chosen.facts))
        first = choice.answers[0] if choice.answers else None
        confidence = choice.confidence if first else 0.0
        right = known.get(question.id)
        yield Told(question.text, first.id if first else "", confidence, right, first.name if first else "")


def table(told: Sequence[Told], threshold: float) -> Iterator[str]:
    """Yield the rows: answered and right of the answerable questions, and answered of the others."""
    known = [one for one in told if one.right is not None]
    yield f"{len(known)} of {len(told)} questions can be answered"
    yield "| confidence from | answered of these | right of the answered | answered of the others |"
    yield "| --- | --- | --- | --- |"
    for least in THRESHOLDS:
        mark = " (product)" if least == threshold else ""
        said = [one for one in known if one.confidence >= least]
        right = sum(one.first in (one.right or ()) for one in said)
        other = sum(one.right is None and one.confidence >= least for one in told)
        yield f"| {least}{mark} | {len(said)} | {right} | {other} of {len(told) - len(known)} |"


if __name__ == "__main__":
    main()
