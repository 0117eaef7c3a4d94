"""G-Eval (Liu et al. 2023) on OKGQA's four dimensions: a language model fills in a score from 1 to 5.

The paper weighs each score by its probability. Chat servers seldom give probabilities, so it is estimated as the paper
does for GPT-4: the mean of n samples. Without a language model nothing here is known, and unknown is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from detect.prompts import load
from kgstore.model import ChatModel

DIMENSIONS = ("context_relevance", "comprehensiveness", "correctness", "empowerment")
"""OKGQA, section 4: the four in which answers are compared."""
SAMPLES = 20
"""Answers a score is the mean of (section 3: n = 20, temperature 1, top p 1)."""
_SCORE = re.compile(
    r"^\W*(?:[\w ]*score\W*)?([1-5](?:\.\d+)?)(?:\s*(?:/|out of)\s*5)?\W*$", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class GEval:
    """The mean score in each dimension, in [1, 5], None where no sample had one."""

    scores: dict[str, float | None]

    def share(self, dimension: str) -> float | None:
        """The score as a share of the way from 1 to 5, in [0, 1]: what tables show in percent."""
        score = self.scores[dimension]
        return None if score is None else (score - 1) / 4


def geval(question: str, answer: str, context: str, chat: ChatModel | None, samples: int = SAMPLES) -> GEval:
    """Scores of one answer; `context` is what it was made from, "" for nothing. Raises ServiceError."""
    return GEval({name: _mean(name, question, answer, context, chat, samples) for name in DIMENSIONS})


def _mean(name: str, question: str, answer: str, context: str, chat: ChatModel | None, samples: int) -> float | None:
    if chat is None:
        return None
    prompt = load(f"geval_{name}").fill(question=question, answer=answer, context=context or "None was given.")
    answers = (chat.complete(prompt, temperature=1.0) for _ in range(samples))
    scores = [score for text in answers if (score := _score(text)) is not None]
    return sum(scores) / len(scores) if scores else None


def _score(answer: str) -> float | None:
    """The score in the last line that holds nothing else, at most 5."""
    found = _SCORE.findall(answer)
    return min(float(found[-1]), 5.0) if found else None
