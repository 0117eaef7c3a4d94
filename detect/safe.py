"""SAFE (Wei et al. 2024): each fact of an answer made self-contained, found relevant, searched for, and rated.

The loop is the paper's: at most five searches a fact, then the rating. An Agent writes the queries and rates: a
language model with the paper's four questions, or rules whose queries are made from the fact's claims and whose rating
is a FactJudge's. Every search is kept with what it found, so that a rating can be followed. The paper's search engine
is a function from a query to passages here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from typing import Protocol

from detect.agreement import share
from detect.atomic import named
from detect.judges import Asked, FactJudge
from detect.prompts import load
from detect.replies import after, told
from detect.words import content
from kgstore.identity import document_id
from kgstore.model import ChatModel, Document, Extractor, Passage

STEPS = 5
"""Searches a fact at most (section 3)."""
K = 64
"""Facts that an answer is expected to have: the paper's K, the median of its answers."""
Search = Callable[[str], Sequence[Passage]]
"""What a query finds, best first."""


class Rating(StrEnum):
    """What SAFE calls a fact."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not supported"
    IRRELEVANT = "irrelevant"


@dataclass(frozen=True, slots=True)
class Task:
    """A fact of an answer to a question; `topic` is what both are about, "" where nobody knows."""

    fact: str
    question: str
    answer: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One search and what it found."""

    query: str
    found: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class RatedFact:
    """A fact as the answer has it, on its own feet, every search made for it, and its rating, None if unknown."""

    fact: str
    said: str
    steps: tuple[Step, ...]
    rating: Rating | None


class Agent(Protocol):
    """What decides in SAFE's steps."""

    name: str

    def alone(self, task: Task) -> str:
        """The fact so that it can be read without the answer."""
        ...

    def relevant(self, task: Task, said: str) -> bool:
        """Whether the fact bears on the question."""
        ...

    def query(self, said: str, steps: Sequence[Step]) -> str | None:
        """What to search for next; None to stop."""
        ...

    def rate(self, facts: Sequence[tuple[str, Sequence[Step]]]) -> list[bool | None]:
        """Whether what was found supports each fact; None where nothing was found, or it could not be told."""
        ...


def safe(tasks: Sequence[Task], agent: Agent, search: Search) -> list[RatedFact]:
    """One RatedFact a task, in order. Irrelevant facts are not searched for."""
    said = [agent.alone(task) for task in tasks]
    relevant = [agent.relevant(task, text) for task, text in zip(tasks, said, strict=True)]
    steps = [_searched(text, agent, search) if wanted else () for text, wanted in zip(said, relevant, strict=True)]
    asked = [row for row, wanted in enumerate(relevant) if wanted]
    rated = dict(zip(asked, agent.rate([(said[row], steps[row]) for row in asked]), strict=True))
    return [
        RatedFact(task.fact, said[row], steps[row], _rating(rated[row]) if row in rated else Rating.IRRELEVANT)
        for row, task in enumerate(tasks)
    ]


def precision(facts: Sequence[RatedFact]) -> float | None:
    """S / (S + N) of supported and not supported facts, in [0, 1]; None where there are neither."""
    return share([_known(fact) for fact in facts])


def f1_at_k(facts: Sequence[RatedFact], k: int = K) -> float | None:
    """F1@K (section 5): of the precision and the recall min(S / K, 1); 0 without a supported fact, None unrated."""
    correct, exact = sum(_known(fact) is True for fact in facts), precision(facts)
    if not exact:
        return exact
    recall = min(correct / k, 1.0)
    return 2 * exact * recall / (exact + recall)


def _searched(said: str, agent: Agent, search: Search) -> tuple[Step, ...]:
    steps: list[Step] = []
    while len(steps) < STEPS and (query := agent.query(said, steps)):
        steps.append(Step(query, tuple(search(query))))
    return tuple(steps)


def _rating(supported: bool | None) -> Rating | None:
    if supported is None:
        return None
    return Rating.SUPPORTED if supported else Rating.NOT_SUPPORTED


def _known(fact: RatedFact) -> bool | None:
    return None if fact.rating in (None, Rating.IRRELEVANT) else fact.rating is Rating.SUPPORTED


class RuleAgent:
    """No language model: queries from the fact's claims, rated by a FactJudge. Implements Agent.

    Queries: subject, subject and relation, subject and object, object, the fact; each once. A fact is relevant if it
    shares a word that carries meaning with the topic, or with the question where there is no topic.
    """

    def __init__(self, extractor: Extractor, judge: FactJudge) -> None:
        self._judge = judge
        self._queries = cache(partial(queries, extractor=extractor))
        self.name = judge.name

    def alone(self, task: Task) -> str:
        """The topic stands for a pronoun at the beginning."""
        return named(task.fact, task.topic)

    def relevant(self, task: Task, said: str) -> bool:
        """Whether topic or question and fact share a word."""
        return not set(content(task.topic or task.question)).isdisjoint(content(said))

    def query(self, said: str, steps: Sequence[Step]) -> str | None:
        """The first query that was not asked yet."""
        asked = {step.query for step in steps}
        return next((query for query in self._queries(said) if query not in asked), None)

    def rate(self, facts: Sequence[tuple[str, Sequence[Step]]]) -> list[bool | None]:
        """The judge's word on everything found."""
        return self._judge.judge([Asked(said, "", found(steps)) for said, steps in facts])


class LLMAgent:
    """A language model with SAFE's questions, in words of our own. Implements Agent; raises ServiceError."""

    name = "llm"

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    def alone(self, task: Task) -> str:
        """The fact as the model rewrites it; as it is where the answer has no statement."""
        return after(self._ask("safe_alone", fact=task.fact, answer=task.answer), "statement") or task.fact

    def relevant(self, task: Task, said: str) -> bool:
        """Relevant unless the model says that it is not: leaving a fact out must have a reason."""
        answer = self._ask("safe_relevance", fact=said, question=task.question, answer=task.answer)
        return told(answer, "relevant", "not relevant|irrelevant") is not False

    def query(self, said: str, steps: Sequence[Step]) -> str | None:
        """The model's next query; None where its answer has none."""
        return after(self._ask("safe_query", fact=said, knowledge=_knowledge(steps)), "query")

    def rate(self, facts: Sequence[tuple[str, Sequence[Step]]]) -> list[bool | None]:
        """Supported or not, as the model says last; None where it says neither, or nothing was found."""
        return [self._rate(said, steps) if found(steps) else None for said, steps in facts]

    def _rate(self, said: str, steps: Sequence[Step]) -> bool | None:
        return told(self._ask("safe_rating", fact=said, knowledge=_knowledge(steps)), "supported", "not supported")

    def _ask(self, name: str, **values: str) -> str:
        return self._chat.complete(load(name).fill(**values), temperature=0.0)


def queries(fact: str, extractor: Extractor) -> tuple[str, ...]:
    """What rules search for: parts of the fact's first claim from the shortest to the whole, each once."""
    [read] = extractor.extract([Document(document_id(fact), fact)])
    if not read.claims:
        return (fact,)
    claim = read.claims[0]
    pairs = (f"{claim.subject} {claim.predicate}", f"{claim.subject} {claim.object}")
    return tuple(dict.fromkeys((claim.subject, *pairs, claim.object, fact)))


def found(steps: Sequence[Step]) -> tuple[Passage, ...]:
    """All that some searches found, each once, in order."""
    return tuple(dict.fromkeys(passage for step in steps for passage in step.found))


def _knowledge(steps: Sequence[Step]) -> str:
    return "\n".join(passage.text for passage in found(steps)) or "Nothing yet."
