"""Compute G-Eval (Liu et al. 2023) on OKGQA's four dimensions: a language model gives a score from 1 to 5.

The paper weighs each score by its probability. Chat servers seldom give probabilities, so it is estimated as the paper
does for GPT-4: the mean of n samples. Without a language model every score is None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from claimgraph.detect.prompting.prompts import load
from claimgraph.detect.prompting.structured import Failed, answered
from claimgraph.kgstore.model import ChatModel

DIMENSIONS = ("context_relevance", "comprehensiveness", "correctness", "empowerment")
"""The four dimensions in which OKGQA, section 4, compares answers."""
SAMPLES = 20
"""Number of answers that a score is the mean of (section 3: n = 20, temperature 1, top p 1)."""
_SCORE = re.compile(
    r"^[^\w\n]*(?:[\w ]{0,60}score\W{0,40})?([1-5](?:\.\d{1,9})?)(?:\s{0,9}(?:/|out of)\s{0,9}5)?[^\w\n]*$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class GEval:
    """The mean score in each dimension, in [1, 5], None where no sample had one; `reasons` say why, by dimension."""

    scores: dict[str, float | None]
    reasons: dict[str, str] = field(default_factory=dict)

    def share(self, dimension: str) -> float | None:
        """Return the score rescaled from [1, 5] to [0, 1], which tables show in percent."""
        score = self.scores[dimension]
        return None if score is None else (score - 1) / 4


def geval(question: str, answer: str, context: str, chat: ChatModel | None, samples: int = SAMPLES) -> GEval:
    """Return the scores of one answer; `context` is what it was generated from, "" for nothing. Samples are asked for
    at once.

    Samples that did not come or have no score are left out of the mean. Raises BudgetSpent.
    """
    if chat is None:
        return GEval(dict.fromkeys(DIMENSIONS))
    values = {"question": question, "answer": answer, "context": context or "None was given."}
    prompts = [load(f"geval_{name}") for name in DIMENSIONS]
    items = [(prompt.name, prompt.request(values, sample=n, likely="4")) for prompt in prompts for n in range(samples)]
    found = answered(chat, items, _score)
    rows = {name: found[at * samples : (at + 1) * samples] for at, name in enumerate(DIMENSIONS)}
    scores = {name: _mean(row) for name, row in rows.items()}
    return GEval(scores, {name: _reason(rows[name]) for name, score in scores.items() if score is None})


def _mean(row: Sequence[float | Failed | None]) -> float | None:
    scores = [score for score in row if isinstance(score, float)]
    return sum(scores) / len(scores) if scores else None


def _reason(row: Sequence[float | Failed | None]) -> str:
    """Return why there is no score."""
    return next((one.reason for one in row if isinstance(one, Failed)), f"none of {len(row)} answers has a score")


def _score(answer: str) -> float | None:
    """Return the score in the last line that holds nothing else, at most 5."""
    found = _SCORE.findall(answer)
    return min(float(found[-1]), 5.0) if found else None
