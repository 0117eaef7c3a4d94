"""Compute FActScore (Min et al. 2023): the share of an answer's atomic facts that a knowledge source supports.

Facts that cannot be judged are left out, and where none can the score is None: the published code counts a fact whose
answer it cannot parse as supported or not by searching for words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from claimgraph.detect.judges.agreement import share
from claimgraph.detect.judges.passage_judges import FactJudge, Support, TopicFact
from claimgraph.detect.prompting.structured import Failed
from claimgraph.kgstore.model import Passage

GAMMA = 10
"""Facts below which an answer is penalised for its shortness."""


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """An answer's atomic facts, their topic ("" unknown), and the passages about it."""

    facts: tuple[str, ...]
    topic: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class JudgedFact:
    """An atomic fact and whether the source supports it; None where that is unknown.

    `reason` is set where a model failed.
    """

    text: str
    supported: bool | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class FactScore:
    """The judged facts of one answer."""

    facts: tuple[JudgedFact, ...]

    @property
    def share(self) -> float | None:
        """Supported facts among those judged, in [0, 1]: f(y) of section 3.2; None where none was."""
        return share([fact.supported for fact in self.facts])

    @property
    def score(self) -> float | None:
        """The share times the length penalty, in [0, 1]; None where no fact was judged."""
        judged = sum(fact.supported is not None for fact in self.facts)
        return None if self.share is None else self.share * length_penalty(judged)


def factscore(answers: Sequence[AnswerFacts], judge: FactJudge) -> list[FactScore]:
    """Return one FactScore per answer, in order; the judge is asked once for all."""
    asked = [TopicFact(fact, answer.topic, answer.passages) for answer in answers for fact in answer.facts]
    found = iter(judge.judge(asked))
    return [FactScore(tuple(_judged(fact, next(found)) for fact in answer.facts)) for answer in answers]


def _judged(fact: str, found: Support) -> JudgedFact:
    return JudgedFact(fact, None, found.reason) if isinstance(found, Failed) else JudgedFact(fact, found)


def length_penalty(facts: int, gamma: int = GAMMA) -> float:
    """exp(1 - gamma / n) for n < gamma facts, else 1: a short answer must not score by saying little. n > 0."""
    return exp(1 - gamma / facts) if facts < gamma else 1.0
