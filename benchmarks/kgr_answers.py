"""Questions answered by a language model before and after KGR: `python benchmarks/kgr_answers.py QUESTIONS --graph G`.

KGR's tables compare answers from the model's memory, by chain of thought (--prompt cot), that with self-consistency
(--prompt cot-sc), and with retrofitting (--retrofit). Asked are --n questions, drawn by --seed among those whose
entity and an answer the graphs have; nothing is retrieved for the prompt. An answer is right where it names a gold
answer: the paper's exact match, for answers of several words. The settings name the language model; its answers are
kept in the store, so a run that was stopped goes on where it was. Printed is JSON: the share of right answers with its
interval (the middle 95 % of a bootstrap), and how many questions got no answer, which count as wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path

from claimgraph.evaluation.answers.qa import known_questions
from claimgraph.evaluation.asker import EvaluationAsker
from claimgraph.evaluation.data.questions import read_questions
from claimgraph.evaluation.statistics.metrics import mean_interval
from claimgraph.kgstore.errors import ServiceError
from claimgraph.settings import load_settings


def main() -> None:
    """Ask, and print the figures."""
    given = _arguments()
    with EvaluationAsker(load_settings(), given.graph) as asker:
        if not asker.chat:
            raise SystemExit("no language model: set CLAIMGRAPH_LLM_BASE_URL and CLAIMGRAPH_LLM_MODEL")
        world = asker.arrays
        known = known_questions(read_questions(given.questions), world, asker.graphs)
        drawn = random.Random(given.seed).sample(known, min(given.n, len(known)))
        right, failed = list[bool](), 0
        for gold in drawn:
            names = [world.names[node] for one in gold.answers if (node := world.node(one)) is not None]
            said = _said(asker, gold.question.text, given.prompt, retrofit=given.retrofit)
            failed += said is None
            right.append(said is not None and named(said, names))
    within = mean_interval(right, [gold.question.id for gold in drawn], given.seed)
    found = {"right": sum(right) / len(right), "ci95": within, "n": len(right), "failed": failed}
    print(json.dumps({"prompt": given.prompt, "retrofit": given.retrofit, **found}))


def named(said: str, names: Iterable[str]) -> bool:
    """Return whether a text has one of the names as whole words, in any case."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said, re.IGNORECASE) for name in names if name.strip())


def _said(asker: EvaluationAsker, question: str, prompt: str, *, retrofit: bool) -> str | None:
    """Return what the model says, with the sentences that `ask` would leave out; None where it gives no answer."""
    try:
        report = asker.ask(question, mode="none", prompt=prompt, retrofit=retrofit)
    except ServiceError:
        return None
    return " ".join(sentence.text for sentence in report.sentences) or report.answer


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Questions answered before and after KGR.")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--graph", action="append", required=True)
    parser.add_argument("--prompt", choices=("zero", "cot", "cot-sc"), default="zero")
    parser.add_argument("--retrofit", action="store_true")
    parser.add_argument("--n", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="as always")
    return parser.parse_args()


if __name__ == "__main__":
    main()
