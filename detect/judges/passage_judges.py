"""Judge whether passages support one atomic fact, which FActScore and SAFE both ask.

A language model is asked as in FActScore; an entailment model reads the passages as premises; a detector of ours reads
them as a context. All take many facts in one call, so that models work in batches.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import log
from typing import Protocol

from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.models.window_entailment import judge as entailed
from claimgraph.detect.prompting.forms import needed
from claimgraph.detect.prompting.prompts import load
from claimgraph.detect.prompting.replies import told
from claimgraph.detect.prompting.structured import Failed
from claimgraph.detect.prompting.structured import asked as ask
from claimgraph.detect.text.windows import windows
from claimgraph.detect.text.words import content
from claimgraph.kgstore.identity import context_graph, document_id
from claimgraph.kgstore.model import (
    ChatModel,
    Document,
    EntailmentModel,
    Extractor,
    Finding,
    Outcome,
    Passage,
    Request,
    Span,
    Subgraph,
)

SHOWN = 5
"""Passages nearest to a fact that a judge is shown (FActScore, section 4.1: k = 5)."""
_SENTENCE = re.compile(r"\S.*?(?:(?<=[.!?])(?=\s{1,20}[A-Z\"“(])|\s{0,20}\Z)", re.DOTALL)
ENTAILED = 0.5
"""P(entailment) above this supports."""


_TRUE_OR_FALSE = needed(lambda reply: told(reply, "true", "false"), "it says neither True nor False")


@dataclass(frozen=True, slots=True)
class TopicFact:
    """An atomic fact about a topic ("" unknown), beside all available passages; any of them may be long."""

    fact: str
    topic: str
    passages: tuple[Passage, ...]


Support = bool | Failed | None
"""Supported or not; None where there is no passage or no decision; Failed where a model gave no usable answer."""


class FactJudge(Protocol):
    """Judges whether passages support facts."""

    name: str

    def judge(self, asked: Sequence[TopicFact]) -> Sequence[Support]:
        """Return the rulings in order."""
        ...


class EntailmentJudge:
    """Takes a fact as supported where a window of a passage entails it. Implements FactJudge."""

    name = "entailment"

    def __init__(self, model: EntailmentModel) -> None:
        self._model = model

    def judge(self, asked: Sequence[TopicFact]) -> list[bool | None]:
        """Return the greatest P(entailment) over the SHOWN nearest windows decides. Raises ModelError."""
        jobs = [([one.fact], [window.text for window in shown(one)]) for one in asked]
        return [None if found is None else found.entailment > ENTAILED for [found] in entailed(jobs, self._model)]


class DetectorJudge:
    """Takes a fact as supported where a detector supports all of its claims, with the passages as the context.

    Implements FactJudge. A fact without a claim is not judged: None.
    """

    def __init__(self, detector: Detector, extractor: Extractor) -> None:
        self._detector, self._extractor = detector, extractor
        self.name = detector.name
        self._known: dict[Passage, tuple[Subgraph, tuple[Passage, ...]]] = {}

    def judge(self, asked: Sequence[TopicFact]) -> list[bool | None]:
        """Judge the facts; neighbours with the same passages are read as one text. Raises ModelError."""
        self._read(dict.fromkeys(passage for one in asked for passage in one.passages))
        runs = [list(run) for _, run in groupby(asked, key=lambda one: one.passages)]
        texts = ["\n\n".join(one.fact for one in run) for run in runs]
        cases = [
            Case(found.claims, *self._context(run[0].passages), True, found.document.text, found.sentences)
            for run, found in zip(runs, self._extractor.extract([_document(text) for text in texts]), strict=True)
        ]
        ruled = iter(self._detector.detect([case for case in cases if case.claims and case.passages]))
        return [
            supported
            for run, case in zip(runs, cases, strict=True)
            for supported in _by_fact(run, case, next(ruled) if case.claims and case.passages else None)
        ]

    def _read(self, passages: Iterable[Passage]) -> None:
        """Extract claims from the passages that are new, all in one call."""
        new = [passage for passage in passages if passage not in self._known]
        for passage, found in zip(
            new, self._extractor.extract([_document(passage.text) for passage in new]), strict=True
        ):
            sentences = tuple(
                Passage(passage.text[span.start : span.end], passage.source, found.document.id, span)
                for span in found.sentences
            )
            self._known[passage] = claim_kg(found, context_graph(found.document.id)), sentences

    def _context(self, passages: Sequence[Passage]) -> tuple[Subgraph, tuple[Passage, ...]]:
        """Return the passages as facts and sentences, each text once."""
        read = [self._known[passage] for passage in {passage.text: passage for passage in passages}.values()]
        nodes = {key: node for graph, _ in read for key, node in graph.nodes.items()}
        facts = {fact.id: fact for graph, _ in read for fact in graph.facts}
        return Subgraph(nodes, tuple(facts.values())), tuple(sentence for _, found in read for sentence in found)


def _by_fact(run: Sequence[TopicFact], case: Case, findings: Sequence[Finding] | None) -> Iterator[bool | None]:
    """Yield whether all claims of each fact are supported, by their positions in the joined text; None without
    claims.
    """
    start = 0
    for one in run:
        end = start + len(one.fact)
        ours = [
            finding.outcome is Outcome.SUPPORTED
            for claim, finding in zip(case.claims, findings or (), strict=findings is not None)
            if start <= claim.span.start < end
        ]
        yield all(ours) if ours else None
        start = end + 2


class LLMJudge:
    """Asks a language model "True or False?" after the nearest passages (FActScore, section 4.1, "Retrieve -> LM")."""

    name = "llm"

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self._prompt = load("factscore_judge")

    def judge(self, asked: Sequence[TopicFact]) -> list[Support]:
        """Judge all facts in one call; a fact whose answer has neither word is asked about once more.

        Raises BudgetSpent.
        """
        rows = [row for row, one in enumerate(asked) if one.passages]
        found = dict(zip(rows, ask(self._chat, [self._item(asked[row]) for row in rows], _TRUE_OR_FALSE), strict=True))
        return [found.get(row) for row in range(len(asked))]

    def _item(self, one: TopicFact) -> tuple[str, Request]:
        text = "\n\n".join(window.text for window in shown(one))
        values = {"topic": one.topic or "the subject", "passages": text, "fact": one.fact}
        return one.fact, self._prompt.request(values, likely="True")


def shown(one: TopicFact, limit: int = SHOWN) -> list[Passage]:
    """Return the windows of the passages that share most with fact and topic, best first, ties in their order.

    Shared words weigh log(1 + N / n), n of N windows having them. FActScore takes the nearest by a trained retriever; a
    topic has few windows, and its words find them.
    """
    found, words = _cut(one.passages)
    wanted = set(content(f"{one.topic} {one.fact}"))
    spread = Counter(word for here in words for word in wanted & here)
    score = [sum(log(1 + len(found) / spread[word]) for word in wanted & here) for here in words]
    return [found[row] for row in sorted(range(len(found)), key=lambda row: -score[row])[:limit]]


@lru_cache(maxsize=64)
def _cut(passages: tuple[Passage, ...]) -> tuple[list[Passage], list[frozenset[str]]]:
    """Return the windows of some passages with their words."""
    found = [window for passage in passages for window in windows(_sentences(passage))]
    return found, [frozenset(content(window.text)) for window in found]


def _sentences(passage: Passage) -> list[Passage]:
    """Cut the passage after full stops that a capital follows, which is enough for windows."""
    return [
        Passage(part[0], passage.source, passage.document, Span(part.start(), part.end()))
        for part in _SENTENCE.finditer(passage.text)
    ]


def _document(text: str) -> Document:
    return Document(document_id(text), text)
