"""Judge open-ended answers: OKGQA's table of hallucination and quality, overall and by type of question.

There are no gold answers: FActScore and SAFE measure how much of an answer the stored knowledge supports, G-Eval is a
language model's rating. Without a language model answers are facts put in words, and G-Eval is unknown. FActScore uses
the passages about the entities of a question; without passages its value is unknown too, and left out of the mean,
which names the number of its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimgraph.detect.compare.relations import sentence
from claimgraph.detect.judges.atomic_facts import Atomiser
from claimgraph.detect.judges.factscore import AnswerFacts, FactScore, factscore
from claimgraph.detect.judges.geval import DIMENSIONS, SAMPLES, GEval, geval
from claimgraph.detect.judges.passage_judges import FactJudge
from claimgraph.detect.judges.safe import Agent, RatedFact, Search, SearchTask, f1_at_k, precision, safe
from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.questions import Question
from claimgraph.evaluation.statistics.shares import mean
from claimgraph.evidence.topics import Topics
from claimgraph.kgstore.errors import BudgetSpent, ServiceError
from claimgraph.kgstore.model import ChatModel, Passage

if TYPE_CHECKING:
    from claimgraph.answering.answer import AskReport

SAID = 10
"""Number of facts that form an answer without a language model: a paragraph, as OKGQA's answers are."""
ALL = "all"
"""Name of the row over all types."""


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """An answer to an open-ended question, and the retrieved context it was made from, "" for none."""

    text: str
    context: str


Answering = Callable[[Question], OpenAnswer]
"""One way of answering: a mode with a prompt."""


def open_answer(report: AskReport, *, written: bool) -> OpenAnswer:
    """Return the answer: a language model's (`written`) unchanged, else the first SAID facts or texts in words."""
    context = "\n".join(evidence.text for evidence in report.evidence)
    if written:
        return OpenAnswer(report.answer, context)
    said = [sentence(one.triple) if one.triple else one.text for one in report.evidence[:SAID]]
    return OpenAnswer(" ".join(said), context)


