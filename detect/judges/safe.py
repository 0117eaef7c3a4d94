"""Run SAFE (Wei et al. 2024): each fact of an answer is made self-contained, checked for relevance, searched for, and
rated.

The loop is the paper's: at most five searches a fact, then the rating. An Agent writes the queries and rates
(safe_agents.py). Every search is kept with its results, so that a rating can be traced. The paper's search engine is a
function from a query to passages here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from claimgraph.detect.judges.agreement import share
from claimgraph.detect.judges.passage_judges import Support
from claimgraph.detect.prompting.structured import Failed
from claimgraph.kgstore.model import Passage

STEPS = 5
"""Most searches for a fact (section 3)."""
K = 64
"""Facts that an answer is expected to have: the paper's K, the median of its answers."""
_T = TypeVar("_T")

Search = Callable[[str], Sequence[Passage]]
"""Returns the results of a query, best first."""


class Rating(StrEnum):
    """SAFE's ratings of a fact."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not supported"
    IRRELEVANT = "irrelevant"


@dataclass(frozen=True, slots=True)
class SearchTask:
    """A fact of an answer to a question; `topic` is the topic of both, "" where it is unknown."""

    fact: str
    question: str
    answer: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One search and its results."""

    query: str
    found: tuple[Passage, ...]


Searched = tuple[str, Sequence[SearchStep]]
"""A self-contained fact, with the searches made for it so far."""


@dataclass(frozen=True, slots=True)
class RatedFact:
    """A fact of the answer, its self-contained form, every search made for it, and its rating, None if unknown.

    `reason` is set where the rating is unknown because a model failed.
    """

    fact: str
    said: str
    steps: tuple[SearchStep, ...]
    rating: Rating | None
    reason: str | None = None


class Agent(Protocol):
    """Makes the decisions in SAFE's steps, for many facts at once; in order, Failed where a model gave no answer."""

    name: str

    def alone(self, tasks: Sequence[SearchTask]) -> Sequence[str | Failed]:
        """Return the facts rewritten so that they can be understood without the answer."""
        ...

    def relevant(self, facts: Sequence[tuple[SearchTask, str]]) -> Sequence[bool | Failed]:
        """Return whether the facts, given with their tasks, are relevant to the question."""
        ...

    def query(self, facts: Sequence[Searched]) -> Sequence[str | Failed | None]:
        """Return the next query for each fact; None to stop."""
        ...

    def rate(self, facts: Sequence[Searched]) -> Sequence[Support]:
        """Return whether the results support each fact; None where nothing was found, or the results do not decide."""
        ...


def safe(tasks: Sequence[SearchTask], agent: Agent, search: Search) -> list[RatedFact]:
    """Return one RatedFact per task, in order. Irrelevant facts are not searched for, and failed ones are unknown."""
    rows = [_Row(task) for task in tasks]
    for row, said in zip(rows, agent.alone(tasks), strict=True):
        row.said = row.known(said) or row.said
    here = _open(rows)
    for row, relevant in zip(here, agent.relevant([(row.task, row.said) for row in here]), strict=True):
        row.rating = Rating.IRRELEVANT if row.known(relevant) is False else None
    here = _search(_open(rows), agent, search)
    for row, supported in zip(here, agent.rate([row.searched for row in here]), strict=True):
        row.rating = _rating(row.known(supported))
    return [RatedFact(row.task.fact, row.said, tuple(row.steps), row.rating, row.reason) for row in rows]


class _Row:
    """A fact in progress through the steps."""

    def __init__(self, task: SearchTask) -> None:
        self.task, self.said = task, task.fact
        self.steps: list[SearchStep] = []
        self.rating: Rating | None = None
        self.reason: str | None = None

    @property
    def searched(self) -> Searched:
        return self.said, self.steps

    def known(self, answer: _T | Failed) -> _T | None:
        """Return the answer, or None and record the reason of its failure."""
        if isinstance(answer, Failed):
            self.reason = answer.reason
            return None
        return answer


def _open(rows: Sequence[_Row]) -> list[_Row]:
    return [row for row in rows if row.rating is None and row.reason is None]


def _search(rows: list[_Row], agent: Agent, search: Search) -> list[_Row]:
    """Search for the facts, a round of queries at a time; return the rows in which nothing failed."""
    here = rows
    for _ in range(STEPS):
        queries = [row.known(query) for row, query in zip(here, agent.query([r.searched for r in here]), strict=True)]
        here = [row for row, query in zip(here, queries, strict=True) if query]
        for row, query in zip(here, filter(None, queries), strict=True):
            row.steps.append(SearchStep(query, tuple(search(query))))
    return _open(rows)


def precision(facts: Sequence[RatedFact]) -> float | None:
    """Return S / (S + N) of supported and not supported facts, in [0, 1]; None where there are neither."""
    return share([_known(fact) for fact in facts])


def f1_at_k(facts: Sequence[RatedFact], k: int = K) -> float | None:
    """Return F1@K (section 5): of the precision and the recall min(S / K, 1); 0 without a supported fact, None
    unrated.
    """
    correct, exact = sum(_known(fact) is True for fact in facts), precision(facts)
    if not exact:
        return exact
    recall = min(correct / k, 1.0)
    return 2 * exact * recall / (exact + recall)


def _rating(supported: bool | None) -> Rating | None:
    if supported is None:
        return None
    return Rating.SUPPORTED if supported else Rating.NOT_SUPPORTED


def _known(fact: RatedFact) -> bool | None:
    return None if fact.rating in (None, Rating.IRRELEVANT) else fact.rating is Rating.SUPPORTED


def found(steps: Sequence[SearchStep]) -> tuple[Passage, ...]:
    """Return all results of some searches, each once, in order."""
    return tuple(dict.fromkeys(passage for step in steps for passage in step.found))
