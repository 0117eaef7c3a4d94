"""Make SAFE's decisions by a language model with the paper's four questions, or by rules.

The rules form queries from the fact's claims and rate by a FactJudge. Published agents ask one fact at a time; these
ask all at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from claimgraph.detect.judges.atomic_facts import named
from claimgraph.detect.judges.passage_judges import FactJudge, Support, TopicFact
from claimgraph.detect.judges.safe import Searched, SearchStep, SearchTask, found
from claimgraph.detect.prompting.forms import needed
from claimgraph.detect.prompting.prompts import load
from claimgraph.detect.prompting.replies import after, told
from claimgraph.detect.prompting.structured import Failed, answered, asked
from claimgraph.detect.text.words import content
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import ChatModel, Document, Extractor, Request


class RuleAgent:
    """Works without a language model: queries from the fact's claims, rated by a FactJudge. Implements Agent.

    Queries: subject, subject and relation, subject and object, object, the fact; each once. A fact is relevant if it
    shares a content word with the topic, or with the question where there is no topic.
    """

    def __init__(self, extractor: Extractor, judge: FactJudge) -> None:
        self._judge = judge
        self._queries = cache(partial(queries, extractor=extractor))
        self.name = judge.name

    def alone(self, tasks: Sequence[SearchTask]) -> list[str]:
        """Return the facts with the topic instead of a pronoun at the beginning."""
        return [named(task.fact, task.topic) for task in tasks]

    def relevant(self, facts: Sequence[tuple[SearchTask, str]]) -> list[bool]:
        """Return whether topic or question and fact share a word."""
        return [not set(content(task.topic or task.question)).isdisjoint(content(said)) for task, said in facts]

    def query(self, facts: Sequence[Searched]) -> list[str | None]:
        """Return the first query of each fact that was not asked yet."""
        asked = [{step.query for step in steps} for _, steps in facts]
        return [
            next((query for query in self._queries(said) if query not in before), None)
            for (said, _), before in zip(facts, asked, strict=True)
        ]

    def rate(self, facts: Sequence[Searched]) -> Sequence[Support]:
        """Return the judge's rulings on all results."""
        return self._judge.judge([TopicFact(said, "", found(steps)) for said, steps in facts])


class LLMAgent:
    """Asks a language model SAFE's questions, in words of our own. Implements Agent; raises BudgetSpent."""

    name = "llm"

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    def alone(self, tasks: Sequence[SearchTask]) -> list[str | Failed]:
        """Return the facts as the model rewrites them; unchanged where the answer has no statement."""
        items = [_item("safe_alone", task.fact, f"Statement: {task.fact}", answer=task.answer) for task in tasks]
        said = answered(self._chat, items, lambda answer: after(answer, "statement") or "")
        return [one or task.fact for task, one in zip(tasks, said, strict=True)]

    def relevant(self, facts: Sequence[tuple[SearchTask, str]]) -> list[bool | Failed]:
        """Return True unless the model says that a fact is irrelevant: leaving it out must have a reason."""
        items = [
            _item("safe_relevance", said, "It is about it.\nRelevant", question=task.question, answer=task.answer)
            for task, said in facts
        ]
        return answered(self._chat, items, lambda answer: told(answer, "relevant", _IRRELEVANT) is not False)

    def query(self, facts: Sequence[Searched]) -> list[str | Failed | None]:
        """Return the model's next queries; None where its answer has none."""
        items = [_item("safe_query", said, f"Query: {said}", knowledge=_knowledge(steps)) for said, steps in facts]
        return answered(self._chat, items, lambda answer: after(answer, "query"))

    def rate(self, facts: Sequence[Searched]) -> list[Support]:
        """Return supported or not, as the model says last; None where nothing was found.

        A model that says neither is asked once more.
        """
        rows = [row for row, (_, steps) in enumerate(facts) if found(steps)]
        items = [
            _item("safe_rating", facts[row][0], "The findings say it.\nSupported", knowledge=_knowledge(facts[row][1]))
            for row in rows
        ]
        rated = dict(zip(rows, asked(self._chat, items, _SUPPORTED), strict=True))
        return [rated.get(row) for row in range(len(facts))]


_IRRELEVANT = "not relevant|irrelevant"
_SUPPORTED = needed(
    lambda answer: told(answer, "supported", "not supported"), 'it ends with neither "Supported" nor "Not supported"'
)


def _item(name: str, fact: str, likely: str, **values: str) -> tuple[str, Request]:
    return fact, load(name).request({"fact": fact, **values}, likely=likely)


def queries(fact: str, extractor: Extractor) -> tuple[str, ...]:
    """Return the rules' queries: parts of the fact's first claim from the shortest to the whole, each once."""
    [read] = extractor.extract([Document(document_id(fact), fact)])
    if not read.claims:
        return (fact,)
    claim = read.claims[0]
    pairs = (f"{claim.subject} {claim.predicate}", f"{claim.subject} {claim.object}")
    return tuple(dict.fromkeys((claim.subject, *pairs, claim.object, fact)))


def _knowledge(steps: Sequence[SearchStep]) -> str:
    return "\n".join(passage.text for passage in found(steps)) or "Nothing yet."