@dataclass(frozen=True, slots=True)
class OpenJudges:
    """The judges of answers: atomic facts by `atomiser`, FActScore by `judge`, SAFE by `agent` with `search`, G-Eval by
    `chat` as the mean of so many samples; without it unknown.
    """

    atomiser: Atomiser
    judge: FactJudge
    agent: Agent
    search: Search
    chat: ChatModel | None = None
    samples: int = SAMPLES


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over the answers whose value is known, None where none is, and their number."""

    value: float | None
    n: int


@dataclass(frozen=True, slots=True)
class OpenFigures:
    """One way of answering over questions of one `type`. `n` questions, `facts` atomic facts an answer on average.

    In [0, 1]: `factscore` with its length penalty, `supported` without; `safe` is SAFE's precision, `safe_f1` its
    F1@64; G-Eval's four as the share of the way from 1 to 5.
    """

    mode: str
    prompt: str
    type: str
    n: int
    facts: float | None
    factscore: Mean
    supported: Mean
    safe: Mean
    safe_f1: Mean
    context_relevance: Mean
    comprehensiveness: Mean
    correctness: Mean
    empowerment: Mean


@dataclass(frozen=True, slots=True)
class OpenReport:
    """`covered` of the `n` questions are about an entity with passages. `notes` are for the reader."""

    n: int
    covered: int
    atomiser: str
    judge: str
    agent: str
    figures: tuple[OpenFigures, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """One answer with each judge's result: SAFE's facts carry every search that was made for them.

    `reason` says why there is no answer, and then its figures are unknown.
    """

    question: str
    mode: str
    prompt: str
    answer: str
    factscore: FactScore
    safe: tuple[RatedFact, ...]
    geval: GEval
    reason: str | None = None


def evaluate(
    questions: Sequence[Question],
    ways: Mapping[tuple[str, str], Answering],
    topics: Topics,
    judges: OpenJudges,
    advance: Advance = silent,
    keep: Callable[[JudgedAnswer], None] | None = None,
) -> OpenReport:
    """Answer all questions in each way (mode, prompt) and judge the answers; `advance`: (answers done, total).

    `keep` is called with each judged answer. A question that the language model does not answer is left out of the
    means, with the reason in its JudgedAnswer. Raises BudgetSpent, ServiceError where nothing at all is answered, and
    ModelError.
    """
    known = [known_about(question, topics) for question in questions]
    total = len(questions) * len(ways)
    figures: list[OpenFigures] = []
    for way, answering in ways.items():
        judged = _judged(questions, known, way, answering, judges)
        figures += _figures(*way, questions, judged)
        if keep:
            for one in judged:
                keep(one)
        advance(len(questions) * len({(row.mode, row.prompt) for row in figures}), total)
    return OpenReport(
        n=len(questions),
        covered=sum(bool(passages) for passages in known),
        atomiser=judges.atomiser.name,
        judge=judges.judge.name,
        agent=judges.agent.name,
        figures=tuple(figures),
        notes=() if judges.chat else ("no language model: answers are facts in words, and G-Eval is unknown",),
    )


def known_about(question: Question, topics: Topics) -> tuple[Passage, ...]:
    """Return the passages about the entities that a question names."""
    return tuple(dict.fromkeys(passage for key in question.entities for passage in topics(key)))


def _judged(
    questions: Sequence[Question],
    known: Sequence[tuple[Passage, ...]],
    way: tuple[str, str],
    answering: Answering,
    judges: OpenJudges,
) -> list[JudgedAnswer]:
    tried = [_tried(answering, question) for question in questions]
    if tried and all(isinstance(one, ServiceError) for one in tried):
        raise next(one for one in tried if isinstance(one, ServiceError))
    answers = [OpenAnswer("", "") if isinstance(one, ServiceError) else one for one in tried]
    atoms = judges.atomiser.atoms([answer.text for answer in answers])
    scores = factscore(
        [AnswerFacts(tuple(facts), "", about) for facts, about in zip(atoms, known, strict=True)], judges.judge
    )
    tasks = [
        SearchTask(fact, question.text, answer.text)
        for question, answer, facts in zip(questions, answers, atoms, strict=True)
        for fact in facts
    ]
    rated = iter(safe(tasks, judges.agent, judges.search))
    return [
        JudgedAnswer(
            question.id,
            *way,
            answer.text,
            score,
            tuple(next(rated) for _ in facts),
            geval(question.text, answer.text, answer.context, None if silent else judges.chat, judges.samples),
            silent,
        )
        for question, answer, facts, score, silent in zip(
            questions, answers, atoms, scores, map(_reason, tried), strict=True
        )
    ]


def _tried(answering: Answering, question: Question) -> OpenAnswer | ServiceError:
    try:
        return answering(question)
    except BudgetSpent:
        raise
    except ServiceError as error:
        return error


def _reason(tried: OpenAnswer | ServiceError) -> str | None:
    return str(tried) if isinstance(tried, ServiceError) else None


def _figures(
    mode: str, prompt: str, questions: Sequence[Question], judged: Sequence[JudgedAnswer]
) -> list[OpenFigures]:
    """Return figures overall, then by type in the order of their names."""
    types = sorted({question.kind for question in questions if question.kind})
    rows = {ALL: list(judged)} | {
        kind: [one for question, one in zip(questions, judged, strict=True) if question.kind == kind] for kind in types
    }
    return [_row(mode, prompt, kind, row) for kind, row in rows.items()]


def _row(mode: str, prompt: str, kind: str, judged: Sequence[JudgedAnswer]) -> OpenFigures:
    given = [one for one in judged if one.reason is None]
    return OpenFigures(
        mode=mode,
        prompt=prompt,
        type=kind,
        n=len(judged),
        facts=round(sum(len(one.safe) for one in given) / len(given), 1) if given else None,
        factscore=_mean([one.factscore.score for one in judged]),
        supported=_mean([one.factscore.share for one in judged]),
        safe=_mean([precision(one.safe) for one in judged]),
        safe_f1=_mean([f1_at_k(one.safe) for one in judged]),
        **{name: _mean([one.geval.share(name) for one in judged]) for name in DIMENSIONS},
    )


def _mean(values: Sequence[float | None]) -> Mean:
    return Mean(mean(values), sum(value is not None for value in values))
